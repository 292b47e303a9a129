import { seededRandom } from "../../kernels/random.ts"
import { costLayer, sensitiveTopics } from "../../personal/cost-layer.ts"
import { mapQuery } from "../../personal/map-query.ts"
import { profileFrom } from "../../personal/profile.ts"
import { relevantTopics } from "../../personal/relevant-topics.ts"
import { exposureRisk } from "../../personal/risk.ts"
import { type SeedProfile, seedProfile } from "../../personal/seed-profile.ts"
import type { TableData } from "../study.ts"
import { algorithms, chooseSensitive, makeUser, queryClasses, type Situation, type World } from "./world.ts"

/** Fig. 6: how many leaves are pruned one after the other, and how long it takes. */
export function measureCost(situations: readonly Situation[], delta: number): TableData {
  const rows: (string | number)[][] = []
  for (const name of queryClasses) {
    const own = situations.filter(({ query }) => query.class === name)
    if (own.length === 0) continue
    const mean = (value: (situation: Situation) => number) =>
      own.reduce((sum, situation) => sum + value(situation), 0) / own.length
    const limitsOf = ({ user, seed }: Situation) => [{ model: exposureRisk(seed, user.costs), delta }]
    for (const [algorithm, generalise] of Object.entries(algorithms)) {
      const iterations = mean((situation) => generalise(situation.seed, limitsOf(situation)).order.length)
      const seconds = timeOf(() => own.map((situation) => generalise(situation.seed, limitsOf(situation))))
      rows.push([name, algorithm, delta, iterations, (seconds * 1e6) / own.length, own.length])
    }
    rows.push([name, "optimal", delta, mean(({ seed }) => countSubtrees(seed)), 0, own.length])
  }
  return { columns: ["class", "algorithm", "delta", "iterations", "microseconds", "n"], rows }
}

/** What the exhaustive algorithm looks at: rooted subtrees of the seed, n(t) = Π over children of (n(c) + 1). */
function countSubtrees({ size, parent }: SeedProfile): number {
  const count = new Float64Array(size).fill(1)
  for (let node = size - 1; node > 0; node--) {
    const above = parent[node] ?? 0
    count[above] = (count[above] ?? 1) * ((count[node] ?? 1) + 1)
  }
  return count[0] ?? 1
}

/** Seconds of an action, the shortest of up to seven times: the first warm up, and others of the machine disturb. */
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

/** Fig. 7: time over the size of the seed profile, which is that of as many queries together as it needs. */
export function measureSize(world: World, size: number): TableData {
  const situations = Array.from({ length: 20 }, (_, i) => growSeed(world, size, i))
  const rows = Object.entries(algorithms).map(([algorithm, generalise]) => {
    // δ = 0 makes both greedy algorithms prune everything, as in the paper; the tree would see at once that nothing can be shown.
    const delta = algorithm === "tree" ? 0.1 : 0
    const limits = situations.map(({ model }) => [{ model, delta }])
    const seconds = timeOf(() => situations.map(({ seed }, i) => generalise(seed, limits[i] ?? [])))
    const topics = situations.reduce((sum, { seed }) => sum + seed.size, 0) / situations.length
    return [algorithm, topics, (seconds * 1e6) / situations.length]
  })
  return { columns: ["algorithm", "topics", "microseconds"], rows }
}

/** A seed profile of about so many topics, all its leaves equally preferred. */
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

/** Fig. 8: time for many queries of one person, and for finding their topics. */
export function measureCount(world: World, count: number): TableData {
  const user = makeUser(world, 0, { interests: 300 })
  const asked = user.queries.flatMap(({ text, relevant }) => {
    const seed = seedProfile(user.profile, relevant)
    return seed === undefined ? [] : [{ text, seed, limits: [{ model: exposureRisk(seed, user.costs), delta: 0.1 }] }]
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
    repeat(action, 1000) // warms up
    const begun = performance.now()
    repeat(action, count)
    return [name, count, (performance.now() - begun) / 1000]
  })
  return { columns: ["algorithm", "queries", "seconds"], rows }
}
