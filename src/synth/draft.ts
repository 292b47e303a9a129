import { model } from "./model.ts"
import type { NumberRows } from "./vocabulary.ts"
import type { WordCode } from "./word-codes.ts"

/** A query as the codes of its words, and its topic. Written in place. */
export interface Draft {
  codes: Float64Array
  length: number
  topic: number
}

/** Has extra room for words that are cut off afterwards. */
export const emptyDraft = (): Draft => ({ codes: new Float64Array(model.mostWords + 8), length: 0, topic: 0 })

export function copyDraft(from: Draft, to: Draft): void {
  to.length = from.length
  to.topic = from.topic
  for (let i = 0; i < from.length; i++) to.codes[i] = from.codes[i]
}

export function append(draft: Draft, code: WordCode): void {
  draft.codes[draft.length++] = code
}

export function prepend(draft: Draft, code: WordCode): void {
  draft.codes.copyWithin(1, 0, draft.length)
  draft.codes[0] = code
  draft.length++
}

/** Appends `count` numbers that begin at `from`. */
export function appendItems(draft: Draft, items: Uint32Array, { from, count }: { from: number; count: number }): void {
  for (let i = 0; i < count; i++) append(draft, items[from + i])
}

export const rowLength = ({ offsets }: NumberRows, row: number) => offsets[row + 1] - offsets[row]

export function appendRow(draft: Draft, rows: NumberRows, row: number): void {
  appendItems(draft, rows.items, { from: rows.offsets[row], count: rowLength(rows, row) })
}
