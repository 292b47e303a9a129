import { closeLog } from "../../log/assemble-log.ts"
import { type SearchLog, sharedInt32, sharedUint16, sharedUint32, unknownRank } from "../../log/search-log.ts"

const columns = ["user", "query", "url", "time", "line"] as const

/** Collects the rows of a new log, whose number is not known in advance. */
export class ObjectRows {
  #rows = new Int32Array(1 << 16)
  #length = 0

  /** Adds a row. `line` is the line of the search behind it, or 0 if there is none. */
  push(user: number, { query, url, time, line }: { query: number; url: number; time: number; line: number }): void {
    if (this.#length + columns.length > this.#rows.length) {
      const rows = new Int32Array(this.#rows.length * 2)
      rows.set(this.#rows)
      this.#rows = rows
    }
    this.#rows[this.#length++] = user
    this.#rows[this.#length++] = query
    this.#rows[this.#length++] = url
    this.#rows[this.#length++] = time
    this.#rows[this.#length++] = line
  }

  /**
   * Builds the log of these rows, without ranks. The lines are filled in after sorting, so that the position of a row
   * does not reveal whether there is a search behind it.
   */
  close(texts: Parameters<typeof closeLog>[1]): SearchLog {
    const length = this.#length / columns.length
    const column = (place: number) => {
      const values = sharedInt32(length)
      for (let row = 0; row < length; row++) values[row] = this.#rows[row * columns.length + place]
      return values
    }
    const line = sharedUint32(length)
    for (let row = 0; row < length; row++) line[row] = row
    const rank = sharedUint16(length).fill(unknownRank)
    const log = closeLog({ user: column(0), query: column(1), url: column(2), time: column(3), rank, line }, texts)
    const lines = column(4)
    for (let row = 0; row < length; row++) log.line[row] = lines[log.line[row]]
    return log
  }
}
