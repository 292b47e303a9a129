import { orderByNumbers } from "../order-by-numbers.ts"
import type { ReleasedStream } from "./released-stream.ts"

/** A released stream as cells of units. A unit is all records of a cell that share a name and a text. */
export interface ReleasedCells {
  /** The first unit of each cell, then the number of units. Units of one cell are next to each other. */
  starts: Uint32Array
  /** By unit: the name it is shown under, its text and its cell. */
  name: Int32Array
  text: Int32Array
  cell: Int32Array
  /** By record: its unit. */
  unitOf: Uint32Array
}

/** Gathers units, given the cell of each record (any number from 0). */
export function gatherReleasedCells({ user, text }: ReleasedStream, cell: Int32Array): ReleasedCells {
  const order = orderByNumbers([cell, user, text].map((column) => Uint32Array.from(column)))
  const unitOf = new Uint32Array(order.length)
  const [first, cellOf, starts] = [0, 0, 1].map((more) => new Uint32Array(order.length + more))
  let units = 0
  let cells = 0
  for (let i = 0; i < order.length; i++) {
    const [one, before] = [order[i], order[i - 1]]
    const isNewCell = i === 0 || cell[one] !== cell[before]
    if (isNewCell) starts[cells++] = units
    if (isNewCell || user[one] !== user[before] || text[one] !== text[before]) {
      first[units] = one
      cellOf[units++] = cells - 1
    }
    unitOf[one] = units - 1
  }
  starts[cells] = units
  const column = (of: Int32Array) => {
    const values = new Int32Array(units)
    for (let unit = 0; unit < units; unit++) values[unit] = of[first[unit]]
    return values
  }
  return {
    starts: starts.slice(0, cells + 1),
    name: column(user),
    text: column(text),
    cell: Int32Array.from(cellOf.subarray(0, units)),
    unitOf,
  }
}

/**
 * Rebuilds the cells as a reader of the release can: records of one category that show one time are a cell. Cells of a
 * category that closed within one shown hour or day become one.
 */
export function rebuildCells({ category, time }: ReleasedStream): Int32Array {
  // Times before 1970 are negative: flipping the sign bit sorts them first.
  const columns = [Uint32Array.from(category), Uint32Array.from(time, (seconds) => seconds ^ 0x80000000)]
  const order = orderByNumbers(columns)
  const cell = new Int32Array(order.length)
  let last = -1
  for (let i = 0; i < order.length; i++) {
    const [one, before] = [order[i], order[i - 1]]
    if (i === 0 || category[one] !== category[before] || time[one] !== time[before]) last++
    cell[one] = last
  }
  return cell
}

/** Cells with more units than this are skipped: they are many cells that could not be separated. */
export const largestCell = ({ k }: { k: number }) => Math.min(8 * (k + 1), 2048)
