import { eavesdrop } from "../attacks/eavesdropper.ts"
import type { RunContext } from "../kernels/context.ts"
import { seededRandom } from "../kernels/random.ts"
import { costLayer, sensitiveTopics } from "../personal/cost-layer.ts"
import { type Generaliser, metricsOf, stepsOf, wholeSeed } from "../personal/generalise.ts"
import { greedyDp } from "../personal/greedy-dp.ts"
import { greedyIl } from "../personal/greedy-il.ts"
import { mapQuery } from "../personal/map-query.ts"
import { discriminatingPower } from "../personal/metrics.ts"
import { profileFrom } from "../personal/profile.ts"
import { relevantTopics } from "../personal/relevant-topics.ts"
import { exposureRisk, riskOf, riskOfShown, sessionRisk } from "../personal/risk.ts"
import { type SeedProfile, seedProfile } from "../personal/seed-profile.ts"
import { generaliseTree } from "../personal/tree/generalise-tree.ts"
import { judgeSearch } from "./personal-results.ts"
import {
  chooseSensitive,
  listSituations,
  type MadeUpUser,
  makeUser,
  openWorld,
  queryClasses,
  type Situation,
  type World,
} from "./personal-world.ts"
import type { Point, PointOutput, StudySubject, TableData } from "./study.ts"

const algorithms: Record<string, Generaliser> = { GreedyDP: greedyDp, GreedyIL: greedyIl, tree: generaliseTree }

/** One point; every part has a table of its own. */
export async function computePersonal(point: Point, { log }: StudySubject, context: RunContext): Promise<PointOutput> {
  const world = await openWorld(log, { taxonomy: String(point.taxonomy), pool: Number(point.pool) }, context)
  if (world.queries.length === 0) return { scores: [] }
  const people = { users: Number(point.users), interests: Number(point.interests) }
  const delta = Number(point.delta ?? 0)
  const parts: Record<string, () => TableData> = {
    steps: () => measureSteps(listSituations(world, people)),
    cost: () => measureCost(listSituations(world, people), delta),
    size: () => measureSize(world, Number(point.size)),
    count: () => measureCount(world, Number(point.queries)),
    quality: () => measureQuality(world, listSituations(world, people), delta),
    attack: () => measureAttack(world, { ...people, delta }),
  }
  const part = String(point.part)
  const table = parts[part]?.()
  return { scores: [], ...(table !== undefined && { tables: { [part]: table } }) }
}

/** Fig. 5: every step down to the root, for the person whose queries of the three classes have the largest seed profiles. */
function measureSteps(situations: readonly Situation[]): TableData {
  const rows: (string | number)[][] = []
  for (const { user, query, seed } of largestOfEachClass(situations)) {
    const model = exposureRisk(seed, user.costs)
    for (const name of ["GreedyDP", "GreedyIL"]) {
      const order = algorithms[name]?.(seed, [{ model, delta: 0 }]).order ?? []
      const steps = [metricsOf(seed, model, wholeSeed(seed)), ...stepsOf(seed, model, order)]
      const knee = findKnee(steps)
      steps.forEach(({ PG, TS, DP, risk }, step) => {
        rows.push([query.class, name, step, PG, TS, DP, risk, step === knee ? 1 : 0])
      })
    }
  }
  return { columns: ["class", "algorithm", "step", "PG", "TS", "DP", "risk", "knee"], rows }
}

function largestOfEachClass(situations: readonly Situation[]): Situation[] {
  let best: Situation[] = []
  // Those at risk are worth more to look at.
  const worthOf = ({ user, seed }: Situation) =>
    seed.size * (riskOf(seed, exposureRisk(seed, user.costs), wholeSeed(seed)) > 0.05 ? 1000 : 1)
  const worthOfAll = (chosen: readonly Situation[]) => chosen.reduce((sum, one) => sum + worthOf(one), 0)
  for (const user of new Set(situations.map((situation) => situation.user))) {
    const own = situations.filter((situation) => situation.user === user)
    const chosen = queryClasses.flatMap((name) => {
      const ofClass = own.filter(({ query }) => query.class === name)
      return ofClass.sort((a, b) => worthOf(b) - worthOf(a)).slice(0, 1)
    })
    if (worthOfAll(chosen) > worthOfAll(best)) best = chosen
  }
  return best
}

/** The step whose point (risk, DP) lies farthest above the line from the first to the last, both axes from 0 to 1. */
function findKnee(steps: readonly { DP: number; risk: number }[]): number {
  const scale = (key: "DP" | "risk") => {
    const values = steps.map((step) => step[key])
    const [low, high] = [Math.min(...values), Math.max(...values)]
    return (value: number) => (high === low ? 0 : (value - low) / (high - low))
  }
  const [x, y] = [scale("risk"), scale("DP")]
  let knee = 0
  let most = Number.NEGATIVE_INFINITY
  steps.forEach(({ DP, risk }, step) => {
    const height = y(DP) - x(risk)
    if (height > most + 1e-12) {
      most = height
      knee = step
    }
  })
  return knee
}

