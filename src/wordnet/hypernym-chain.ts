import type { WordNet } from "./wordnet.ts"

/** The chain of first hypernyms from a synset to the root: `dog`, `canine`, …, `entity`. */
export function hypernymChain(wordnet: WordNet, synset: number): number[] {
  const chain: number[] = []
  for (let at = synset; at >= 0; at = wordnet.parent(at)) chain.push(at)
  return chain
}
