import type { WordNet } from "./wordnet.ts"

/** Synset → hyponyms and instances, ascending. Those of `s` are items[offsets[s], offsets[s + 1]). */
export interface HyponymIndex {
  offsets: Uint32Array
  items: Int32Array
}

/** Inverts the hypernym relation by counting. */
export function indexHyponyms({ synsets, columns }: WordNet): HyponymIndex {
  const { hypernyms, hypernymOffsets } = columns
  const offsets = new Uint32Array(new SharedArrayBuffer((synsets + 1) * 4))
  const items = new Int32Array(new SharedArrayBuffer(hypernyms.length * 4))
  for (const hypernym of hypernyms) offsets[hypernym + 1]++
  for (let s = 0; s < synsets; s++) offsets[s + 1] += offsets[s]
  const next = offsets.slice(0, synsets)
  for (let s = 0; s < synsets; s++)
    for (let i = hypernymOffsets[s]; i < hypernymOffsets[s + 1]; i++) items[next[hypernyms[i]]++] = s
  return { offsets, items }
}
