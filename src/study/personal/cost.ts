import { seededRandom } from "../../kernels/random.ts"
import { type CostLayer, costLayer, sensitiveTopics } from "../../personal/cost-layer.ts"
import { mapQuery } from "../../personal/map-query.ts"
import { profileFrom } from "../../personal/profile.ts"
import { relevantTopics } from "../../personal/relevant-topics.ts"
import { exposureRisk } from "../../personal/risk.ts"
import { type SeedProfile, seedProfile } from "../../personal/seed-profile.ts"
import type { TableData } from "../study.ts"
import { algorithms } from "./algorithms.ts"
import { chooseSensitive, type Person, type Situation } from "./person.ts"
import { queryClasses, type World } from "./world.ts"

/** An input for the generalisers, and the class it counts under. */
interface Case {
  class: string
  seed: SeedProfile
  costs: CostLayer
}

/** Limits on the cases whose seed is a person's whole profile: their number, and the topics of each. */
const mostWhole = 3
const largestWhole = 400
const whole = "whole profile"

/**
 * Fig. 6: how many leaves are pruned one after the other, and how long that takes. `topics` is the mean size of the
 * seeds. The last class uses the whole profiles of some people as seeds, as if a query were about everything they ever
 * read.
 */
export function measureCost(
  situations: readonly Situation[],
  { delta, people }: { delta: number; people: readonly Person[] },
): TableData {
  const rows: (string | number)[][] = []
  const cases = [...situations.map(caseOf), ...wholeProfiles(people)]
  for (const name of [...queryClasses, whole]) {
    const own = cases.filter((one) => one.class === name)
    if (own.length === 0) continue
    const mean = (value: (one: Case) => number) => own.reduce((sum, one) => sum + value(one), 0) / own.length
    const limitsOf = ({ costs, seed }: Case) => [{ model: exposureRisk(seed, costs), delta }]
    const topics = mean(({ seed }) => seed.size)
    for (const [algorithm, generalise] of Object.entries(algorithms)) {
      const iterations = mean((one) => generalise(one.seed, limitsOf(one)).order.length)
      const seconds = timeOf(() => own.map((one) => generalise(one.seed, limitsOf(one))))
      rows.push([name, algorithm, delta, topics, iterations, (seconds * 1e6) / own.length, own.length])
    }
    // A whole profile has more subtrees than a number can hold.
    if (name !== whole)
      rows.push([name, "optimal", delta, topics, mean(({ seed }) => countSubtrees(seed)), 0, own.length])
  }
  return { columns: ["class", "algorithm", "delta", "topics", "iterations", "microseconds", "n"], rows }
}

const caseOf = ({ query, seed, person }: Situation): Case => ({ class: query.class, seed, costs: person.costs })

/** The largest profiles that GreedyDP can process in acceptable time. */
function wholeProfiles(people: readonly Person[]): Case[] {
  const sized = people.filter(({ profile }) => profile.size <= largestWhole)
  return sized
    .sort((a, b) => b.profile.size - a.profile.size)
    .slice(0, mostWhole)
    .flatMap(({ profile, costs }) => {
      const leaves = [...profile.topic].filter((_, node) => profile.end[node] === node + 1)
      const { taxonomy } = profile
      const relevant = relevantTopics(
        taxonomy,
        leaves.filter((topic) => (taxonomy.support[topic] ?? 0) > 0).map((topic): [number, number] => [topic, 1]),
      )
      const seed = seedProfile(profile, relevant)
      return seed === undefined ? [] : [{ class: whole, seed, costs }]
    })
}

/**
 * The number of rooted subtrees of the seed, which the exhaustive algorithm has to examine: n(t) = Π over children of
 * (n(c) + 1).
 */
function countSubtrees({ size, parent }: SeedProfile): number {
  const count = new Float64Array(size).fill(1)
  for (let node = size - 1; node > 0; node--) {
    const above = parent[node] ?? 0
    count[above] = (count[above] ?? 1) * ((count[node] ?? 1) + 1)
  }
  return count[0] ?? 1
}

/**
 * Seconds that an action takes: the shortest of up to seven runs. The first runs warm up, and other processes disturb
 * some.
 */
