import { type TiedRank, tiedRank } from "../../kernels/retrieval/tied-rank.ts"
import type { WordIndex } from "./word-index.ts"

/** What a suggester knows of one query. */
export interface Known {
  /** Texts that followed it, by id, or -1 for one that is not among the texts, and how often. */
  followers: Int32Array
  weights: Float64Array
  /** The query itself, by id; -1: it is not among the texts. */
  self: number
  /** Its words, by id in the index, each once. */
  words: readonly number[]
}

/**
 * Finds the place of a text in the list that is suggested after a query. The list: first what followed the query, by how
 * often; then what shares words with it, by how many and then by how often it is shown; then all others by how often they are
 * shown. The query itself, and what is shown 0 times and never followed, is in no list. What is equal is in random order.
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

  /** Undefined where the text is in no list. */
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

  /** Among those that are not in the set, of which each counts once. */
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

  /** Texts that share a word; how many stands in `shared` until it is cleared. */
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
