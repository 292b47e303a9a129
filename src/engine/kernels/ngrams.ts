import { Type, Value } from "#typebox"
import { dictionaryOf, randomHashSeed } from "../../kernels/dictionary.ts"
import { cutShard } from "../../text/cut-words.ts"
import { tokenOptions } from "../../text/tokens.ts"
import type { Kernel } from "./kernel.ts"
import { brokenInput } from "./kernel-input.ts"

const ngramsOptions = Type.Object({
  ...tokenOptions.properties,
  /** The most words of an n-gram. */
  longest: Type.Integer({ minimum: 1 }),
})

/**
 * Finds the sequences of words in queries. A document of the input is a distinct query (`q`) and its number (`f`). The
 * output has each distinct n-gram of it (`g`, its words with spaces between), with its length (`n`) and how often the
 * query has it (`c`).
 */
export const ngrams: Kernel = {
  name: "ngrams",
  start: async (options) => {
    if (!Value.Check(ngramsOptions, options)) throw brokenInput("ngrams")
    const { tokens: mode, longest } = options
    return {
      take: (documents) => {
        const queries = dictionaryOf(
          documents.map(({ q, f }) => {
            if (typeof q !== "string" || typeof f !== "number") throw brokenInput("ngrams")
            return q
          }),
        )
        const words = wordsOf({ queries: queries.parts(), mode, seed: randomHashSeed(), from: 0, to: queries.size })
        return documents.flatMap(({ q, f }) =>
          countRuns(words[queries.find(String(q))] ?? [], longest).map((run) => ({ f, ...run })),
        )
      },
    }
  },
}

/** The words of each query, cut as the single process cuts them. */
function wordsOf(shard: Parameters<typeof cutShard>[0]): string[][] {
  const { arena, offsets, lengths, tokens } = cutShard(shard)
  const texts = Array.from({ length: offsets.length - 1 }, (_, word) =>
    Buffer.from(arena.subarray(offsets[word], offsets[word + 1])).toString("utf8"),
  )
  let at = 0
  return Array.from(lengths, (length) => {
    at += length
    return Array.from(tokens.subarray(at - length, at), (token) => texts[token] ?? "")
  })
}

/** The distinct runs of up to `longest` words, and how often each occurs. */
function countRuns(words: readonly string[], longest: number): { g: string; n: number; c: number }[] {
  const runs = new Map<string, { g: string; n: number; c: number }>()
  for (let n = 1; n <= longest; n++) {
    for (let from = 0; from + n <= words.length; from++) {
      const g = words.slice(from, from + n).join(" ")
      const known = runs.get(g)
      if (known === undefined) runs.set(g, { g, n, c: 1 })
      else known.c++
    }
  }
  return [...runs.values()]
}