function timeOf(action: () => unknown): number {
  const begun = performance.now()
  let shortest = Number.POSITIVE_INFINITY
  for (let times = 0; times < 7 && performance.now() - begun < 1000; times++) {
    const start = performance.now()
    action()
    shortest = Math.min(shortest, performance.now() - start)
  }
  return shortest / 1000
}

/** Fig. 7: time over the size of the seed profile. A seed of a given size combines as many queries as it needs. */
export function measureSize(world: World, size: number): TableData {
  const situations = Array.from({ length: 20 }, (_, i) => growSeed(world, size, i))
  const measured = Object.entries(algorithms).map(([algorithm, generalise]) => {
    // δ = 0 makes both greedy algorithms prune everything, as in the paper. The tree would see at once that nothing can
    // be shown.
    const delta = algorithm === "tree" ? 0.1 : 0
    const limits = situations.map(({ model }) => [{ model, delta }])
    const seconds = timeOf(() => situations.map(({ seed }, i) => generalise(seed, limits[i] ?? [])))
    const topics = situations.reduce((sum, { seed }) => sum + seed.size, 0) / situations.length
    return { algorithm, topics, microseconds: (seconds * 1e6) / situations.length }
  })
  const fastest = measured.find(({ algorithm }) => algorithm === "GreedyIL")?.microseconds ?? Number.NaN
  const rows = measured.map(({ algorithm, topics, microseconds }) => {
    return [algorithm, topics, microseconds, microseconds / fastest]
  })
  return { columns: ["algorithm", "topics", "microseconds", "times GreedyIL"], rows }
}

/** A seed profile of about `size` topics whose leaves are all equally preferred. */
function growSeed({ taxonomy, queries }: World, size: number, number: number) {
  const random = seededRandom(7000 + number)
  const overlaps = (a: number, b: number) => a >= b && a < (taxonomy.end[b] ?? 0)
  const topics: number[] = []
  let grown: SeedProfile | undefined
  for (let tries = 0; tries < 20 * size && (grown?.size ?? 0) < size; tries++) {
    const { topic } = (queries[random.below(queries.length)] ?? { relevant: { topic: new Int32Array() } }).relevant
    const id = topic[random.below(Math.max(1, topic.length))] ?? 0
    if (id === 0 || topics.some((other) => overlaps(id, other) || overlaps(other, id))) continue
    topics.push(id)
    if (topics.length * 10 < size) continue
    const pairs = topics.map((each): [number, number] => [each, 1])
    grown = seedProfile(profileFrom(taxonomy, pairs), relevantTopics(taxonomy, pairs))
  }
  if (grown === undefined) throw new Error("the queries have no topics")
  const sensitive = sensitiveTopics(taxonomy, chooseSensitive(taxonomy, topics, random))
  return { seed: grown, model: exposureRisk(grown, costLayer(grown.profile, sensitive)) }
}

/** Fig. 8: the time to generalise for many queries, and to find their topics. */
export function measureCount(world: World, situations: readonly Situation[], count: number): TableData {
  const asked = situations.map(({ query: { text }, seed, person }) => {
    return { text, seed, limits: [{ model: exposureRisk(seed, person.costs), delta: 0.1 }] }
  })
  const repeat = (action: (query: (typeof asked)[number]) => unknown, times: number) => {
    for (let i = 0; i < times; i++) {
      const query = asked[i % asked.length]
      if (query !== undefined) action(query)
    }
  }
  const timed: [string, (query: (typeof asked)[number]) => unknown][] = [
    ...Object.entries(algorithms).map(([name, generalise]): (typeof timed)[number] => {
      return [name, ({ seed, limits }) => generalise(seed, limits)]
    }),
    ["topics of the query", ({ text }) => mapQuery(world.searcher, text)],
  ]
  const rows = timed.map(([name, action]) => {
    repeat(action, 1000) // warm-up
    const begun = performance.now()
    repeat(action, count)
    return [name, count, (performance.now() - begun) / 1000]
  })
  return { columns: ["algorithm", "queries", "seconds"], rows }
}
