import { createContext } from "#dist/kernels/context.js"
import { type RandomSource, seededRandom } from "#dist/kernels/random.js"
import { costLayer, sensitiveTopics } from "#dist/personal/cost-layer.js"
import { type Algorithm, generalisers } from "#dist/personal/generalisers.js"
import { discriminatingPower } from "#dist/personal/metrics.js"
import { profileFrom } from "#dist/personal/profile.js"
import { relevantTopics } from "#dist/personal/relevant-topics.js"
import { exposureRisk, type RiskLimit } from "#dist/personal/risk.js"
import { type SeedProfile, seedProfile } from "#dist/personal/seed-profile.js"
import { nodeOf } from "#dist/personal/topic-tree.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import type { Taxonomy } from "#dist/taxonomy/taxonomy.js"
import { type Bench, type Finding, ratioAtLeast, type Target } from "./case.ts"

/** One query of one person. */
interface Situation {
  seed: SeedProfile
  limits: RiskLimit[]
}

interface Shape {
  /** The most topics of the seed profile. */
  topics: number
  /** The number of sensitive topics; half of them are among those that the query is about. */
  sensitive: number
  delta: number
}

/**
 * Makes a situation. Topics are WordNet's nouns; a person has about four times as many interests as the query is about.
 */
function makeSituation(taxonomy: Taxonomy, random: RandomSource, { topics, sensitive, delta }: Shape): Situation {
  const unit = () => (random.uint32() + 1) / 2 ** 32
  const skewed = () => Math.ceil(unit() ** -0.8)
  const leaf = () => {
    let topic = 0
    do topic = random.below(taxonomy.size)
    while (taxonomy.end[topic] > topic + 1)
    return topic
  }
  const asked: number[] = []
  const trie = new Set([0])
  for (let tries = 0; trie.size < topics && tries < 20 * topics; tries++) {
    const topic = leaf()
    const fresh: number[] = []
    for (let at = topic; !trie.has(at); at = taxonomy.parent[at]) fresh.push(at)
    if (fresh.length === 0 || (asked.length > 0 && trie.size + fresh.length > topics)) continue
    for (const at of fresh) trie.add(at)
    asked.push(topic)
  }
  const others = Array.from({ length: asked.length * 3 }, leaf).filter((topic) => !trie.has(topic))
  const profile = profileFrom(
    taxonomy,
    [...asked, ...new Set(others)].map((topic) => [topic, skewed()]),
  )
  const secret = new Map<number, number>()
  for (let i = 0; i < sensitive; i++) {
    const pool = i % 2 === 0 ? asked : others
    const topic = pool[random.below(Math.max(1, pool.length))] ?? asked[0]
    secret.set(topic, 0.1 + unit())
  }
  const costs = costLayer(profile, sensitiveTopics(taxonomy, secret))
  const relevant = relevantTopics(
    taxonomy,
    asked.map((topic) => [topic, skewed()]),
  )
  const seed = seedProfile(profile, relevant)
  if (seed === undefined || nodeOf(seed, asked[0]) < 0) throw new Error("the query has no topic in the profile")
  return { seed, limits: [{ model: exposureRisk(seed, costs), delta }] }
}

async function makeSituations(count: number, shape: (i: number) => Shape): Promise<Situation[]> {
  const taxonomy = await openTaxonomy("wordnet", {}, createContext())
  const random = seededRandom(5)
  return Array.from({ length: count }, (_, i) => makeSituation(taxonomy, random, shape(i)))
}

/**
 * Generalises each situation in several rounds, after one round of warm-up. Its time is the median of the rounds, so
 * that other work on the machine does not count. Median and 99th percentile are over situations.
 */
