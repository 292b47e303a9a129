import type { RunContext } from "../../kernels/context.ts"
import { type RandomSource, seededRandom, shuffle } from "../../kernels/random.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { type CostLayer, costLayer, sensitiveTopics } from "../../personal/cost-layer.ts"
import type { Generaliser } from "../../personal/generalise.ts"
import { greedyDp } from "../../personal/greedy-dp.ts"
import { greedyIl } from "../../personal/greedy-il.ts"
import { mapQuery } from "../../personal/map-query.ts"
import { powerWithoutProfile } from "../../personal/metrics.ts"
import { type Profile, profileFrom } from "../../personal/profile.ts"
import { type QueryClass, queryClass } from "../../personal/query-classes.ts"
import type { RelevantTopics } from "../../personal/relevant-topics.ts"
import { type SeedProfile, seedProfile } from "../../personal/seed-profile.ts"
import { generaliseTree } from "../../personal/tree/generalise-tree.ts"
import { type TopicSearcher, topicSearcher } from "../../taxonomy/classify/topic-searcher.ts"
import { openTaxonomy } from "../../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"

/** The generalisers that are compared. */
export const algorithms: Record<string, Generaliser> = { GreedyDP: greedyDp, GreedyIL: greedyIl, tree: generaliseTree }

export const queryClasses: readonly QueryClass[] = ["distinct", "medium", "ambiguous"]

/** A query of the log, without its text. */
interface StudyQuery {
  text: string
  relevant: RelevantTopics
  /** DP(q, R). */
  power: number
  class: QueryClass
}

/** What all points share: the topics, and queries of the log that have some. */
export interface World {
  searcher: TopicSearcher
  taxonomy: Taxonomy
  queries: readonly StudyQuery[]
}

/** A made-up person, whose interests are known. */
export interface MadeUpUser {
  profile: Profile
  costs: CostLayer
  sensitive: readonly (readonly [topic: number, sensitivity: number])[]
  queries: readonly StudyQuery[]
}

/** A person asks: what the profile has of it, and what is meant. */
export interface Situation {
  user: MadeUpUser
  query: StudyQuery
  seed: SeedProfile
}

const worlds = new WeakMap<SearchLog, Map<string, Promise<World>>>()

/** Opened once for all points of a study. */
export function openWorld(
  log: SearchLog,
  options: { taxonomy: string; pool: number },
  context: RunContext,
): Promise<World> {
  const known = worlds.get(log) ?? new Map<string, Promise<World>>()
  worlds.set(log, known)
  const key = JSON.stringify(options)
  const world = known.get(key) ?? makeWorld(log, options, context)
  known.set(key, world)
  return world
}

async function makeWorld(
  log: SearchLog,
  { taxonomy: choice, pool }: { taxonomy: string; pool: number },
  context: RunContext,
): Promise<World> {
  const taxonomy = await openTaxonomy(choice, {}, context)
  const searcher = topicSearcher(taxonomy)
  const order = Uint32Array.from({ length: log.queries.size }, (_, query) => query)
  shuffle(order, seededRandom(1))
  const queries: StudyQuery[] = []
  for (const id of order) {
    if (queries.length >= pool) break
    const text = log.queries.text(id)
    const relevant = mapQuery(searcher, text)
    if (relevant.topic.length === 0) continue
    const power = powerWithoutProfile(taxonomy, relevant)
    queries.push({ text, relevant, power, class: queryClass(power) })
  }
  return { searcher, taxonomy, queries }
}

/**
 * Person number n: interested in what some queries of the log mean, as many of each class as there are, after §7.1. Of each
 * query they have read three to eight documents, two thirds about the topic they mean, the others about any that the query
 * may mean. Up to five of the topics they read about, or the topics above those, are sensitive.
 */
export function makeUser({ taxonomy, queries }: World, number: number, options: { interests: number }): MadeUpUser {
  const random = seededRandom(1000 + number)
  const chosen: StudyQuery[] = []
  for (let i = 0; i < options.interests; i++) {
    const wanted = queryClasses[i % queryClasses.length]
    const candidates = queries.filter((query) => query.class === wanted)
    const query = (candidates.length > 0 ? candidates : queries)[random.below(Math.max(1, candidates.length))]
    if (query !== undefined) chosen.push(query)
  }
  const supports = new Map<number, number>()
  for (const { relevant } of chosen) {
    const meant = drawRelevant(relevant, random)
    for (let document = 3 + random.below(6); document > 0; document--) {
      const topic = random.below(3) < 2 ? meant : drawRelevant(relevant, random)
      supports.set(topic, (supports.get(topic) ?? 0) + 1)
    }
  }
  const profile = profileFrom(taxonomy, supports)
  const sensitive = chooseSensitive(taxonomy, [...supports.keys()], random)
  const costs = costLayer(profile, sensitiveTopics(taxonomy, sensitive))
  return { profile, costs, sensitive, queries: chosen }
}

/** A topic of T(q), by Pr(t | q). */
function drawRelevant({ topic, probability }: RelevantTopics, random: RandomSource): number {
  let left = random.uint32() / 2 ** 32
  for (const [i, id] of topic.entries()) {
    left -= probability[i] ?? 0
    if (left < 0) return id
  }
  return topic.at(-1) ?? 0
}

export function chooseSensitive(
  { parent, end, depth }: Taxonomy,
  topics: readonly number[],
  random: RandomSource,
): [topic: number, sensitivity: number][] {
  const chosen: number[] = []
  for (let tries = 0; tries < 40 && chosen.length < 5 && topics.length > 0; tries++) {
    const read = topics[random.below(topics.length)] ?? 0
    const topic = random.below(2) === 0 && (depth[read] ?? 0) > 3 ? (parent[read] ?? read) : read
    const overlaps = (a: number, b: number) => a >= b && a < (end[b] ?? 0)
    if (chosen.every((other) => !overlaps(topic, other) && !overlaps(other, topic))) chosen.push(topic)
  }
  return chosen.map((topic) => [topic, 1])
}

/** Everything that some people ask, where their profile has something of it. */
export function listSituations(world: World, options: { users: number; interests: number }): Situation[] {
  return Array.from({ length: options.users }, (_, number) => makeUser(world, number, options)).flatMap((user) =>
    user.queries.flatMap((query) => {
      const seed = seedProfile(user.profile, query.relevant)
      return seed === undefined ? [] : [{ user, query, seed }]
    }),
  )
}
