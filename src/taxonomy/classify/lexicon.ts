import { dictionaryFrom } from "../../kernels/dictionary.ts"

/**
 * What a log taught about words: word i is wordArena[wordOffsets[i], wordOffsets[i + 1]); the topics that it leads to are
 * nodes[offsets[i], offsets[i + 1]), the likeliest first, with their share of the word's evidence (what is missing to 1
 * went elsewhere). `region` is the share of each of these topics in the evidence of all words.
 */
export interface LexiconColumns {
  wordArena: Uint8Array
  wordOffsets: Uint32Array
  offsets: Uint32Array
  nodes: Int32Array
  shares: Float32Array
}

export function lexiconWords({ wordArena: arena, wordOffsets: offsets }: LexiconColumns): string[] {
  const words = dictionaryFrom({ arena, offsets })
  return Array.from({ length: words.size }, (_, id) => words.text(id))
}
