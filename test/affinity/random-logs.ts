import * as fc from "fast-check"
import type { OptionValues } from "#dist/release/anonymize.js"
import { englishFunctionWords, parseFunctionWords } from "#dist/text/function-words.js"
import { type Search, timeAfter } from "../support/aol-log.ts"
import type { HandOptions } from "./by-hand.ts"

const word = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom("cheap", "hotel", "new", "york", "the", "of", "visa") },
  { weight: 1, arbitrary: fc.constantFrom("oldtown", "北京大学", "北京", "ann@mail.example", "mary smith", "Hotel") },
)
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "))

/** A few people who use few queries, so that they share some. */
export const searches: fc.Arbitrary<Search[]> = fc
  .array(text, { minLength: 2, maxLength: 10 })
  .chain((texts) =>
    fc.array(
      fc.record({
        user: fc.integer({ min: 1, max: 7 }).map(String),
        query: fc.constantFrom(...texts),
        time: fc.nat({ max: 12 }).map((step) => timeAfter(step * 900)),
        click: fc.option(
          fc.record({ rank: fc.integer({ min: 1, max: 3 }), url: fc.constantFrom("http://x", "http://y") }),
        ),
      }),
      { minLength: 1, maxLength: 40 },
    ),
  )
  .map((rows) => rows.map(({ click, ...row }): Search => ({ ...row, ...click })))

/** Options for `anonymize affinity`. */
export const choices = fc.record({
  k: fc.integer({ min: 1, max: 5 }),
  theta: fc.oneof(fc.constantFrom(0.3, 0.5, 0.8, 0.9, 1), fc.double({ min: 0.3, max: 1, noNaN: true })),
  scrub: fc.constantFrom("none", "default", "all", "person"),
  functionWords: fc.constantFrom("english", "none", "of hotel"),
  conceptRule: fc.constantFrom("safe", "paper"),
  minConceptUsers: fc.option(fc.integer({ min: 1, max: 4 })),
  minTermUsers: fc.option(fc.integer({ min: 1, max: 4 })),
  tokens: fc.constantFrom("words" as const, "segmenter" as const),
  unit: fc.constantFrom("user" as const, "session" as const),
  preset: fc.constantFrom("paper" as const, undefined, undefined),
})
export type Choices = typeof choices extends fc.Arbitrary<infer C> ? C : never

/** What the command's flags mean: the numbers and rules that follow from them. */
export function handOptions({ preset, ...flags }: Choices): HandOptions {
  const rule = preset === "paper" ? "paper" : flags.conceptRule
  const scrub = preset === "paper" ? "none" : flags.scrub
  // In a log of few users, one in ten thousand of them rounds to one.
  const minConceptUsers = flags.minConceptUsers ?? (rule === "paper" ? 1 : flags.k)
  const minTermUsers = flags.minTermUsers ?? (preset === "paper" ? 2 : minConceptUsers)
  const list = flags.functionWords === "english" ? englishFunctionWords : flags.functionWords
  const functionWords = flags.functionWords === "none" ? [] : [...parseFunctionWords(list)]
  const { k, theta, tokens } = flags
  const scrubsMail = scrub === "default" || scrub === "all"
  const scrubsNames = scrub === "person" || scrub === "all"
  return { k, theta, tokens, minConceptUsers, minTermUsers, functionWords, scrubsMail, scrubsNames }
}

export function parametersOf({ preset, minConceptUsers, minTermUsers, unit: _, ...flags }: Choices): OptionValues {
  const { scrub, conceptRule, ...rest } = flags
  return {
    ...rest,
    ...(preset === "paper" ? {} : { scrub, conceptRule }),
    ...(minConceptUsers === null ? {} : { minConceptUsers }),
    ...(minTermUsers === null ? {} : { minTermUsers }),
  }
}