function time(situations: readonly Situation[], algorithm: Algorithm, rounds: number): Finding {
  const times = situations.map((): number[] => [])
  let power = 0
  let before = process.cpuUsage()
  for (let round = -1; round < rounds; round++) {
    if (round === 0) before = process.cpuUsage()
    situations.forEach(({ seed, limits }, i) => {
      const begun = performance.now()
      const { kept } = generalisers[algorithm](seed, limits)
      if (round >= 0) times[i].push(performance.now() - begun)
      if (round === 0 && kept[0] === 1) power += discriminatingPower(seed, kept)
    })
  }
  const { user, system } = process.cpuUsage(before)
  const middle = (values: number[], share = 0.5) => values.sort((a, b) => a - b)[Math.floor(values.length * share)]
  const medians = times.map((values) => middle(values))
  return {
    count: situations.length,
    seconds: medians.reduce((sum, value) => sum + value, 0) / 1000,
    medianMs: middle(medians),
    p99Ms: middle(medians, 0.99),
    // Other work on the machine stretches the elapsed time of long runs more than that of short ones; it does not
    // stretch CPU time.
    cpuMs: (user + system) / 1000 / (rounds * situations.length),
    topics: situations.reduce((sum, { seed }) => sum + seed.size, 0) / situations.length,
    power: power / situations.length,
  }
}

const upTo108 = (sensitive: number) => (i: number) => ({ topics: 2 + (i % 107), sensitive, delta: 0.1 })
const of = (topics: number, sensitive: number) => () => ({ topics, sensitive, delta: 0.1 })

/** Mean DP of each algorithm on profiles that are small enough to examine every subtree. */
async function compare(sensitive: number, delta: number): Promise<Finding> {
  const situations = await makeSituations(500, () => ({ topics: 22, sensitive, delta }))
  const sums = { il: 0, dp: 0, tree: 0, optimal: 0 }
  let count = 0
  for (const { seed, limits } of situations) {
    const best = allSubtrees(seed, limits)
    if (best === undefined) continue
    count++
    sums.optimal += best
    for (const algorithm of ["il", "dp", "tree"] as const)
      sums[algorithm] += discriminatingPower(seed, generalisers[algorithm](seed, limits).kept)
  }
  const mean = (sum: number) => sum / count
  return {
    count,
    seconds: 1,
    il: mean(sums.il),
    dp: mean(sums.dp),
    tree: mean(sums.tree),
    optimal: mean(sums.optimal),
  }
}

/** DP of the best subtree; undefined if there are too many subtrees, or none within δ. */
function allSubtrees(seed: SeedProfile, limits: readonly RiskLimit[]): number | undefined {
  try {
    const { kept } = generalisers.optimal(seed, limits)
    return kept[0] === 1 ? discriminatingPower(seed, kept) : undefined
  } catch {
    return undefined
  }
}

const small = "up to 108 topics"
/** GreedyDP measures every candidate again, so it falls behind as profiles grow. */
const sizes = [27, 54, 108]
const timed: { name: string; algorithm: Algorithm; count: number; rounds: number; shape: (i: number) => Shape }[] = [
  { name: `il, ${small}`, algorithm: "il", count: 535, rounds: 10, shape: upTo108(5) },
  { name: `tree, ${small}`, algorithm: "tree", count: 535, rounds: 10, shape: upTo108(5) },
  { name: `tree, ${small}, 30 sensitive`, algorithm: "tree", count: 535, rounds: 10, shape: upTo108(30) },
  ...sizes.flatMap((topics) => [
    { name: `il, ${topics} topics`, algorithm: "il" as const, count: 100, rounds: 10, shape: of(topics, 5) },
    { name: `dp, ${topics} topics`, algorithm: "dp" as const, count: 100, rounds: 5, shape: of(topics, 5) },
  ]),
  { name: "il, 1,000 topics", algorithm: "il", count: 20, rounds: 10, shape: of(1000, 20) },
  { name: "il, 10,000 topics", algorithm: "il", count: 5, rounds: 5, shape: of(10_000, 20) },
  { name: "tree, 1,000 topics", algorithm: "tree", count: 20, rounds: 10, shape: of(1000, 20) },
  { name: "tree, 10,000 topics", algorithm: "tree", count: 5, rounds: 5, shape: of(10_000, 20) },
  { name: "tree, 10,000 topics, 200 sensitive", algorithm: "tree", count: 5, rounds: 5, shape: of(10_000, 200) },
]
const compared = [3, 6].flatMap((sensitive) =>
  [0.1, 0.3, 0.5].map((delta) => ({ name: `DP, ${sensitive} sensitive, δ ${delta}`, sensitive, delta })),
)

