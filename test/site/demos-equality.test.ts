import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { equalitySearches } from "../../site/demos/equality/equality-log.ts"
import { runEquality } from "../../site/demos/equality/run-equality.ts"
import { makeLog } from "../../site/demos/log/make-log.ts"

const log = makeLog(equalitySearches)
const rows = Array.from({ length: log.rows }, (_, row) => ({
  user: log.users.text(log.user[row]),
  query: log.queries.text(log.query[row]),
  time: log.time[row],
}))
const usersOf = (query: string) => new Set(rows.filter((row) => row.query === query).map(({ user }) => user)).size

describe("the demo of equality", () => {
  test("has a log of forty searches of twelve users", () => {
    expect(rows).toHaveLength(equalitySearches.length)
    expect(equalitySearches.length).toBe(40)
    expect(log.users.size).toBe(12)
  })

  test.each([1, 2, 3, 4, 5, 6, 9, 10])(
    "releases with k = %i the rows of texts with so many users, and no others",
    async (k) => {
      const { released, queries } = await runEquality(log, { k }, createContext({ workers: 1 }))
      const expected = rows.flatMap(({ query }, row) => (usersOf(query) >= k ? [row] : []))
      expect(released.map(({ row }) => row).sort((a, b) => a - b)).toEqual(expected)
      for (const { query, users, isReleased } of queries) {
        expect(users).toBe(usersOf(query))
        expect(isReleased).toBe(users >= k)
      }
      expect(queries.reduce((sum, { rows: some }) => sum + some, 0)).toBe(log.rows)
    },
  )

  test("shows no user of the log, and one random name per session", async () => {
    const { released } = await runEquality(log, { k: 3 }, createContext({ workers: 1 }))
    const ids = new Set(rows.map(({ user }) => user))
    const behind = new Map<string, string>()
    for (const { name, query, time, row } of released) {
      expect(ids.has(name)).toBe(false)
      expect(query).toBe(rows[row].query)
      expect(time).toBe(Math.floor(rows[row].time / 3600) * 3600)
      expect(behind.get(name) ?? rows[row].user).toBe(rows[row].user)
      behind.set(name, rows[row].user)
    }
    const again = await runEquality(log, { k: 3 }, createContext({ workers: 1 }))
    expect(again.released.some(({ name }) => behind.has(name))).toBe(false)
  })
})
