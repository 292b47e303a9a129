/** Returned by `find` for a text that is not remembered. No topic has this value. */
export const forgotten = -3

/** Numbers of an entry: the two hashes of the text, its topic, and the exclusive or of these and the text's length. */
const words = 4
/** Entries next to each other, 64 bytes, so that a look-up reads one cache line. */
const together = 4
const groups = 1 << 18

/** Allocates the memory for remembered texts: 2²⁰ entries of 16 bytes, which is 16 MB. */
export function makeTopicMemory(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(groups * together * words * 4))
}

/**
 * Topics of recent texts, shared by all threads that read blocks. A text is known by its length and two hashes under
 * secret seeds, 64 bits. If the hashes are as good as random, another text takes its topic with a chance of 2⁻⁶² or
 * less. A new entry replaces the oldest of its group.
 *
 * Threads write without waiting for each other. If two of them write an entry at once, it does not match its fourth
 * number, except with a chance of 2⁻³², and is ignored.
 */
export class TopicMemory {
  readonly #entries: Int32Array

  constructor(entries: Int32Array) {
    this.#entries = entries
  }

  find(high: number, low: number, length: number): number {
    const entries = this.#entries
    const first = (high & (groups - 1)) * together * words
    for (let at = first; at < first + together * words; at += words) {
      if (entries[at] !== (high | 0) || entries[at + 1] !== (low | 0)) continue
      const topic = entries[at + 2]
      if (entries[at + 3] === (high ^ low ^ topic ^ length)) return topic
    }
    return forgotten
  }

  keep(high: number, low: number, length: number, topic: number): void {
    const entries = this.#entries
    const first = (high & (groups - 1)) * together * words
    for (let at = first + together * words - 1; at >= first + words; at--) entries[at] = entries[at - words]
    entries[first] = high
    entries[first + 1] = low
    entries[first + 2] = topic
    entries[first + 3] = high ^ low ^ topic ^ length
  }
}
