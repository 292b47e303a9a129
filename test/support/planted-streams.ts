import { rebuildCells } from "#dist/kernels/linkage/released-cells.js"
import type { ReleasedStream } from "#dist/kernels/linkage/released-stream.js"
import type { TextWords } from "#dist/kernels/linkage/text-words.js"
import { seededRandom } from "#dist/kernels/random.js"
import type { NameLifetime } from "#dist/methods/name-lifetime.js"
import { nameRecords } from "#dist/methods/swap/name-records.js"
import { type Arrival, streamOf, swapInCells } from "./swapped-streams.ts"
import { wordsOf } from "./word-streams.ts"

interface Planting {
  seed: number
  k: number
  searches: number
  people: number
  /** Of a thousand searches, how many have a word that nobody else types. All other words come from the common pool. */
  own: number
  /** Number of words in the common pool: few enough to be shared by chance, too many to be common. */
  pool: number
}

/** A log swapped in cells. Each search is a text of its own with two words and a number, one a minute. */
export interface Planted {
  stream: ReleasedStream
  cell: Int32Array
  words: TextWords
  k: number
}

export function plantStream({ seed, k, searches, people, own, pool }: Planting): Planted {
  const random = seededRandom(seed)
  const texts: number[][] = []
  const arrivals = Array.from({ length: searches }, (_, i): Arrival => {
    const user = random.below(people)
    const isOwn = random.below(1000) < own
    texts.push([random.below(pool), isOwn ? pool + user : random.below(pool)])
    return { user, text: i, category: 0, time: i * 60 }
  })
  const stream = streamOf(swapInCells(arrivals, { k, random, time: "closing" }))
  return { stream, cell: rebuildCells(stream), words: wordsOf(texts), k }
}

/** The same release under names with this lifetime. */
export const underNames = ({ stream, cell }: Planted, users: NameLifetime) => nameRecords(stream, { cell, users })
