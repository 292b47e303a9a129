import { growInt32 } from "../../swapper/grow.ts"
import type { PositionColumns, RecordColumns } from "../../swapper/swapper.ts"
import { TextIds } from "./text-ids.ts"

/** A search with a topic, and what goes with it: its clicks, for example. */
export interface PlacedSearch<P> {
  user: string
  query: string
  /** UTC seconds. */
  time: number
  /** Both halves of the keyed hash of user and query. */
  high: number
  low: number
  payload: P
}

/**
 * The searches of one category that wait, as columns for a swapper. The slot of a search that left is used again. So
 * memory is in proportion to what waits, not to what arrived. With `keep`, every search keeps its slot: rules that look
 * at searches which left need that.
 */
export class WaitingSearches<P> implements RecordColumns {
  user = new Int32Array(64)
  text = new Int32Array(64)
  category = new Int32Array(64)
  position: PositionColumns = { time: new Int32Array(64), high: new Int32Array(64), low: new Int32Array(64) }
  readonly #searches: (PlacedSearch<P> | undefined)[] = []
  #arrivals = new Float64Array(64)
  #arrived = 0
  readonly #free: number[] = []
  readonly #users: TextIds
  readonly #texts: TextIds
  readonly #isKept: boolean

  constructor({ keep }: { keep: "nothing" | "texts" | "searches" }) {
    this.#isKept = keep === "searches"
    this.#users = new TextIds({ keep: keep !== "nothing" })
    this.#texts = new TextIds({ keep: keep !== "nothing" })
  }

  arrival(slot: number): number {
    return this.#arrivals[slot]
  }

  at(slot: number): PlacedSearch<P> {
    const search = this.#searches[slot]
    if (search === undefined) throw new RangeError("no search waits in this slot")
    return search
  }

  add(search: PlacedSearch<P>): number {
    const slot = this.#free.pop() ?? this.#searches.length
    if (slot >= this.user.length) this.#grow(slot + 1)
    this.#searches[slot] = search
    this.user[slot] = this.#users.hold(search.user)
    this.text[slot] = this.#texts.hold(search.query)
    this.position.time[slot] = search.time
    this.position.high[slot] = search.high
    this.position.low[slot] = search.low
    this.#arrivals[slot] = this.#arrived++
    return slot
  }

  free(slot: number): void {
    if (this.#isKept) return
    this.#searches[slot] = undefined
    this.#users.drop(this.user[slot])
    this.#texts.drop(this.text[slot])
    this.#free.push(slot)
  }

  #grow(least: number): void {
    this.user = growInt32(this.user, least)
    this.text = growInt32(this.text, least)
    this.category = growInt32(this.category, least)
    const { time, high, low } = this.position
    const grow = (column: Int32Array) => growInt32(Int32Array.from(column), least)
    this.position = { time: grow(time), high: grow(high), low: grow(low) }
    const arrivals = new Float64Array(this.user.length)
    arrivals.set(this.#arrivals)
    this.#arrivals = arrivals
  }
}
