import { type RunContext, yieldAndReport } from "../../../kernels/context.ts"
import type { SearchLog } from "../../../log/search-log.ts"
import { PairCounts, rowsByWeight } from "./pair-counts.ts"

/** Topics of each url by the queries that led to it: at most a few, most votes first. */
export interface UrlTopics {
  offsets: Uint32Array
  topics: Int32Array
  votes: Float64Array
}

const mostTopics = 8
const slice = 1 << 20

/** Every click is a vote for its query's topic. */
export async function voteForUrls(log: SearchLog, topicOf: Int32Array, context: RunContext): Promise<UrlTopics> {
  const counts = new PairCounts()
  for (let row = 0; row < log.rows; row++) {
    if (row % slice === 0) await yieldAndReport(context, { stage: "topics of urls", done: row, total: log.rows })
    const topic = topicOf[log.query[row]]
    if (log.url[row] >= 0 && topic >= 0) counts.add(log.url[row], topic, { weight: 1, user: log.user[row] })
  }
  const { offsets: all, pairs } = rowsByWeight(counts, log.urls.size)
  const offsets = new Uint32Array(log.urls.size + 1)
  const kept: number[] = []
  for (let url = 0; url < log.urls.size; url++) {
    for (let i = all[url]; i < Math.min(all[url + 1], all[url] + mostTopics); i++) kept.push(pairs[i])
    offsets[url + 1] = kept.length
  }
  return {
    offsets,
    topics: Int32Array.from(kept, (pair) => counts.b[pair]),
    votes: Float64Array.from(kept, (pair) => counts.weight[pair]),
  }
}
