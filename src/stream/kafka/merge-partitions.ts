import type { KafkaMessage } from "./kafka-library.ts"

/** What all partitions together may hold before they are not read on. */
const mostMessages = 200_000
const mostBytes = 64 << 20
/** What is taken at once. */
const takenBytes = 8 << 20

interface Partition {
  /** Messages that were read and not yet taken, from index `at` on. */
  messages: KafkaMessage[]
  at: number
  /** Bytes of these messages. */
  bytes: number
  /** The offset after the last message that was read. */
  read: number
  /** The offset at which the partition ended when that was last seen. */
  end: number
  isPaused: boolean
}

/** Stops and resumes the reading of a partition. */
export interface PartitionValve {
  pause(partition: number): void
  resume(partition: number): void
}

/**
 * Puts the messages of several partitions in the order of their timestamps. Brokers deliver partitions independently,
 * so after a pause one may be hours ahead of another. A message is taken once every other partition has one waiting, or
 * has been read to its end. Messages of one partition keep their order.
 */
export class PartitionMerge {
  readonly #partitions = new Map<number, Partition>()
  readonly #valve: PartitionValve

  constructor(valve: PartitionValve) {
    this.#valve = valve
  }

  /** Adds a partition that is read from this offset on. */
  open(partition: number, read: number): void {
    this.#partitions.set(partition, { messages: [], at: 0, bytes: 0, read, end: -1, isPaused: false })
  }

  add(message: KafkaMessage): void {
    const partition = this.#partitions.get(message.partition)
    if (partition === undefined) return
    partition.messages.push(message)
    partition.bytes += sizeOf(message)
    partition.read = message.offset + 1
    if (partition.isPaused || !this.#isFull(partition, 1)) return
    partition.isPaused = true
    this.#valve.pause(message.partition)
  }

  /** True if a partition holds more than this part of its share. */
  #isFull({ messages, at, bytes }: Partition, part: number): boolean {
    const share = part / this.#partitions.size
    return messages.length - at > Math.max(100 * part, mostMessages * share) || bytes > mostBytes * share
  }

  /** The partition ends at this offset for now. */
  reachEnd(partition: number, offset: number): void {
    const known = this.#partitions.get(partition)
    if (known !== undefined) known.end = offset
  }

  /** The offset up to which nothing of a partition waits; undefined if something does. */
  restOf(partition: number): number | undefined {
    const known = this.#partitions.get(partition)
    if (known === undefined || known.at < known.messages.length) return undefined
    return Math.max(known.read, known.end)
  }

  /** True if nothing waits to be taken. */
  get isEmpty(): boolean {
    for (const { messages, at } of this.#partitions.values()) if (at < messages.length) return false
    return true
  }

  /** True if a partition without messages may still deliver some. */
  get isWaiting(): boolean {
    for (const { messages, at, read, end } of this.#partitions.values())
      if (at === messages.length && end < read) return true
    return false
  }

  /** Takes messages in order, up to a limit. `force`: do not wait for partitions that deliver nothing. */
  take(most: number, { force }: { force: boolean }): KafkaMessage[] {
    const taken: KafkaMessage[] = []
    let bytes = 0
    while (taken.length < most && bytes < takenBytes && (force || !this.isWaiting)) {
      const [number, partition] = this.#earliest()
      if (number === undefined || partition === undefined) break
      const message = partition.messages[partition.at]
      const size = sizeOf(message)
      taken.push(message)
      bytes += size
      partition.bytes -= size
      partition.at++
      if (partition.at === partition.messages.length) {
        partition.messages = []
        partition.at = 0
      }
      if (partition.isPaused && !this.#isFull(partition, 0.25)) {
        partition.isPaused = false
        this.#valve.resume(number)
      }
    }
    return taken
  }

  #earliest(): [number, Partition] | [undefined, undefined] {
    let found: [number, Partition] | [undefined, undefined] = [undefined, undefined]
    let earliest = Number.POSITIVE_INFINITY
    for (const entry of this.#partitions) {
      const [, { messages, at }] = entry
      if (at === messages.length) continue
      const { timestamp = 0 } = messages[at]
      if (timestamp >= earliest && found[0] !== undefined) continue
      earliest = timestamp
      found = entry
    }
    return found
  }
}

/** Bytes that a message takes up, about. */
const sizeOf = ({ value }: KafkaMessage) => 200 + (value?.length ?? 0)
