export { escapeName, unescapeName } from "./path.ts"
export { childrenOf, type Taxonomy, type TaxonomyColumns, taxonomyFrom } from "./taxonomy.ts"
export type { WordNetTree } from "./wordnet/grow-tree.ts"
export { type WordNetTaxonomy, wordNetTaxonomy, wordNetTaxonomyFrom } from "./wordnet/wordnet-taxonomy.ts"
