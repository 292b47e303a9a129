import { type Static, Type } from "#typebox"
import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import { type Dictionary, Interner, randomHashSeed, warmBatch } from "../kernels/dictionary.ts"
import { streamParallel } from "../kernels/parallel.ts"
import type { TokenisedShard, TokenShard } from "./cut-words.ts"

/** How a query is split into words. */
export const tokenOptions = Type.Object({
  tokens: Type.Enum(["words", "segmenter"], {
    default: "words",
    description: "split queries at spaces, or also split scripts without spaces by the Unicode word segmenter",
  }),
})

/** `tokenOptions` as a type. */
export type TokenOptions = Static<typeof tokenOptions>

/**
 * The words of each query, on shared memory. Those of query q are tokens[offsets[q], offsets[q + 1]), as ids of
 * `words`.
 */
export interface TokenisedQueries {
  words: Dictionary
  offsets: Uint32Array
  tokens: Int32Array
}

const shardQueries = 1 << 18
const worker = new URL("./tokens.worker.js", import.meta.url)

/**
 * Splits the normalised queries of a dictionary into words.
 *
 * - `words`: the text between spaces, including punctuation.
 * - `segmenter`: the same, but a word with a letter of a script written without spaces (Han, Hiragana, Katakana, Thai,
 *   Lao, Khmer, Myanmar) is split further at the word boundaries of UAX #29 with ICU's dictionaries (`Intl.Segmenter`).
 *   Segments that are not word-like are dropped. If no segment is word-like, the word stays whole. So every query with
 *   a text has a word.
 *
 * Words are numbered in order of first appearance, whatever the number of workers.
 */
export async function tokeniseQueries(
  queries: Dictionary,
  options: Partial<TokenOptions>,
  context: RunContext,
): Promise<TokenisedQueries> {
  const { tokens: mode = "words" } = options
  const seed = randomHashSeed()
  const parts = queries.parts()
  const shards = Array.from({ length: Math.ceil(queries.size / shardQueries) }, (_, i): TokenShard => {
    const from = i * shardQueries
    return { queries: parts, mode, seed, from, to: Math.min(queries.size, from + shardQueries) }
  })
  const words = new Interner({ seed, expected: Math.min(1 << 22, queries.size / 2) })
  const offsets = new Uint32Array(new SharedArrayBuffer((queries.size + 1) * 4))
  const pieces: Int32Array[] = []
  let done = 0
  let length = 0
  for await (const shard of streamParallel<TokenShard, TokenisedShard>(worker, shards, context)) {
    pieces.push(adoptWords(words, shard))
    for (const count of shard.lengths) {
      length += count
      offsets[++done] = length
    }
    await yieldAndReport(context, { stage: "cutting into words", done, total: queries.size })
  }
  const tokens = new Int32Array(new SharedArrayBuffer(length * 4))
  let at = 0
  for (const piece of pieces) {
    tokens.set(piece, at)
    at += piece.length
  }
  return { words: words.freeze(), offsets, tokens }
}

/** The tokens of a shard, with the ids that all shards share. */
function adoptWords(words: Interner, { arena, offsets, hashes, tokens }: TokenisedShard): Int32Array {
  const ids = new Int32Array(hashes.length)
  for (let from = 0; from < ids.length; from += warmBatch) {
    const to = Math.min(ids.length, from + warmBatch)
    words.warm(hashes, from, to)
    for (let i = from; i < to; i++) ids[i] = words.intern(arena, offsets[i], offsets[i + 1], hashes[i])
  }
  for (let i = 0; i < tokens.length; i++) tokens[i] = ids[tokens[i]]
  return tokens
}
