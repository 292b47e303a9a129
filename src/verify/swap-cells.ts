import { orderByNumbers } from "../kernels/order-by-numbers.ts"
import type { SearchLog, Unit } from "../log/search-log.ts"
import { fileRow } from "./release-checks.ts"
import type { Dealing } from "./swap-dealing.ts"
import type { Records, SwapSubject } from "./swap-records.ts"
import type { Check } from "./verifier.ts"

/**
 * The units of all cells, cell by cell and in order of arrival. A unit is a text of one user, with all its records in
 * the cell. It arrives with the first of them.
 */
export interface Units {
  /** The first unit of each cell, followed by the number of units. */
  starts: Uint32Array
  /** By unit: its first record. */
  record: Uint32Array
  /** By record: its cell, counted from 0. */
  cellOf: Uint32Array
  /** A record of a unit whose other records are shown with another user; -1 if there is none. */
  torn: number
}

export function gatherUnits({ log }: SwapSubject, records: Records): Units {
  const { source, donor, cell } = records
  const text = source.map((row) => log.query[row])
  const user = source.map((row) => log.user[row])
  const time = source.map((row) => log.time[row] ^ 0x80000000) // times before 1970 come first
  const line = source.map((row) => log.line[row])
  const order = orderByNumbers([cell, user, text, time, line])
  const cellOf = new Uint32Array(records.count)
  const firsts = new Uint32Array(records.count)
  let units = 0
  let cells = 0
  let torn = -1
  for (let i = 0; i < order.length; i++) {
    const [one, before] = [order[i], order[i - 1]]
    const isNewCell = i === 0 || cell[one] !== cell[before]
    if (isNewCell) cells++
    cellOf[one] = cells - 1
    if (isNewCell || user[one] !== user[before] || text[one] !== text[before]) firsts[units++] = one
    else if (log.user[donor[one]] !== log.user[donor[before]]) torn = one
  }
  const first = firsts.subarray(0, units)
  const arrival = orderByNumbers([cellOf, time, line].map((column) => first.map((one) => column[one])))
  const record = arrival.map((unit) => first[unit])
  const starts = new Uint32Array(cells + 1)
  for (const one of record) starts[cellOf[one] + 1]++
  for (let i = 0; i < cells; i++) starts[i + 1] += starts[i]
  return { starts, record, cellOf, torn }
}

export const cellPromises = (counted: Unit) => ({
  cells: {
    name: "cells",
    promise: `every record is in a cell of k + 1 ${counted}s, one query of each, and each is shown once`,
  },
  texts: { name: "cell-texts", promise: `no two ${counted}s of a cell have the same query` },
  once: { name: "repeats", promise: `no query of one ${counted} is in two cells` },
  never: { name: "repeats", promise: "no query is in two cells" },
})

/** Checks the cells. Returns how they were dealt as well, if the check passed and nobody has a record of their own. */
export function checkCells(
  subject: SwapSubject,
  { records, units, k }: { records: Records; units: Units; k: number },
): { check: Check; dealing?: Dealing } {
  const { release, released, log } = subject
  const about = cellPromises(log.unit).cells
  const { starts, record } = units
  const fails = (one: number, detail: string): { check: Check } => {
    return { check: { ...about, state: "failed", row: fileRow(release, released, records.row[one]), detail } }
  }
  if (units.torn >= 0) return fails(units.torn, "a query that was repeated is shown with two users")
  const few = records.waiting.findIndex((waiting) => waiting < k + 1)
  if (few >= 0) return fails(few, "fewer than k + 1 users waited")
  const to = new Int32Array(record.length)
  const cellOfUser = new Int32Array(log.users.size).fill(-1) // the last cell in which the user was a member
  const placeOf = new Int32Array(log.users.size)
  const shownIn = new Int32Array(log.users.size).fill(-1)
  for (let cell = 0; cell + 1 < starts.length; cell++) {
    const size = starts[cell + 1] - starts[cell]
    if (size !== k + 1) return fails(record[starts[cell]], `a cell of ${size} queries`)
    for (let place = 0; place < size; place++) {
      const user = log.user[records.source[record[starts[cell] + place]]]
      if (cellOfUser[user] === cell) return fails(record[starts[cell] + place], "two queries of one user in a cell")
      cellOfUser[user] = cell
      placeOf[user] = place
    }
    for (let unit = starts[cell]; unit < starts[cell + 1]; unit++) {
      const user = log.user[records.donor[record[unit]]]
      if (cellOfUser[user] !== cell) return fails(record[unit], "a user from outside the cell")
      if (shownIn[user] === cell) return fails(record[unit], "a user who is shown twice in a cell")
      shownIn[user] = cell
      to[unit] = placeOf[user]
    }
  }
  const check: Check = { ...about, state: "passed", value: starts.length - 1 }
  return to.some((place, unit) => place === unit % (k + 1)) ? { check } : { check, dealing: { size: k + 1, to } }
}

export function checkDistinctTexts({ release, released, log }: SwapSubject, records: Records, units: Units): Check {
  const about = cellPromises(log.unit).texts
  const cell = units.record.map((one) => units.cellOf[one])
  const text = units.record.map((one) => log.query[records.source[one]])
  const order = orderByNumbers([cell, text])
  for (let i = 1; i < order.length; i++) {
    const [one, before] = [order[i], order[i - 1]]
    if (cell[one] === cell[before] && text[one] === text[before])
      return { ...about, state: "failed", row: fileRow(release, released, records.row[units.record[one]]) }
  }
  return { ...about, state: "passed" }
}

/**
 * Checks that repeats were withheld: no text of one user is in a second cell (`once`), or no text at all is (`never`).
 */
export function checkRepeats(
  { release, released, log }: SwapSubject,
  records: Records,
  { units, repeats }: { units: Units; repeats: "once" | "never" },
): Check {
  const about = cellPromises(log.unit)[repeats]
  const { record, cellOf } = units
  const source = record.map((one) => records.source[one])
  const user = source.map((row) => (repeats === "once" ? log.user[row] : 0))
  const text = source.map((row) => log.query[row])
  const order = orderByNumbers([user, text])
  for (let i = 1; i < order.length; i++) {
    const [a, b] = [order[i - 1], order[i]]
    if (user[a] === user[b] && text[a] === text[b] && cellOf[record[a]] !== cellOf[record[b]])
      return { ...about, state: "failed", row: fileRow(release, released, records.row[record[b]]) }
  }
  return { ...about, state: "passed" }
}

export const poolPromise = {
  name: "pool",
  promise: "more than k users waited before each record left, and each record lent its user once",
}

/** Checks what the paper's algorithm guarantees instead of cells. */
export function checkPool({ release, released, log }: SwapSubject, records: Records, k: number): Check {
  const fails = (one: number, detail: string): Check => {
    return { ...poolPromise, state: "failed", row: fileRow(release, released, records.row[one]), detail }
  }
  const lent = new Uint32Array(log.rows) // by the first position of a line
  for (let i = 0; i < records.count; i++) {
    if (records.waiting[i] <= k) return fails(i, "too few users waited")
    const from = records.donorFrom[i]
    lent[from]++
    if (lent[from] > searchesIn(log, records.byLine.subarray(from, records.donorTo[i])))
      return fails(i, "a record that lent its user twice")
  }
  return { ...poolPromise, state: "passed" }
}

const searchesIn = ({ event }: SearchLog, rows: Uint32Array) =>
  rows.length === 1 ? 1 : new Set(rows.map((row) => event[row])).size
