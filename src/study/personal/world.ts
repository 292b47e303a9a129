import type { RunContext } from "../../kernels/context.ts"
import { seededRandom, shuffle } from "../../kernels/random.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { clusterNumbers } from "../../personal/cluster-numbers.ts"
import { mapQuery } from "../../personal/map-query.ts"
import { powerWithoutProfile } from "../../personal/metrics.ts"
import { type QueryClass, queryClass, queryClassBounds } from "../../personal/query-classes.ts"
import type { RelevantTopics } from "../../personal/relevant-topics.ts"
import { type TopicSearcher, topicSearcher } from "../../taxonomy/classify/topic-searcher.ts"
import { openTaxonomy } from "../../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"

export const queryClasses: readonly QueryClass[] = ["distinct", "medium", "ambiguous"]

/**
 * The source of the bounds between classes: k-means over the log's queries, as in §7.1, or the paper's bounds for AOL
 * queries.
 */
export const boundSources = ["log", "paper"] as const

/** A query of the log that has topics. */
export interface StudyQuery {
  /** The query number in the log. */
  id: number
  text: string
  relevant: RelevantTopics
  /** DP(q, R). */
  power: number
  class: QueryClass
}

/** Bounds of DP(q, R) between ambiguous, medium and distinct queries. */
interface ClassBounds {
  medium: number
  distinct: number
}

/** What all points share: the topics, the class bounds, and queries of the log that have topics. */
export interface World {
  log: SearchLog
  searcher: TopicSearcher
  taxonomy: Taxonomy
  bounds: ClassBounds
  /** Bounds by k-means over the queries. They are computed even if `bounds` are the paper's. */
  logBounds: ClassBounds
  queries: readonly StudyQuery[]
  /** Returns a query of the log by its number; undefined if it has no topics. */
  queryOf(id: number): StudyQuery | undefined
}

export interface WorldOptions {
  taxonomy: string
  pool: number
  bounds: (typeof boundSources)[number]
}

const worlds = new WeakMap<SearchLog, Map<string, Promise<World>>>()

/** Builds the world once for all points of a study. */
export function openWorld(log: SearchLog, options: WorldOptions, context: RunContext): Promise<World> {
  const known = worlds.get(log) ?? new Map<string, Promise<World>>()
  worlds.set(log, known)
  const key = JSON.stringify(options)
  const world = known.get(key) ?? makeWorld(log, options, context)
  known.set(key, world)
  return world
}

async function makeWorld(log: SearchLog, options: WorldOptions, context: RunContext): Promise<World> {
  const taxonomy = await openTaxonomy(options.taxonomy, {}, context)
  const searcher = topicSearcher(taxonomy)
  const mapped = new Map<number, Omit<StudyQuery, "class"> | undefined>()
  const mapOnce = (id: number) => {
    if (mapped.has(id)) return mapped.get(id)
    const text = log.queries.text(id)
    const relevant = mapQuery(searcher, text)
    const query =
      relevant.topic.length === 0 ? undefined : { id, text, relevant, power: powerWithoutProfile(taxonomy, relevant) }
    mapped.set(id, query)
    return query
  }
  const order = Uint32Array.from({ length: log.queries.size }, (_, query) => query)
  shuffle(order, seededRandom(1))
  const pool: Omit<StudyQuery, "class">[] = []
  for (const id of order) {
    if (pool.length >= options.pool) break
    const query = mapOnce(id)
    if (query !== undefined) pool.push(query)
  }
  const logBounds = findBounds(pool.map(({ power }) => power))
  const bounds = options.bounds === "log" ? logBounds : queryClassBounds
  const classify = (query: Omit<StudyQuery, "class">) => ({ ...query, class: queryClass(query.power, bounds) })
  const queryOf = (id: number) => {
    const query = mapOnce(id)
    return query && classify(query)
  }
  return { log, searcher, taxonomy, bounds, logBounds, queries: pool.map(classify), queryOf }
}

/** Bounds by k-means into three classes (§7.1). With fewer than three values, the bounds of the paper. */
function findBounds(powers: readonly number[]): ClassBounds {
  const [medium, distinct] = clusterNumbers(powers, { k: 3 })
  return medium === undefined || distinct === undefined ? queryClassBounds : { medium, distinct }
}
