import type { RecordCollector } from "../live/record-collector.ts"
import type { StoredRecords } from "../store/frame.ts"
import { chunkOf, type NumberedRecords } from "./state-messages.ts"

/** A record that waits: record `index` of some columns. */
export interface RestoredRecord {
  number: number
  records: StoredRecords
  index: number
}

/** Adds a record to a collector, and returns its number. */
export function addRestored(collector: RecordCollector, { number, records, index }: RestoredRecord): number {
  collector.addStored(records, index)
  return number
}

/** Records that wait, by number. A Map has room for 16,777,216 of them, so there is one for each chunk. */
export class RestoredRecords {
  size = 0
  readonly #chunks = new Map<number, Map<number, RestoredRecord>>()

  /** Adds records. One that is known already is the same record. */
  add({ number: numbers, records }: NumberedRecords): void {
    for (const [index, number] of numbers.entries()) {
      const chunk = this.#chunks.get(chunkOf(number)) ?? new Map<number, RestoredRecord>()
      this.#chunks.set(chunkOf(number), chunk)
      if (!chunk.has(number)) this.size++
      chunk.set(number, { number, records, index })
    }
  }

  delete(number: number): void {
    if (this.#chunks.get(chunkOf(number))?.delete(number) === true) this.size--
  }

  /** All records, by number. */
  *inOrder(): Generator<RestoredRecord, undefined> {
    const chunks = [...this.#chunks].sort(([a], [b]) => a - b)
    for (const [, chunk] of chunks) yield* [...chunk.values()].sort((a, b) => a.number - b.number)
    return undefined
  }
}
