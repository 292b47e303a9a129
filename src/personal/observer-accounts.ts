import { isWithin } from "./is-within.ts"

/**
 * What each observer knows of a person, as far as the lifetime bound needs it. Deleting exposures does not change it,
 * because the observer keeps what it saw. It holds the union of the topics shown, without times, queries or supports;
 * how surely queries revealed sensitive topics; and the sensitivity of forgotten topics that an observer was shown.
 */
export class ObserverAccounts {
  readonly #shown = new Map<string, Set<string>>()
  readonly #told = new Map<string, Map<string, number>>()
  readonly #lost = new Map<string, number>()
  readonly #unknown = new Map<string, number>()

  /** Everything an observer was ever shown, as paths. */
  shownTo(observer: string): ReadonlySet<string> {
    return this.#shown.get(observer) ?? new Set<string>()
  }

  /** For each topic that was sensitive when it was asked about: its largest share of one query's meaning. */
  toldTo(observer: string): ReadonlyMap<string, number> {
    return this.#told.get(observer) ?? new Map<string, number>()
  }

  /** Observers that were shown something, or that learned of a sensitive topic from a query. */
  get observers(): string[] {
    return [...new Set([...this.#shown.keys(), ...this.#told.keys()])].sort()
  }

  /** Sensitivities of forgotten topics that an observer was shown. None is below another. */
  get lost(): ReadonlyMap<string, number> {
    return this.#lost
  }

  /** Number of exposures that version 0.1 deleted without keeping what was shown, by observer. */
  get unknown(): ReadonlyMap<string, number> {
    return this.#unknown
  }

  /** Adds what an observer is shown. */
  noteShown(observer: string, paths: Iterable<string>): void {
    const seen = this.#shown.get(observer) ?? new Set<string>()
    for (const path of paths) seen.add(path)
    if (seen.size > 0) this.#shown.set(observer, seen)
  }

  /** Adds what a query revealed. Returns true if it reveals more than earlier queries did. */
  noteTold(observer: string, shares: Iterable<readonly [path: string, share: number]>): boolean {
    const told = this.#told.get(observer) ?? new Map<string, number>()
    let isMore = false
    for (const [path, share] of shares) {
      if (share <= (told.get(path) ?? 0)) continue
      told.set(path, share)
      isMore = true
    }
    if (isMore) this.#told.set(observer, told)
    return isMore
  }

  /** Records how many exposures version 0.1 deleted. */
  noteUnknown(observer: string, count: number): void {
    if (count > 0) this.#unknown.set(observer, count)
  }

  /**
   * Keeps the mark of a topic that is being forgotten, if an observer was shown it. Of two marks on one path, the upper
   * stays.
   */
  keepLost(path: string, sensitivity: number): void {
    if (![...this.#shown.values()].some((seen) => seen.has(path))) return
    if ([...this.#lost.keys()].some((above) => above !== path && isWithin(path, above))) return
    for (const below of this.#lost.keys()) if (isWithin(below, path)) this.#lost.delete(below)
    this.#lost.set(path, sensitivity)
  }

  /** Drops the mark of a forgotten topic, because it is marked again or the person says that it is not sensitive. */
  dropLost(path: string): void {
    this.#lost.delete(path)
  }

  /** Forgets what queries revealed of a topic and all topics below it. */
  forgetTold(path: string): void {
    for (const [observer, told] of this.#told) {
      for (const below of told.keys()) if (isWithin(below, path)) told.delete(below)
      if (told.size === 0) this.#told.delete(observer)
    }
  }

  /** Restores accounts that were saved in a file. */
  restore(saved: {
    shown: Iterable<readonly [observer: string, paths: Iterable<string>]>
    told: Iterable<readonly [observer: string, shares: Iterable<readonly [path: string, share: number]>]>
    lost: Iterable<readonly [path: string, sensitivity: number]>
    unknown: Iterable<readonly [observer: string, count: number]>
  }): void {
    for (const [observer, paths] of saved.shown) this.noteShown(observer, paths)
    for (const [observer, shares] of saved.told) this.noteTold(observer, shares)
    for (const [path, sensitivity] of saved.lost) this.#lost.set(path, sensitivity)
    for (const [observer, count] of saved.unknown) this.noteUnknown(observer, count)
  }
}