/** Fig. 6: how many leaves are pruned one after the other, and how long it takes. */
function measureCost(situations: readonly Situation[], delta: number): TableData {
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
function measureSize(world: World, size: number): TableData {
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
function measureCount(world: World, count: number): TableData {
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

/** Fig. 9 and 10: average precision before and after, by class. */
function measureQuality(world: World, situations: readonly Situation[], delta: number): TableData {
  const sums = new Map<string, { sum: number; n: number }>()
  const add = (name: string, ranking: string, value: number) => {
    for (const of of [name, "all"]) {
      const key = JSON.stringify([of, ranking])
      const { sum, n } = sums.get(key) ?? { sum: 0, n: 0 }
      sums.set(key, { sum: sum + value, n: n + 1 })
    }
  }
  situations.forEach((situation, number) => {
    const { query, seed, user } = situation
    const quality = judgeSearch(world, situation, number)
    const limits = [{ model: exposureRisk(seed, user.costs), delta }]
    add(query.class, "original", quality.original)
    for (const [name, generalise] of Object.entries(algorithms))
      add(query.class, name, quality.fused(generalise(seed, limits).kept))
    add(query.class, "whole seed", quality.fused(wholeSeed(seed)))
  })
  const rows = [...sums].map(([key, { sum, n }]) => {
    const [name, ranking]: [string, string] = JSON.parse(key)
    return [name, ranking, delta, sum / n, n]
  })
  return { columns: ["class", "ranking", "delta", "AP", "n"], rows }
}

/** What an eavesdropper learns in a session of each person, with a bound on each query and with one on the session too. */
function measureAttack(world: World, options: { users: number; interests: number; delta: number }): TableData {
  const { users, delta } = options
  const sums = new Map<string, number>()
  for (let number = 0; number < users; number++) {
    const user = makeUser(world, number, options)
    for (const bound of ["query", "session"] as const) {
      const { overheard, risks, powers, union } = exposeSession(user, { delta, bound })
      const victim = { taxonomy: world.taxonomy, sensitive: user.sensitive }
      const scores = eavesdrop(victim, overheard, { games: 200, random: seededRandom(number) })
      const found = Object.fromEntries(scores.map(({ name, value }) => [name.replace("eavesdropper/", ""), value]))
      const before = scores[0]?.baseline ?? 0
      const values: [scope: string, score: string, value: number | undefined][] = [
        ["one query", "risk", meanOf(risks)],
        ["one query", "recovered", found.recovered],
        ["one query", "with the query", found["recovered-query"]],
        ["one query", "before any", before],
        ["session", "risk", union],
        ["session", "recovered", found["recovered-session"]],
        ["session", "with the query", found["recovered-session-query"]],
        ["session", "before any", before],
        ["session", "guessed one", found.guessed],
        ["utility", "DP kept", meanOf(powers)],
      ]
      for (const [scope, score, value = 0] of values) {
        const key = JSON.stringify([bound, scope, score])
        sums.set(key, (sums.get(key) ?? 0) + value / users)
      }
    }
  }
  const rows = [...sums].map(([key, value]) => {
    const [bound, scope, score]: [string, string, string] = JSON.parse(key)
    return [bound, scope, score, delta, value]
  })
  return { columns: ["bound", "scope", "score", "delta", "value"], rows }
}

const meanOf = (values: readonly number[]) =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

/** All that a person asks in one session, under δ each and, if wanted, under δ together. */
function exposeSession(user: MadeUpUser, options: { delta: number; bound: "query" | "session" }) {
  const { delta, bound } = options
  const seen = new Uint8Array(user.profile.size)
  const risks: number[] = []
  const powers: number[] = []
  const overheard = user.queries.map(({ relevant }) => {
    const pairs = Array.from(relevant.topic, (topic, i): [number, number] => [topic, relevant.probability[i] ?? 0])
    const seed = seedProfile(user.profile, relevant)
    if (seed === undefined) return { shown: [], relevant: pairs }
    const model = exposureRisk(seed, user.costs)
    const together = { model: sessionRisk(seed, user.costs, seen), delta }
    const { kept } = generaliseTree(seed, [{ model, delta }, ...(bound === "session" ? [together] : [])])
    risks.push(riskOf(seed, model, kept))
    const whole = discriminatingPower(seed, wholeSeed(seed))
    powers.push(kept[0] === 1 && whole > 0 ? discriminatingPower(seed, kept) / whole : 0)
    const nodes = [...seed.topic.keys()].filter((node) => kept[node] === 1)
    for (const node of nodes) seen[seed.origin[node] ?? 0] = 1
    return { shown: nodes.map((node) => seed.topic[node] ?? 0), relevant: pairs }
  })
  return { overheard, risks, powers, union: riskOfShown(user.costs, seen) }
}
