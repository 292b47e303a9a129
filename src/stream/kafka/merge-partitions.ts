import type { KafkaMessage } from "./kafka-library.ts"

/** A partition that holds more messages than this is not read on until few are left. */
const many = 20_000
const few = 5000

interface Partition {
  /** Messages that were read and not yet taken, from index `at` on. */
  messages: KafkaMessage[]
  at: number
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
    this.#partitions.set(partition, { messages: [], at: 0, read, end: -1, isPaused: false })
  }

  add(message: KafkaMessage): void {
    const partition = this.#partitions.get(message.partition)
    if (partition === undefined) return
    partition.messages.push(message)
    partition.read = message.offset + 1
    if (partition.isPaused || partition.messages.length - partition.at <= many) return
    partition.isPaused = true
    this.#valve.pause(message.partition)
  }

  /** The partition ends at this offset for now. */
  reachEnd(partition: number, offset: number): void {
    const known = this.#partitions.get(partition)
    if (known !== undefined) known.end = offset
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

  /** Takes up to `most` messages in order. `force`: do not wait for partitions that deliver nothing. */
  take(most: number, { force }: { force: boolean }): KafkaMessage[] {
    const taken: KafkaMessage[] = []
    while (taken.length < most && (force || !this.isWaiting)) {
      const [number, partition] = this.#earliest()
      if (number === undefined || partition === undefined) break
      taken.push(partition.messages[partition.at])
      partition.at++
      if (partition.at === partition.messages.length) {
        partition.messages = []
        partition.at = 0
      }
      if (partition.isPaused && partition.messages.length - partition.at < few) {
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
