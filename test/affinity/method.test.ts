import * as fc from "fast-check"
import { createContext } from "queryveil/kernels"
import { readLog, type SearchLog } from "queryveil/log"
import type { Table } from "queryveil/methods"
import { anonymize, type Draft, type Parameters } from "queryveil/release"
import { englishFunctionWords, parseFunctionWords } from "queryveil/text"
import { describe, expect, test } from "vitest"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { affinityByHand, type HandOptions } from "./by-hand.ts"

const { write } = scratchFolder()

const word = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom("cheap", "hotel", "new", "york", "the", "of", "visa") },
  { weight: 1, arbitrary: fc.constantFrom("oldtown", "北京大学", "北京", "ann@mail.example", "mary smith", "Hotel") },
)
const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "))

/** A few people who use few queries, so that they share some. */
const searches: fc.Arbitrary<Search[]> = fc
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

const choices = fc.record({
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
type Choices = typeof choices extends fc.Arbitrary<infer C> ? C : never

/** What the command's flags mean: the numbers and rules that follow from them. */
function handOptions({ preset, ...flags }: Choices): HandOptions {
  const rule = preset === "paper" ? "paper" : flags.conceptRule
  const scrub = preset === "paper" ? "none" : flags.scrub
  // A log of few users: one in ten thousand of them is one.
  const minConceptUsers = flags.minConceptUsers ?? (rule === "paper" ? 1 : flags.k)
  const minTermUsers = flags.minTermUsers ?? (preset === "paper" ? 2 : minConceptUsers)
  const list = flags.functionWords === "english" ? englishFunctionWords : flags.functionWords
  const functionWords = flags.functionWords === "none" ? [] : [...parseFunctionWords(list)]
  const { k, theta, tokens } = flags
  const scrubsMail = scrub === "default" || scrub === "all"
  const scrubsNames = scrub === "person" || scrub === "all"
  return { k, theta, tokens, minConceptUsers, minTermUsers, functionWords, scrubsMail, scrubsNames }
}

function parametersOf({ preset, minConceptUsers, minTermUsers, unit: _, ...flags }: Choices): Parameters {
  const { scrub, conceptRule, ...rest } = flags
  return {
    ...rest,
    ...(preset === "paper" ? {} : { scrub, conceptRule }),
    ...(minConceptUsers === null ? {} : { minConceptUsers }),
    ...(minTermUsers === null ? {} : { minTermUsers }),
  }
}

async function readSearches(rows: readonly Search[], unit: "user" | "session"): Promise<SearchLog> {
  return (await readLog(write(aolText(rows), "log.tsv"), { unit }, createContext({ workers: 1 }))).log
}

function run(log: SearchLog, flags: Choices, workers = 1): Promise<Draft> {
  const preset = flags.preset === undefined ? {} : { preset: flags.preset }
  return anonymize(log, { ...parametersOf(flags), ...preset, method: "affinity" }, createContext({ workers }))
}

const cells = ({ rows, columns, cell }: Table) =>
  Array.from({ length: rows }, (_, row) => columns.map((_, column) => cell(row, column)))

const releasedTexts = ({ rows }: Draft, { queries }: SearchLog) =>
  [...new Set(Array.from(rows.order, (row) => queries.text(rows.log.query[row])))].sort()

const tables = (draft: Draft, log: SearchLog) => ({
  released: releasedTexts(draft, log),
  degrees: cells(draft.audit.degrees).sort(),
  concepts: cells(draft.audit.concepts).sort(),
})

describe("k_θ-affinity equals its definition, worked out by all pairs and repeated deletion:", () => {
  test("released queries, degrees.tsv and concepts.tsv", async () => {
    await fc.assert(
      fc.asyncProperty(searches, choices, async (rows, flags) => {
        const log = await readSearches(rows, flags.unit)
        const draft = await run(log, flags)
        const expected = affinityByHand(rows, handOptions(flags))
        expect(cells(draft.audit.degrees).sort()).toEqual(
          [...expected.degrees].map(([query, { users, degree, state }]) => [query, users, degree, state]).sort(),
        )
        const concepts = new Map(cells(draft.audit.concepts).map(([ngram, ...numbers]) => [ngram, numbers]))
        expect([...concepts.keys()].sort()).toEqual([...expected.concepts.keys()].sort())
        for (const [ngram, { n, count, users, weight }] of expected.concepts) {
          expect(concepts.get(ngram)).toEqual([n, count, users, expect.closeTo(weight, 9)])
        }
        expect(releasedTexts(draft, log)).toEqual([...expected.released].sort())
        expect(draft.manifest.guarantee).toMatchObject({ k: flags.k, theta: flags.theta, counted: flags.unit })
      }),
      { numRuns: 500 },
    )
  })

  test("all rows of a released query are released, and no others", async () => {
    await fc.assert(
      fc.asyncProperty(searches, choices, async (rows, flags) => {
        const log = await readSearches(rows, flags.unit)
        const draft = await run(log, flags)
        const released = new Set(releasedTexts(draft, log))
        const all = Array.from(log.query, (query) => log.queries.text(query)).filter((query) => released.has(query))
        expect(draft.rows.order.length).toBe(all.length)
      }),
      { numRuns: 100 },
    )
  })
})

describe("what is released does not depend on", () => {
  test("the order of the log's rows", async () => {
    const shuffled = searches.chain((rows) =>
      fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length })),
    )
    await fc.assert(
      fc.asyncProperty(shuffled, choices, async ([rows, others], flags) => {
        const [one, other] = [await readSearches(rows, flags.unit), await readSearches(others, flags.unit)]
        expect(tables(await run(other, flags), other)).toEqual(tables(await run(one, flags), one))
      }),
      { numRuns: 60 },
    )
  })

  test("the number of threads", async () => {
    const flags: Choices = {
      ...{ k: 3, theta: 0.8, scrub: "all", functionWords: "english", conceptRule: "safe", tokens: "words" as const },
      ...{ minConceptUsers: null, minTermUsers: null, unit: "user" as const, preset: undefined },
    }
    const [rows = []] = fc.sample(
      fc.array(searches, { minLength: 40, maxLength: 40 }).map((lists) => lists.flat()),
      {
        seed: 5,
        numRuns: 1,
      },
    )
    const log = await readSearches(rows, "user")
    expect(tables(await run(log, flags, 3), log)).toEqual(tables(await run(log, flags, 1), log))
  })
})
