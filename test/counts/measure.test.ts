import { describe, expect, test } from "vitest"
import { measure } from "#dist/measures/registry.js"
import { verify } from "#dist/verify/registry.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { valuesOf } from "../support/drafts.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { releaseLog } from "./busy-town.ts"

const { write } = scratchFolder()

/**
 * Ten people search for news and click on one page, eight of them a second time. One of them has a query of their own.
 */
const rows = Array.from({ length: 10 }, (_, person): Search[] => [
  { user: `${person}`, query: "news", time: timeAfter(0), rank: 1, url: "http://news" },
  ...(person < 8
    ? [{ user: `${person}`, query: "news", time: timeAfter(60), rank: 2, url: `http://own/${person}` }]
    : []),
  ...(person === 0 ? [{ user: "0", query: "mine", time: timeAfter(9000) }] : []),
]).flat()
const log = write(aolText(rows), "log.tsv")
const certain = { epsilon: "4000", delta: "1e-3", maxQueries: 1, maxClicks: 1, maxTransitions: 1, minUsers: 2 }

describe("a measure of tables", () => {
  test("gives the share of queries, events and clicks that is shown, and how far counts are off", async () => {
    const subject = await releaseLog(log, certain)
    const values = valuesOf(await measure(subject, { only: ["shown-counts"] }, subject.context))
    expect(values).toEqual({
      "queries-shown": 1 / 2,
      "events-shown": 18 / 19,
      "clicks-shown": 10 / 18,
      "count-error@50": 0,
    })
  })
})

describe("a pool", () => {
  test("is scrubbed as the log is, so that the release verifies", async () => {
    const pool = "ann@mail.example\nnothing\n"
    const { release, context, draft } = await releaseLog(log, {
      mode: "pure",
      epsilon: "0.001",
      delta: undefined,
      pool,
      threshold: 1,
      scrub: "default",
    })
    const checks = await verify({ release }, context)
    expect(checks.find(({ name }) => name === "scrub")).toMatchObject({ state: "passed" })
    expect(draft.tables.queries?.rows).toBeLessThanOrEqual(1)
  })
})