function atMost(name: string, what: "medianMs" | "p99Ms", limit: number): Target {
  return {
    what: `${name}: ${what === "medianMs" ? "median" : "p99"}`,
    limit: `≤ ${limit} ms`,
    check: (findings) => {
      const value = Number(findings.get(name)?.[what])
      return { value: `${value.toFixed(3)} ms`, met: value <= limit }
    },
  }
}

/** Ten times the topics may take at most twenty times the CPU time; n² would take a hundred times. */
function nearLinear(algorithm: string): Target {
  return {
    what: `${algorithm}: 10,000 over 1,000 topics`,
    limit: "≤ 20×",
    check: (findings) => {
      const taken = (topics: string) => Number(findings.get(`${algorithm}, ${topics} topics`)?.cpuMs)
      const value = taken("10,000") / taken("1,000")
      return { value: `${value.toFixed(1)}×`, met: value <= 20 }
    },
  }
}

/** On average, DP must be within 1 % of the optimum and not below GreedyIL. */
function nearOptimum(name: string): Target {
  return {
    what: `${name}: tree over optimum`,
    limit: "≥ 0.99",
    check: (findings) => {
      const found = findings.get(name)
      const value = Number(found?.tree) / Number(found?.optimal)
      return { value: value.toFixed(4), met: value >= 0.99 && Number(found?.tree) >= Number(found?.il) }
    },
  }
}

export const personalBench: Bench = {
  name: "personal",
  prepare: async () => {},
  cases: [
    ...timed.map(({ name, algorithm, count, rounds, shape }) => ({
      name,
      run: async () => time(await makeSituations(count, shape), algorithm, rounds),
    })),
    ...compared.map(({ name, sensitive, delta }) => ({ name, run: () => compare(sensitive, delta) })),
  ],
  targets: [
    ...[`il, ${small}`, `tree, ${small}`].flatMap((name) => [atMost(name, "medianMs", 0.2), atMost(name, "p99Ms", 2)]),
    ratioAtLeast("il, 108 topics", "dp, 108 topics", 50),
    nearLinear("il"),
    nearLinear("tree"),
    ...compared.map(({ name }) => nearOptimum(name)),
  ],
  print: (findings) =>
    [
      ...timed.map(({ name }) => {
        const found = findings.get(name)
        const number = (key: string) => Number(found?.[key]).toFixed(3).padStart(10)
        return [
          `${name.padEnd(40)} mean topics ${Number(found?.topics).toFixed(0).padStart(6)}`,
          `median ms ${number("medianMs")}`,
          `p99 ms ${number("p99Ms")}`,
          `cpu ms ${number("cpuMs")}`,
          `mean DP ${number("power")}`,
        ].join("  ")
      }),
      "",
      ...sizes.map((topics) => {
        const median = (algorithm: string) => Number(findings.get(`${algorithm}, ${topics} topics`)?.medianMs)
        return `GreedyDP over GreedyIL, ${topics} topics: ${(median("dp") / median("il")).toFixed(0)}×`
      }),
      "",
      ...compared.map(({ name }) => {
        const found = findings.get(name)
        const powers = ["il", "dp", "tree", "optimal"].map((key) => `${key} ${Number(found?.[key]).toFixed(4)}`)
        return `${name.padEnd(40)} ${powers.join("  ")}  (${found?.count} profiles)`
      }),
    ].join("\n"),
}
