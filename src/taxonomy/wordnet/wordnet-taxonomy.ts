import type { WordNet } from "../../wordnet/wordnet.ts"
import { type Taxonomy, taxonomyFrom } from "../taxonomy.ts"
import { growTree, type WordNetTree } from "./grow-tree.ts"

/** WordNet's nouns as a taxonomy: every synset is one node. */
export interface WordNetTaxonomy extends Taxonomy {
  readonly wordnet: WordNet
  /** For each node: its synset. -1 for the root and for a file that no synset names. */
  readonly synset: Int32Array
  /** The node of a synset. */
  nodeOf(synset: number): number
}

export function isWordNetTaxonomy(taxonomy: Taxonomy): taxonomy is WordNetTaxonomy {
  return "wordnet" in taxonomy && "nodeOf" in taxonomy
}

const trees = new WeakMap<WordNet, WordNetTaxonomy>()

/** The tree of an open WordNet. It is built once. */
export function wordNetTaxonomy(wordnet: WordNet): WordNetTaxonomy {
  const tree = trees.get(wordnet) ?? wordNetTaxonomyFrom(growTree(wordnet), wordnet)
  trees.set(wordnet, tree)
  return tree
}

/** The same from its parts, for example in another thread. Texts are lemmas and gloss, read from WordNet on demand. */
export function wordNetTaxonomyFrom({ columns, synset }: WordNetTree, wordnet: WordNet): WordNetTaxonomy {
  const tree = taxonomyFrom(columns)
  const nodeOf = new Int32Array(wordnet.synsets)
  for (let id = 0; id < synset.length; id++) if (synset[id] >= 0) nodeOf[synset[id]] = id
  const text = (id: number) => {
    if (synset[id] < 0) return tree.text(id)
    const lemmas = Array.from(wordnet.lemmasOf(synset[id]), (lemma) => wordnet.lemmas.text(lemma))
    return `${lemmas.join(", ")}: ${wordnet.gloss(synset[id])}`
  }
  return { ...tree, wordnet, synset, text, nodeOf: (wanted) => nodeOf[wanted] }
}
