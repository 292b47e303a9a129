import type { Search } from "./searches.ts"

/** What an operator may change. */
export interface Settings {
  k: number
  depth: number
}

/** What became of the records of one request. */
export interface Answer {
  taken: number
  withheld: number
  rejected: { line: number; reason: string }[]
  rejectedTotal: number
}

/**
 * What was sent, and which settings can have been in force when a record was taken: those from when it was first sent, up to
 * those from when it was known to be taken.
 */
export class Sent {
  readonly searches: Search[] = []
  readonly answers: Answer[] = []
  /** Lines that an answered change of settings came behind: these are durable. */
  durableLines = 0
  readonly #settings: Settings[] = []
  readonly #from: number[] = []
  readonly #until: number[] = []
  #inForce = 0

  /** Settings that may be in force from now on. */
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

  /** The record is taken by now. */
  taken(id: number): void {
    this.#until[id] ??= this.#settings.length - 1
  }

  /** All records so far are taken by now, or never will be. */
  takenUpTo(id: number): void {
    for (let at = id; at >= 0 && this.#until[at] === undefined; at--) this.taken(at)
  }

  /** The settings under which the record can have been taken. */
  settingsOf(id: number): readonly Settings[] {
    const until = this.#until[id] ?? this.#settings.length - 1
    return this.#settings.slice(this.#from[id] ?? 0, until + 1)
  }
}
