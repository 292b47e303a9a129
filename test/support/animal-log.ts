import { seededRandom } from "#dist/kernels/random.js"
import { type Search, timeAfter } from "./aol-log.ts"

const animals = ["dog", "cat", "horse", "lion"] as const
const pathOf = { dog: "animal/pet/dog", cat: "animal/pet/cat", horse: "animal/wild/horse", lion: "animal/wild/lion" }

/** animal / pet / dog, cat; animal / wild / horse, lion. */
export const animalTaxonomy = `path\tsupport\ttext\n${["animal", "animal/pet", "animal/wild", ...Object.values(pathOf)]
  .map((path) => `${path}\t1\t\n`)
  .join("")}`

export const crowdSize = 2400

/**
 * 40 people without habits: 2400 searches for one of the four animals, one a minute, each with a number of its own. A
 * heavy user may issue a share of them.
 */
export function crowd({ heavy = 0 }: { heavy?: number } = {}): Search[] {
  const random = seededRandom(5)
  return Array.from({ length: crowdSize }, (_, i) => ({
    user: random.below(1000) < heavy * 1000 ? "1000" : `${1 + random.below(40)}`,
    query: `${animals[random.below(4)]} ${i}`,
    time: timeAfter(i * 60),
  }))
}

/** The topics of these searches, as a file for `--classifier`. */
export function topicsOf(searches: readonly Search[]): string {
  const lines = [...new Set(searches.map(({ query }) => query))].map((query) => {
    const animal = animals.find((name) => query.includes(name)) ?? "dog"
    return `${query}\t${pathOf[animal]}\n`
  })
  return `query\tpath\n${lines.join("")}`
}
