import { growInt32 } from "./grow.ts"
import { RecordTable } from "./record-table.ts"
import type { RecordColumns } from "./swapper.ts"

/**
 * Holds records back until enough distinct users issued their text. Then they are passed on in the order of arrival.
 */
export interface Hold {
  /** Takes a record. It is passed on when its text has enough users. */
  offer(record: number): void
  /** The number of records that are held back. */
  readonly held: number
}

/**
 * Holds the records of a text back until `users` distinct users issued it. Then passes them on, and all later ones too.
 */
export function holdRareTexts(
  columns: Pick<RecordColumns, "user" | "text">,
  options: { users: number; pass(record: number): void },
): Hold {
  const { users: enough, pass } = options
  let held = 0
  // By text: distinct users so far, and the youngest record that is held back.
  let distinct = new Int32Array(64)
  let youngest = new Int32Array(64).fill(-1)
  let before = new Int32Array(64) // by record: the previous record held back with the same text
  const firstOf = new RecordTable({ a: (record) => columns.text[record], b: (record) => columns.user[record] })

  const letGo = (text: number) => {
    const records: number[] = []
    for (let record = youngest[text]; record >= 0; record = before[record]) records.push(record)
    youngest[text] = -1
    held -= records.length
    for (const record of records.reverse()) pass(record)
  }

  return {
    offer(record) {
      if (enough <= 1) return pass(record)
      const text = columns.text[record]
      if (text >= distinct.length) {
        const known = distinct.length
        distinct = growInt32(distinct, text + 1)
        youngest = growInt32(youngest, text + 1).fill(-1, known)
      }
      if (distinct[text] >= enough) return pass(record)
      if (record >= before.length) before = growInt32(before, Math.max(record + 1, columns.user.length))
      if (firstOf.find(text, columns.user[record]) < 0) {
        distinct[text]++
        firstOf.add(record, text, columns.user[record])
      }
      before[record] = youngest[text]
      youngest[text] = record
      held++
      if (distinct[text] >= enough) letGo(text)
    },
    get held() {
      return held
    },
  }
}
