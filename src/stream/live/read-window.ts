import type { ReleasedStream } from "../../kernels/linkage/released-stream.ts"
import type { TextWords } from "../../kernels/linkage/text-words.ts"
import {
  categoryAt,
  cellAt,
  lengthAt,
  shownAt,
  textAt,
  timeAt,
  truthAt,
  type WindowReleases,
  windowColumns,
} from "./risk-window.ts"
import { readTextWords } from "./window-words.ts"

/** A window in the form that attackers use, with ids from 0, and its groups of records. */
export interface ReadWindow {
  stream: ReleasedStream
  /** Words of each text of the stream. */
  words: TextWords
  /** Cell of each record, from 0. */
  cell: Int32Array
  /** Unit of each record: the records of one cell that show one name. Numbered in the order of their first records. */
  unit: Int32Array
  units: number
  /** Where each cell begins, followed by the number of records. */
  cellStarts: Int32Array
  /** For each category of the stream, its number in the window. */
  categories: Int32Array
}

/** Renumbers a window that `RiskWindow.take` returned. */
export function readWindow({ columns: window, texts: arena }: WindowReleases): ReadWindow {
  const records = window.length / windowColumns
  const column = () => new Int32Array(records)
  const stream = { user: column(), text: column(), category: column(), time: column(), truth: column() }
  const users = new Map<number, number>()
  const texts = new Map<number, number>()
  const categories = new Map<number, number>()
  const cellStarts: number[] = []
  const cell = column()
  const own = new DistinctTexts(arena)
  for (let i = 0; i < records; i++) {
    const at = i * windowColumns
    const known = texts.size
    stream.user[i] = numberOf(window[at + shownAt], users)
    stream.text[i] = numberOf(window[at + textAt], texts)
    stream.category[i] = numberOf(window[at + categoryAt], categories)
    stream.time[i] = window[at + timeAt]
    own.pass(window[at + lengthAt], { isNew: texts.size > known })
    if (i === 0 || window[at + cellAt] !== window[at + cellAt - windowColumns]) cellStarts.push(i)
    cell[i] = cellStarts.length - 1
  }
  // True users are numbered after all shown ones, because attackers' tables only have room for the shown ones.
  const shown = users.size
  for (let i = 0; i < records; i++) stream.truth[i] = numberOf(window[i * windowColumns + truthAt], users)
  cellStarts.push(records)
  return {
    stream,
    words: own.readWords(),
    cell,
    ...numberUnits(stream.user, { cellStarts, users: shown }),
    cellStarts: Int32Array.from(cellStarts),
    categories: Int32Array.from(categories.keys()),
  }
}

/** Keeps the new texts, one after another, as all texts pass by. */
class DistinctTexts {
  readonly #arena: Uint8Array
  readonly #kept: Uint8Array
  readonly #ends = [0]
  #at = 0
  #end = 0

  constructor(arena: Uint8Array) {
    this.#arena = arena
    this.#kept = new Uint8Array(arena.length)
  }

  pass(length: number, { isNew }: { isNew: boolean }): void {
    const start = this.#at
    this.#at += length
    if (!isNew) return
    this.#kept.set(this.#arena.subarray(start, this.#at), this.#end)
    this.#end += length
    this.#ends.push(this.#end)
  }

  readWords(): TextWords {
    return readTextWords(this.#kept, Uint32Array.from(this.#ends))
  }
}

function numberOf(key: number, numbers: Map<number, number>): number {
  const known = numbers.get(key)
  if (known !== undefined) return known
  numbers.set(key, numbers.size)
  return numbers.size - 1
}

function numberUnits(user: Int32Array, { cellStarts, users }: { cellStarts: readonly number[]; users: number }) {
  const unit = new Int32Array(user.length)
  const lastOf = new Int32Array(users).fill(-1)
  let units = 0
  for (let cell = 0; cell + 1 < cellStarts.length; cell++) {
    const first = units
    for (let i = cellStarts[cell]; i < cellStarts[cell + 1]; i++) {
      if (lastOf[user[i]] < first) lastOf[user[i]] = units++
      unit[i] = lastOf[user[i]]
    }
  }
  return { unit, units }
}
