import { type LogColumns, sharedInt32, sharedUint16, sharedUint32, unknownRank } from "../../log/search-log.ts"

const columns = ["user", "query", "url", "time"] as const

/** Rows of a log that is being made; nobody knows beforehand how many. */
export class ObjectRows {
  #rows = new Int32Array(1 << 16)
  #length = 0

  push(user: number, query: number, url: number, time: number): void {
    if (this.#length + columns.length > this.#rows.length) {
      const rows = new Int32Array(this.#rows.length * 2)
      rows.set(this.#rows)
      this.#rows = rows
    }
    this.#rows[this.#length++] = user
    this.#rows[this.#length++] = query
    this.#rows[this.#length++] = url
    this.#rows[this.#length++] = time
  }

  /** The columns of a log: no ranks, and no lines that rows came from. */
  columns(): LogColumns {
    const length = this.#length / columns.length
    const column = (place: number) => {
      const values = sharedInt32(length)
      for (let row = 0; row < length; row++) values[row] = this.#rows[row * columns.length + place]
      return values
    }
    return {
      user: column(0),
      query: column(1),
      url: column(2),
      time: column(3),
      rank: sharedUint16(length).fill(unknownRank),
      line: sharedUint32(length),
    }
  }
}
