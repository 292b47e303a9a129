import { taxonomyTarget } from "../support/taxonomy-target.ts"

/** Tables of the Interactive Advertising Bureau. */
export const target = taxonomyTarget("iab", {
  words: ["Unique ID\tParent\tName\n", "Parent ID", "\t\t", "1\t1\t"],
  seeds: ["Taxonomy 3.0\nUnique ID\tParent\tName\tTier 1\n1\t\tArts\tArts\n2\t1\tMusic/Songs\tArts\n3\t3\tHealth\t\n"],
})
