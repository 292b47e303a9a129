import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { gatherShapes } from "#dist/log/identifier-shapes.js"
import { readLog } from "#dist/log/read-log.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()

async function shapesOf(searches: readonly Omit<Search, "time">[]) {
  const rows = searches.map((search, i) => ({ ...search, time: timeAfter(i) }))
  const { log } = await readLog(write(aolText(rows)), {}, createContext({ workers: 1 }))
  return gatherShapes(log, createContext({ workers: 1 }))
}

const ssn = (i: number) => `ssn 078-05-11${20 + i}`

describe("shapes of queries with identifiers", () => {
  test("are counted by kind, in distinct queries and users", async () => {
    const searches = Array.from({ length: 6 }, (_, i) => ({ user: `u${i}`, query: ssn(i % 3) }))
    const found = await shapesOf([...searches, { user: "u9", query: "garden shed" }])
    const ids = found.find(({ kind }) => kind === "national-id")
    expect(ids).toEqual({
      kind: "national-id",
      shapes: [{ shape: "ssn ###-##-####", queries: 3, users: 6 }],
      otherQueries: 0,
    })
  })

  test("are not shown if fewer than 5 users have them, whatever the number of queries", async () => {
    const searches = Array.from({ length: 12 }, (_, i) => ({ user: `u${i % 4}`, query: ssn(i) }))
    const ids = (await shapesOf(searches)).find(({ kind }) => kind === "national-id")
    expect(ids).toEqual({ kind: "national-id", shapes: [], otherQueries: 12 })
  })
})
