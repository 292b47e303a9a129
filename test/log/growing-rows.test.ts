import fc from "fast-check"
import { expect, test } from "vitest"
import { GrowingRows } from "#dist/log/growing-rows.js"

const noTexts = { arena: new Uint8Array(0), offsets: new Uint32Array(1), hashes: new Uint32Array(0) }
const noRejects = { rejectLine: new Uint32Array(0), rejectReason: new Uint8Array(0) }
const sameIds = Int32Array.of(0, 1, 2, 3, 4)
const ids = { user: sameIds, query: sameIds, url: sameIds }

/** A row: user, time, query, rank and url. */
type Row = readonly [user: number, time: number, query: number, rank: number, url: number]

function rowsOf(blocks: readonly (readonly Row[])[]): { sorted: boolean; rows: number[][] } {
  const growing = new GrowingRows({ expected: 0 })
  let lines = 0
  for (const rows of blocks) {
    const column = (place: number) => Int32Array.from(rows, (row) => row[place] ?? 0)
    const rank = Uint16Array.from(column(3))
    const line = Uint32Array.from(rows, (_, i) => i + 1)
    const columns = { user: column(0), time: column(1), query: column(2), rank, url: column(4), line }
    const texts = { users: noTexts, queries: noTexts, urls: noTexts }
    growing.add({ ...columns, ...texts, ...noRejects, lines: rows.length }, { ids, lines, sorts: true })
    lines += rows.length
  }
  const { columns, sorted } = growing.finish()
  const { user, time, query, rank, line, url } = columns
  const all = [user, time, query, rank, line, url]
  return { sorted, rows: Array.from(line, (_, i) => all.map((column) => column[i] ?? 0)) }
}

/** Rows with their line numbers, sorted by user, time, query, rank and line. */
function sortPlainly(blocks: readonly (readonly Row[])[]): number[][] {
  const rows = blocks.flat().map(([user, time, query, rank, url], i) => [user, time, query, rank, i + 1, url])
  return rows.sort((a, b) => a.map((value, i) => value - (b[i] ?? 0)).find((difference) => difference !== 0) ?? 0)
}

const id = fc.integer({ min: 0, max: 4 })
const row = fc.tuple(id, id, id, id, fc.integer({ min: -1, max: 4 }))
const grouped = (rows: Row[]) => rows.sort((a, b) => a[0] - b[0])
const cut = (rows: Row[], at: number) => [rows.slice(0, at), rows.slice(at)]

test("rows of grouped users are in order as they come, wherever blocks end", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }).map(grouped), fc.nat(12), (rows, at) => {
      const blocks = cut(rows, at)
      const { sorted, rows: found } = rowsOf(blocks)
      const plainly = sortPlainly(blocks)
      if (sorted) expect(found).toEqual(plainly)
      else
        expect(found.sort((a, b) => (a[4] ?? 0) - (b[4] ?? 0))).toEqual(
          plainly.sort((a, b) => (a[4] ?? 0) - (b[4] ?? 0)),
        )
    }),
  )
})

test("rows of users who come back are all there, and not said to be in order", () => {
  const first: Row[] = [
    [1, 0, 0, 0, 0],
    [0, 0, 0, 0, -1],
  ]
  const { sorted, rows } = rowsOf([first])
  expect(sorted).toBe(false)
  expect(rows.map(([user]) => user)).toEqual([1, 0])
})

test("more rows come than there was room for", () => {
  const blocks = [0, 1, 2].map((user) => Array.from({ length: 900 }, (_, time): Row => [user, time, 1, 2, 3]))
  expect(rowsOf(blocks)).toEqual({ sorted: true, rows: sortPlainly(blocks) })
})
