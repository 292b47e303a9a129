import { expect } from "vitest"
import type { ReadResult } from "#dist/log/parse-sources.js"
import type { SearchLog } from "#dist/log/search-log.js"

/** A row without its position in the file. Missing values are undefined. */
export interface Row {
  user: string
  query: string
  time: number
  rank?: number | undefined
  url?: string | undefined
}

export function rowsOf({ log }: Pick<ReadResult, "log">): Row[] {
  return Array.from({ length: log.rows }, (_, i) => ({
    user: log.users.text(log.user[i]),
    query: log.queries.text(log.query[i]),
    time: log.time[i],
    rank: log.rank[i] === 0xffff ? undefined : log.rank[i],
    url: log.url[i] < 0 ? undefined : log.urls.text(log.url[i]),
  }))
}

/** Rows as sorted texts. They are equal if the rows are the same, in any order. */
export const bag = (rows: readonly Row[]) =>
  rows.map(({ user, query, time, rank, url }) => JSON.stringify([user, query, time, rank, url])).sort()

export const seconds = (time: string) => Date.parse(time) / 1000

/** `2024-03-01T00:00:00Z` plus this many seconds. */
export const start = seconds("2024-03-01T00:00:00Z")
export const isoTime = (offset: number) => new Date((start + offset) * 1000).toISOString()

export const jsonLines = (records: readonly unknown[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("")

/** Checks that ids are within their dictionaries, all ids are used, and rows and events are in order. */
export function expectSound(log: SearchLog): void {
  expect(log.rows).toBeGreaterThan(0)
  for (const [column, dictionary] of [
    [log.user, log.users],
    [log.query, log.queries],
    [log.url, log.urls],
  ] as const) {
    expect(column.length).toBe(log.rows)
    const used = new Set(column)
    used.delete(-1)
    expect([...used].every((id) => id >= 0 && id < dictionary.size)).toBe(true)
    expect(used.size).toBe(dictionary.size)
  }
  expect(log.user.every((id) => id >= 0) && log.query.every((id) => id >= 0)).toBe(true)
  for (let i = 1; i < log.rows; i++) {
    const [before, here] = [i - 1, i].map((row) => [log.user[row], log.time[row], log.query[row]])
    const first = here.findIndex((value, column) => value !== before[column])
    if (first >= 0) expect(here[first]).toBeGreaterThan(before[first])
    expect(log.event[i] - log.event[i - 1]).toBe(first < 0 ? 0 : 1)
  }
  expect(log.events).toBe(log.event[log.rows - 1] + 1)
}
