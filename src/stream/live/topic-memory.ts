/** What `find` gives for a text that is not remembered; no topic is. */
export const forgotten = -3

/** Numbers of an entry: the two hashes of the text, its topic, and the exclusive or of these and the text's length. */
const words = 4
/** Entries that stand together, 64 bytes: a look-up reads one line of the cache. */
const together = 4
const groups = 1 << 18

/** The texts that are remembered at most: entries × 16 bytes are 16 MB. */
export function makeTopicMemory(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(groups * together * words * 4))
}

/**
 * Topics of texts that came up lately, shared by all threads that read blocks. A text is known by its length and two hashes
 * under secret seeds, 64 bits: where these are as good as random, another text takes its topic with a chance of 2⁻⁶² or less.
 * Of each group the oldest entry goes when another comes.
 *
 * Threads write without waiting for each other. An entry that two of them wrote at once does not agree with its fourth number,
 * but with a chance of 2⁻³², and is none.
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
