import { LargeMap } from "../../kernels/large-map.ts"
import { hashPair, type PairSeeds } from "../../kernels/pair-hash.ts"
import type { RandomSource } from "../../kernels/random.ts"
import { createCellSwapper } from "../../swapper/cell-swapper.ts"
import { type DealingSecret, positionSeeds } from "../../swapper/dealing-secret.ts"
import { holdRareTexts } from "../../swapper/hold-rare.ts"
import { keyedCells } from "../../swapper/keyed-cells.ts"
import type { WithheldBy } from "../../swapper/swapper.ts"
import { keepTextsApart } from "./one-cell-texts.ts"
import type { SwapSettings } from "./swap-log.ts"
import { type PlacedSearch, WaitingSearches } from "./waiting-searches.ts"

/** A search as it comes: searches of a category come in the order of their times. */
export interface ComingSearch<P> {
  user: string
  query: string
  /** UTC seconds. */
  time: number
  payload: P
}

/** A search that left with a cell. */
export interface DealtSearch<P> extends ComingSearch<P> {
  /** The user that it is shown with. */
  as: string
  /** When the cell closed. */
  closed: number
  /** The number of the cell in its category, from 0. */
  cell: number
  /** The place of the search in the order in which searches left the category. */
  place: number
  /** Distinct users who waited in the category before. */
  users: number
}

/** What happened in a category. */
export interface CategoryTotals {
  searches: number
  released: number
  cells: number
  /** Seconds that the released searches waited, together. */
  waited: number
  overBacklog: number
  sameText: number
  repeated: number
  rareText: number
  waiting: number
  /** The most searches that waited at once. */
  mostWaiting: number
}

/** What of `SwapSettings` decides about cells. */
export type CellSettings = Omit<SwapSettings, "mode" | "randomOfCell">

/**
 * Swaps users among the searches of one category, in cells. The cells are those of `swapArrivals` under the same
 * secret: they depend only on the secret, the path of the category, and its searches. Only what waits is in memory,
 * unless `repeats` or `minQueryUsers` look back.
 */
export class CategoryCells<P> {
  readonly totals: CategoryTotals = {
    ...{ searches: 0, released: 0, cells: 0, waited: 0, overBacklog: 0, sameText: 0, repeated: 0 },
    ...{ rareText: 0, waiting: 0, mostWaiting: 0 },
  }
  readonly #waiting: WaitingSearches<P>
  readonly #seeds: PairSeeds
  readonly #offer: (slot: number) => void
  readonly #count: () => void
  /** Searches of the newest second, which are not ordered yet. */
  #second: ComingSearch<P>[] = []
  #now = 0

  constructor(
    path: string,
    options: {
      settings: CellSettings
      secret: DealingSecret
      random: RandomSource
      emit(search: DealtSearch<P>): void
    },
  ) {
    const { settings, secret, random, emit } = options
    const { repeats, minQueryUsers, backlog } = settings
    const looksBack = repeats === "keep" ? "nothing" : "texts"
    const waiting = new WaitingSearches<P>({ keep: minQueryUsers > 1 ? "searches" : looksBack })
    const released = repeats === "keep" ? undefined : new LargeMap<string, true>()
    const texts = repeats === "never" ? keepTextsApart(waiting, { backlog }) : undefined
    const pairOf = (slot: number) => `${waiting.user[slot]} ${waiting.text[slot]}`
    const { totals } = this
    this.#waiting = waiting
    this.#seeds = positionSeeds(secret)
    const left: number[] = []
    const swapper = createCellSwapper(waiting, {
      ...settings,
      distinctTexts: settings.cellTexts !== "any",
      random,
      randomOfCell: keyedCells({ secret, pathOf: () => path, seeded: random.seeded }),
      sink: {
        release: (slot, as, cell, users) => {
          const { user, query, time, payload } = waiting.at(slot)
          const shown = { as: waiting.at(as).user, closed: this.#now, cell, users, place: totals.released++ }
          totals.cells = cell + 1
          totals.waited += this.#now - time
          released?.set(pairOf(slot), true)
          texts?.leave(slot, cell)
          left.push(slot)
          emit({ user, query, time, payload, ...shown })
        },
        withhold: (slot, reason: WithheldBy) => {
          if (reason === "same-text") totals.sameText++
          else totals.overBacklog++
          left.push(slot)
        },
      },
    })
    // A held search may have become a repeat: another held search of the same user and text has just left.
    const pass = (slot: number) => {
      if (released?.has(pairOf(slot)) || texts?.admit(slot, swapper.placeOf(slot)) === false) {
        totals.repeated++
        left.push(slot)
      } else swapper.offer(slot)
    }
    const hold = holdRareTexts(waiting, { users: minQueryUsers, pass })
    this.#offer = (slot) => {
      hold.offer(slot)
      for (const one of left) waiting.free(one)
      left.length = 0
      totals.mostWaiting = Math.max(totals.mostWaiting, swapper.waiting)
    }
    this.#count = () => {
      totals.waiting = swapper.waiting
      totals.rareText = hold.held
    }
  }

  /** Takes the next search. It and others may leave once a search of a later second comes. */
  take(search: ComingSearch<P>): void {
    const [first] = this.#second
    if (first !== undefined && first.time !== search.time) this.#closeSecond()
    this.#second.push(search)
  }

  /** Ends the category. What waits never leaves. */
  end(): CategoryTotals {
    this.#closeSecond()
    this.#count()
    return this.totals
  }

  /** Searches of one second are ordered by their keyed hash, as in `orderArrivals`. */
  #closeSecond(): void {
    const placed = this.#second.map((search): PlacedSearch<P> => {
      const [high, low] = hashPair(Buffer.from(search.user), Buffer.from(search.query), this.#seeds)
      return { ...search, high, low }
    })
    this.#second = []
    if (placed.length > 1) placed.sort((a, b) => a.high - b.high || a.low - b.low || compareTexts(a, b))
    for (const search of placed) {
      this.totals.searches++
      this.#now = search.time
      this.#offer(this.#waiting.add(search))
    }
  }
}

/** Decides between equal hashes, so that a second run gives the same order. */
function compareTexts<P>(a: PlacedSearch<P>, b: PlacedSearch<P>): number {
  if (a.user !== b.user) return a.user < b.user ? -1 : 1
  return a.query < b.query ? -1 : a.query > b.query ? 1 : 0
}
