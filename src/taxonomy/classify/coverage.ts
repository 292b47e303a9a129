import type { SearchLog } from "../../log/search-log.ts"
import { countQueries } from "../../log/statistics.ts"
import { childrenOf, type Taxonomy } from "../taxonomy.ts"

/** A number of events and of distinct queries. */
export interface Tally {
  events: number
  queries: number
}

/** How much of a log a classifier covers, and how deep. */
export interface Coverage {
  events: number
  queries: number
  classified: Tally
  unclassified: Tally
  /** By level of the topic. Level 1 is directly below the root. */
  depths: (Tally & { depth: number })[]
  /** By topic of level 1, most events first. Topics without queries are left out. */
  topics: (Tally & { path: string })[]
}

/** Measures how much of a log has a topic, by depth and by topic of the first level. */
export function measureCoverage(log: SearchLog, topicOf: Int32Array, taxonomy: Taxonomy): Coverage {
  const { events } = countQueries(log)
  const none = (): Tally => ({ events: 0, queries: 0 })
  const all = none()
  const classified = none()
  const depths: Tally[] = []
  const byTopic = new Map([...childrenOf(taxonomy, 0)].map((topic) => [topic, none()]))
  const { parent, depth } = taxonomy
  const add = (tally: Tally | undefined, count: number) => {
    if (tally === undefined) return
    tally.events += count
    tally.queries++
  }
  for (let query = 0; query < topicOf.length; query++) {
    if (events[query] === 0) continue
    add(all, events[query])
    let at = topicOf[query]
    if (at < 0) continue
    add(classified, events[query])
    depths[depth[at]] ??= none()
    add(depths[depth[at]], events[query])
    while (depth[at] > 1) at = parent[at]
    add(byTopic.get(at), events[query])
  }
  return {
    ...all,
    classified,
    unclassified: { events: all.events - classified.events, queries: all.queries - classified.queries },
    depths: depths.flatMap((tally, at) => (tally === undefined ? [] : [{ depth: at, ...tally }])),
    topics: [...byTopic]
      .filter(([, tally]) => tally.queries > 0)
      .map(([topic, tally]) => ({ path: taxonomy.path(topic), ...tally }))
      .sort((a, b) => b.events - a.events || (a.path < b.path ? -1 : 1)),
  }
}
