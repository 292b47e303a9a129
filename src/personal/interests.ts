import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { type Profile, profileFrom } from "./profile.ts"

const daySeconds = 86_400

/** The day (UTC) of a time in seconds, counted from 1970-01-01. */
export const dayOf = (seconds: number): number => Math.floor(seconds / daySeconds)

/** True if UTC seconds are in the years 1970 to 9999. Documents of any other day could not be forgotten by date. */
export const isCalendarTime = (seconds: number): boolean => seconds >= 0 && seconds < 253_402_300_800

/**
 * A person's known interests: the number of documents by topic and day. A day or a topic can be forgotten without a
 * trace. Counts are whole numbers, so removing documents restores exactly the earlier state.
 */
export class Interests {
  readonly taxonomy: Taxonomy
  readonly #days = new Map<number, Map<number, number>>()
  #profile: Profile | undefined

  constructor(taxonomy: Taxonomy) {
    this.taxonomy = taxonomy
  }

  /** Adds one or more documents about a topic. */
  add(topic: number, options: { day: number; count?: number }): void {
    const { day, count = 1 } = options
    if (!(Number.isInteger(topic) && topic > 0 && topic < this.taxonomy.size))
      throw new RangeError("there is no such topic")
    if (!(Number.isSafeInteger(count) && count > 0)) throw new RangeError("a count must be a whole number above 0")
    const known = this.#days.get(day) ?? new Map<number, number>()
    known.set(topic, (known.get(topic) ?? 0) + count)
    this.#days.set(day, known)
    this.#profile = undefined
  }

  /** Removes one document of a day. Returns false if there is none. */
  remove(topic: number, { day }: { day: number }): boolean {
    const known = this.#days.get(day)
    const count = known?.get(topic) ?? 0
    if (known === undefined || count === 0) return false
    if (count > 1) known.set(topic, count - 1)
    else known.delete(topic)
    if (known.size === 0) this.#days.delete(day)
    this.#profile = undefined
    return true
  }

  /** Forgets a topic and all topics below it. Returns the number of documents removed. */
  forgetTopic(topic: number): number {
    const isBelow = (other: number) => other >= topic && other < (this.taxonomy.end[topic] ?? 0)
    return this.#remove((_, other) => isBelow(other))
  }

  /** Forgets all days of [from, to]. Returns the number of documents removed. */
  forgetDays(from: number, to = from): number {
    return this.#remove((day) => day >= from && day <= to)
  }

  #remove(isForgotten: (day: number, topic: number) => boolean): number {
    let removed = 0
    for (const [day, topics] of this.#days) {
      for (const [topic, count] of topics) {
        if (!isForgotten(day, topic)) continue
        removed += count
        topics.delete(topic)
      }
      if (topics.size === 0) this.#days.delete(day)
    }
    if (removed > 0) this.#profile = undefined
    return removed
  }

  /** Days that have documents, ascending, with the documents by topic, ascending. */
  *days(): Generator<{ day: number; topics: [topic: number, count: number][] }> {
    for (const day of [...this.#days.keys()].sort((a, b) => a - b)) {
      const topics = [...(this.#days.get(day) ?? [])].sort(([a], [b]) => a - b)
      yield { day, topics }
    }
  }

  /** The profile of all days. It is the same object until something changes. */
  profile(): Profile {
    this.#profile ??= profileFrom(this.taxonomy, this.#supports())
    return this.#profile
  }

  #supports(): Map<number, number> {
    const supports = new Map<number, number>()
    for (const topics of this.#days.values())
      for (const [topic, count] of topics) supports.set(topic, (supports.get(topic) ?? 0) + count)
    return supports
  }
}
