import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { measure } from "#dist/measures/registry.js"
import { openDraft } from "#dist/release/read-release.js"
import { releaseLog } from "../counts/busy-town.ts"
import { aolText, type Search, smallTown, timeAfter } from "../support/aol-log.ts"
import { draftOf, reasonsOf, valuesOf } from "../support/drafts.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { plainTables } from "./plain-tables.ts"
import { readSearches } from "./retrieval/clicked-logs.ts"

const { write } = scratchFolder()
const context = createContext({ workers: 1 })
const town = smallTown().map((search) => ({ ...search, query: search.query.toLowerCase() }))
const everything = { method: "equality", k: 1, scrub: "none", urls: "keep" } as const

describe("measures of tables of counts", () => {
  test("give the same for a log's own counts as for its rows", async () => {
    const path = write(aolText(town))
    const only = [
      "events-kept",
      "queries-kept",
      "kept-per-user",
      "ncp",
      "top-queries",
      "top-urls",
      "topic-distance",
      "suggestions",
    ] as const
    const values = {
      top: 3,
      taxonomy: write("path\tsupport\ttext\nsky\t1\t\nsky/weather\t1\t\nearth\t1\t\n", "t.tsv"),
      classifier: write("query\tpath\nweather\tsky/weather\nmaps\tearth\n", "c.tsv"),
    }
    const { subject } = await draftOf(path, everything)
    const ofRows = valuesOf(await measure(subject, { only, values }, context))
    const release = await plainTables(path, town)
    const ofTables = valuesOf(await measure({ ...subject, release }, { only, values }, context))
    expect(Object.keys(ofRows)).toHaveLength(only.length + 9)
    expect(ofTables).toEqual(ofRows)
  })

  test("treat a count below 0 as 0, and no count as more than the log has", async () => {
    const search = (query: string, i: number): Search => ({ user: `${i}`, query, time: timeAfter(i * 10_000) })
    const rows = ["cars", "cars", "cars", "maps", "maps", "news"].map(search)
    const path = write(aolText(rows))
    const log = await readSearches(path)
    // cars 3 → 1, maps 2 → -4, news 1 → 7
    const noisy = new Map([
      [3, 1],
      [2, -4],
      [1, 7],
    ])
    const release = await plainTables(path, rows, (count) => noisy.get(count) ?? 0)
    const only = ["events-kept", "queries-kept", "top-queries"] as const
    expect(valuesOf(await measure({ release, log }, { only, values: { top: 2 } }, context))).toEqual({
      "events-kept": (1 + 0 + 1) / 6,
      "queries-kept": 2 / 3,
      "top-queries@2": 1 / 2, // cars and maps before; news and cars now
      "top-queries-order@2": 1, // cars are still above maps
    })
  })

  test("say which table they would need", async () => {
    const path = write(aolText(town))
    const { draft, log } = await releaseLog(path, { split: "1,0,0" })
    const only = ["top-urls", "retrieval"] as const
    expect(reasonsOf(await measure({ release: openDraft(draft), log }, { only }, context))).toEqual([
      "the release has no table of clicks",
      "the release has no table of clicks",
    ])
  })
})
