import type { Dictionary } from "../../kernels/dictionary.ts"
import { gatherEdges, type OutEdges } from "../../kernels/retrieval/walk-graph.ts"
import { type SearchLog, unknownRank } from "../../log/search-log.ts"
import { hashText, splitUsers } from "../split-users.ts"

/** The test queries, and what the users of each fold clicked for them. */
export interface FoldTests {
  folds: number
  /** The fold of each user. */
  foldOf: Uint8Array
  /** The test queries, as ids of the log. */
  asked: Int32Array
  /** Clicked documents and their clicks. Those of fold f for asked[i] are under f · asked.length + i. */
  judged: OutEdges
  /** For each judged document, I_d: the best rank at which a user of the fold clicked it. */
  clickedAt: Float64Array
}

/** Which queries to ask: how many, whether all queries with a click are equally likely, and a seed. */
export interface DrawOptions {
  queries: number
  draw?: "evenly" | "clicks"
  seed: number
}

/**
 * Splits users into folds and gathers what those of each fold clicked. A user's fold depends only on their id and the
 * seed. Which queries with a click are drawn depends only on their texts, their clicks and the seed. The order of rows
 * does not matter.
 */
export function gatherTests(log: SearchLog, { folds, ...options }: DrawOptions & { folds: number }): FoldTests {
  const foldOf = splitUsers(log, { folds, seed: options.seed })
  const asked = drawQueries(log, options)
  const placeOf = new Int32Array(log.queries.size).fill(-1)
  asked.forEach((query, place) => {
    placeOf[query] = place
  })
  const isJudged = (row: number) => log.url[row] >= 0 && log.user[row] >= 0 && placeOf[log.query[row]] >= 0
  const topicOf = (row: number) => foldOf[log.user[row]] * asked.length + placeOf[log.query[row]]
  let count = 0
  for (let row = 0; row < log.rows; row++) if (isJudged(row)) count++
  const edges = { from: new Int32Array(count), to: new Int32Array(count) }
  for (let row = 0; row < log.rows; row++) {
    if (!isJudged(row)) continue
    edges.from[--count] = topicOf(row)
    edges.to[count] = log.url[row]
  }
  const judged = gatherEdges(edges, { sources: folds * asked.length, loops: true })
  const clickedAt = new Float64Array(judged.targets.length).fill(unknownRank)
  for (let row = 0; row < log.rows; row++) {
    if (!isJudged(row)) continue
    const at = findJudged(judged, topicOf(row), log.url[row])
    clickedAt[at] = Math.min(clickedAt[at], log.rank[row])
  }
  rankUnknown(judged, clickedAt, log.urls)
  return { folds, foldOf, asked, judged, clickedAt }
}

/** The position of a document among those judged for a topic, which are sorted by id; -1 if it is not among them. */
export function findJudged({ starts, targets }: OutEdges, topic: number, document: number): number {
  let [from, to] = [starts[topic], starts[topic + 1]]
  while (from < to) {
    const middle = (from + to) >> 1
    if (targets[middle] === document) return middle
    if (targets[middle] < document) from = middle + 1
    else to = middle
  }
  return -1
}

/** Gives clicks without a rank in the log the position of their document by falling clicks of the fold, from 1. */
function rankUnknown({ starts, targets, weights }: OutEdges, clickedAt: Float64Array, urls: Dictionary): void {
  const compare = (a: number, b: number) =>
    weights[b] - weights[a] || Buffer.compare(urls.bytes(targets[b]), urls.bytes(targets[a]))
  for (let topic = 0; topic + 1 < starts.length; topic++) {
    const [from, to] = [starts[topic], starts[topic + 1]]
    if (!clickedAt.subarray(from, to).includes(unknownRank)) continue
    const order = Int32Array.from({ length: to - from }, (_, i) => from + i).sort(compare)
    order.forEach((at, place) => {
      if (clickedAt[at] === unknownRank) clickedAt[at] = place + 1
    })
  }
}

/**
 * Draws from the queries with a click by a known user, without replacement: evenly, or in proportion to their clicks.
 * Those with the smallest −ln(u) / w are drawn, where u ∈ (0, 1) is a hash of the text and w the weight (Efraimidis &
 * Spirakis 2006).
 */
function drawQueries(log: SearchLog, { queries, draw, seed }: DrawOptions): Int32Array {
  const clicks = new Uint32Array(log.queries.size)
  for (let row = 0; row < log.rows; row++) if (log.url[row] >= 0 && log.user[row] >= 0) clicks[log.query[row]]++
  const keys = new Float64Array(log.queries.size).fill(Number.POSITIVE_INFINITY)
  for (let query = 0; query < keys.length; query++) {
    if (clicks[query] === 0) continue
    const unit = (hashText(log.queries.bytes(query), seed) + 0.5) / 2 ** 32
    keys[query] = -Math.log(unit) / (draw === "clicks" ? clicks[query] : 1)
  }
  const sorted = keys.filter((key) => key !== Number.POSITIVE_INFINITY).sort()
  const most = sorted[Math.min(queries, sorted.length) - 1] ?? 0
  const drawn: number[] = []
  for (let query = 0; query < keys.length; query++) if (keys[query] <= most) drawn.push(query)
  drawn.sort((a, b) => keys[a] - keys[b] || Buffer.compare(log.queries.bytes(a), log.queries.bytes(b)))
  return Int32Array.from(drawn.slice(0, queries))
}
