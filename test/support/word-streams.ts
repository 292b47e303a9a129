import * as fc from "fast-check"
import type { TextWords } from "#dist/kernels/linkage/text-words.js"
import { type Departure, streamOf } from "./swapped-streams.ts"

/** The words of each text in the form that kernels expect: distinct and ascending. */
export function wordsOf(texts: readonly (readonly number[])[]): TextWords {
  const distinct = texts.map((words) => [...new Set(words)].sort((a, b) => a - b))
  const offsets = new Uint32Array(texts.length + 1)
  for (const [text, words] of distinct.entries()) offsets[text + 1] = offsets[text] + words.length
  return { offsets, words: Int32Array.from(distinct.flat()) }
}

const texts = 8

/** Words of each text. Sometimes all texts have one word in common. */
const anyWords = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }), { minLength: texts, maxLength: texts }),
  )
  .map(([common, words]) => words.map((own) => (common ? [0, ...own] : own)))

/** A few records with few names and texts, in any cells, and the words of the texts. */
export const anyWordStream = fc.record({
  rows: fc.array(
    fc.record({
      user: fc.nat({ max: 5 }),
      text: fc.nat({ max: texts - 1 }),
      cell: fc.nat({ max: 6 }),
      truth: fc.integer({ min: -1, max: 5 }),
    }),
    { maxLength: 40, size: "max" },
  ),
  words: anyWords,
  k: fc.integer({ min: 1, max: 4 }),
})

export type WordRow = Pick<Departure, "user" | "text" | "truth"> & { cell: number }

/** The same records as columns, and the cell of each. */
export function wordStreamOf(rows: readonly WordRow[]) {
  const stream = streamOf(rows.map((row) => ({ ...row, category: 0, time: row.cell })))
  return { stream, cell: Int32Array.from(rows, (row) => row.cell) }
}

/** All records of a cell that share a name and a text. */
export interface Unit {
  cell: number
  name: number
  text: number
}

/** The units of each cell, by name, then text. */
export function unitsByCell(rows: readonly WordRow[]): Unit[][] {
  const sorted = rows
    .map(({ user, text, cell }) => ({ cell, name: user, text }))
    .sort((a, b) => a.cell - b.cell || a.name - b.name || a.text - b.text)
  const cells: Unit[][] = []
  for (const unit of sorted) {
    const last = cells.at(-1)
    if (last?.[0].cell !== unit.cell) cells.push([unit])
    else if (last.at(-1)?.name !== unit.name || last.at(-1)?.text !== unit.text) last.push(unit)
  }
  return cells
}

/**
 * The similarity of two units: log(N/df) of each shared word of 2 to 60 units, over the root of the product of their
 * lengths.
 */
export function weigher(cells: readonly Unit[][], words: readonly (readonly number[])[]) {
  const wordsOfUnit = ({ text }: Unit) => new Set(words[text])
  const all = cells.flat()
  const count = (word: number) => all.filter((unit) => wordsOfUnit(unit).has(word)).length
  const countOf = new Map([...new Set(words.flat())].map((word) => [word, count(word)]))
  return (one: Unit, other: Unit) => {
    const [own, others] = [wordsOfUnit(one), wordsOfUnit(other)]
    const shared = [...own].filter((word) => others.has(word)).map((word) => countOf.get(word) ?? 0)
    const sum = shared.reduce((total, df) => total + (df > 1 && df <= 60 ? Math.log(all.length / df) : 0), 0)
    return sum === 0 ? 0 : sum / Math.sqrt(own.size * others.size)
  }
}

/** Maximum number of units of a cell. Larger cells are not looked at. */
export const largestOf = (k: number) => 8 * (k + 1)
