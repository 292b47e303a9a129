import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import type { Table } from "#dist/kernels/table.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { anonymize, type RowsDraft } from "#dist/release/anonymize.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { affinityByHand } from "./by-hand.ts"
import { type Choices, choices, handOptions, parametersOf, searches } from "./random-logs.ts"

const { write } = scratchFolder()

async function readSearches(rows: readonly Search[], unit: "user" | "session"): Promise<SearchLog> {
  return (await readLog(write(aolText(rows), "log.tsv"), { unit }, createContext({ workers: 1 }))).log
}

function run(log: SearchLog, flags: Choices): Promise<RowsDraft> {
  const preset = flags.preset === undefined ? {} : { preset: flags.preset }
  return anonymize(log, { ...parametersOf(flags), ...preset, method: "affinity" }, createContext({ workers: 1 }))
}

const cells = ({ rows, columns, cell }: Table) =>
  Array.from({ length: rows }, (_, row) => columns.map((_, column) => cell(row, column)))

const releasedTexts = ({ rows }: RowsDraft, { queries }: SearchLog) =>
  [...new Set(Array.from(rows.order, (row) => queries.text(rows.log.query[row])))].sort()

const tables = (draft: RowsDraft, log: SearchLog) => ({
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
      { numRuns: 400 },
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
    // Enough queries share one word that the join is split between threads.
    const common = Array.from({ length: 17_000 }, (_, i) => [`${i % 50}`, `common word${i}`])
    const turned = Array.from({ length: 20 }, (_, i) => [`${i + 60}`, `word${i} common`])
    const rows = [...common, ...turned].map(([user, query], i): Search => ({ user, query, time: timeAfter(i) }))
    const log = await readSearches(rows, "user")
    const options = {
      k: 2,
      theta: 0.972,
      minConceptUsers: 1,
      minTermUsers: 1,
      scrub: "none",
      method: "affinity" as const,
    }
    const [one, three] = [1, 3].map((workers) => anonymize(log, options, createContext({ workers })))
    expect(releasedTexts(await one, log).length).toBe(40)
    expect(tables(await three, log)).toEqual(tables(await one, log))
  })
})
