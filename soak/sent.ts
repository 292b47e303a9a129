import type { Search } from "./searches.ts"

/** What an operator may change. */
export interface Settings {
  k: number
  depth: number
}

/** The result for the records of one request. */
export interface Answer {
  taken: number
  withheld: number
  rejected: { line: number; reason: string }[]
  rejectedTotal: number
}

/**
 * What was sent, and which settings may have been in force when a record was accepted: those from when it was first
 * sent, up to those from when it was known to be accepted.
 */
export class Sent {
  readonly searches: Search[] = []
  readonly answers: Answer[] = []
  /** Number of lines that were counted before an answered change of settings: these are durable. */
  durableLines = 0
  readonly #settings: Settings[] = []
  readonly #from: number[] = []
  readonly #until: number[] = []
  #inForce = 0

  /** Adds settings that may be in force from now on. */
  propose(settings: Settings): void {
    this.#settings.push(settings)
  }

  /** The settings that were proposed last are in force, and no earlier ones. */
  confirm(): void {
    this.#inForce = this.#settings.length - 1
  }

  add(search: Search): void {
    this.searches[search.id] = search
    this.#from[search.id] = this.#inForce
  }

  /** The record has been accepted by now. */
  taken(id: number): void {
    this.#until[id] ??= this.#settings.length - 1
  }

  /** All records up to this one have been accepted by now, or never will be. */
  takenUpTo(id: number): void {
    for (let at = id; at >= 0 && this.#until[at] === undefined; at--) this.taken(at)
  }

  /** The settings under which the record may have been accepted. */
  settingsOf(id: number): readonly Settings[] {
    const until = this.#until[id] ?? this.#settings.length - 1
    return this.#settings.slice(this.#from[id] ?? 0, until + 1)
  }
}
