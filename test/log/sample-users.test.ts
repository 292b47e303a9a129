import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { seededRandom } from "#dist/kernels/random.js"
import { readLog } from "#dist/log/read-log.js"
import { sampleUsers } from "#dist/log/sample-users.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"

const { at } = scratchFolder()
const file = at("synthetic.tsv")
await synthLog(file, { rows: 3000, users: 60 })
const { log } = await readLog(file, {}, createContext({ workers: 1 }))

/** Every row as a text, by user. */
function rowsByUser({ rows, user, users, query, queries, time, url, urls, line }: typeof log) {
  const found = new Map<string, string[]>()
  for (let row = 0; row < rows; row++) {
    const name = users.text(user[row] ?? 0)
    const page = (url[row] ?? -1) < 0 ? "" : urls.text(url[row] ?? 0)
    const text = [queries.text(query[row] ?? 0), time[row], page, line[row]].join(" | ")
    found.set(name, [...(found.get(name) ?? []), text])
  }
  return found
}
const whole = rowsByUser(log)

describe("a sample of a log", () => {
  test("has all rows of each of its users, at most the requested rows, and only its own texts", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3500 }), fc.nat(1000), (rows, seed) => {
        const sample = sampleUsers(log, { rows }, seededRandom(seed))
        expect(sample.rows).toBeLessThanOrEqual(Math.max(rows, 0))
        const drawn = rowsByUser(sample)
        for (const [user, own] of drawn) expect(own).toEqual(whole.get(user))
        expect(sample.users.size).toBe(drawn.size)
        expect(sample.queries.size).toBe(new Set(sample.query).size)
      }),
      { numRuns: 30 },
    )
  })

  test("is the log itself if the log is small enough", () => {
    expect(sampleUsers(log, { rows: 3000 }, seededRandom(1))).toBe(log)
  })
})
