import { type TiedRank, tiedRank } from "../../kernels/retrieval/tied-rank.ts"
import type { WordIndex } from "./word-index.ts"

/** What a suggester knows about one query. */
export interface Known {
  /** The texts that followed it and how often, by id; -1 for a text that is not in the index. */
  followers: Int32Array
  weights: Float64Array
  /** The id of the query itself; -1 if it is not in the index. */
  self: number
  /** Its distinct words, by id in the index. */
  words: readonly number[]
}

/**
 * Finds the rank of a text in the list that is suggested after a query. First come the texts that followed the query,
 * by how often. Then come texts that share words with it, by the number of words and then by how often they are shown.
 * Then come all others by how often they are shown. The query itself, and texts that are shown 0 times and never
 * followed, are in no list. Ties are in random order.
 */
export class ListPlaces {
  readonly #index: WordIndex
  readonly #weights: Float64Array
  /** Weights above 0, ascending. */
  readonly #sorted: Float64Array
  readonly #shared: Uint16Array

  constructor(index: WordIndex, weights: Float64Array) {
    this.#index = index
    this.#weights = weights
    this.#sorted = weights.filter((weight) => weight > 0).sort()
    this.#shared = new Uint16Array(weights.length)
  }

  /** Returns the rank of a text; undefined if it is in no list. */
  find(text: number, { followers, weights, self, words }: Known): TiedRank | undefined {
    if (text < 0 || text === self) return undefined
    const item = followers.indexOf(text)
    if (item >= 0) return tiedRank(weights, item)
    const own = this.#weights[text]
    if (own <= 0) return undefined
    const related = this.#countShared(words)
    const isAside = (other: number) => other === self || followers.includes(other)
    const place = { above: followers.length, ties: 0 }
    const sharedWords = this.#shared[text]
    let aside = 0
    for (const other of related) {
      if (this.#weights[other] <= 0 || isAside(other)) continue
      aside++
      const order = this.#shared[other] - sharedWords || this.#weights[other] - own
      if (sharedWords > 0 && order > 0) place.above++
      else if (sharedWords > 0 && order === 0) place.ties++
    }
    for (const other of related) this.#shared[other] = 0
    if (sharedWords > 0) return place
    return this.#placeByWeight(own, { above: followers.length + aside, set: [...related, ...followers, self] })
  }

  /** The rank by weight among the texts outside `set`, each counted once. */
  #placeByWeight(own: number, { above, set }: { above: number; set: readonly number[] }): TiedRank {
    const [from, to] = [countBelow(this.#sorted, own), countBelow(this.#sorted, own, { orEqual: true })]
    const place = { above: above + this.#sorted.length - to, ties: to - from }
    for (const other of new Set(set)) {
      if (other < 0) continue
      if (this.#weights[other] > own) place.above--
      else if (this.#weights[other] === own) place.ties--
    }
    return place
  }

  /** Texts that share a word. The number of shared words is in `shared` until it is cleared. */
  #countShared(words: readonly number[]): number[] {
    const { starts, holders } = this.#index
    const found: number[] = []
    for (const word of words) {
      for (let i = starts[word]; i < starts[word + 1]; i++) {
        if (this.#shared[holders[i]]++ === 0) found.push(holders[i])
      }
    }
    return found
  }
}

function countBelow(sorted: Float64Array, value: number, { orEqual = false } = {}): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle] < value || (orEqual && sorted[middle] === value)) low = middle + 1
    else high = middle
  }
  return low
}
