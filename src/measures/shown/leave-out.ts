import { collectDistinctUsers, type UserSets } from "../../kernels/distinct-users.ts"
import { gatherEdges, type OutEdges, type WeightedEdges } from "../../kernels/retrieval/walk-graph.ts"
import { searchSorted } from "../../kernels/search-sorted.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { type ClickEdges, idsIn, pairSearches } from "./click-edges.ts"

/**
 * Edges as they would be without some users of the log, who are marked with a 1. A share is that of the other users in
 * the log: (n - t) / n, with n rows or transitions in all and t of the marked users.
 *
 * - An edge that the log has, up to the log's count, keeps the share of that edge. A click keeps it however often the
 *   release repeats it.
 * - A transition beyond that count was created by copies, added rows or the order within a truncated time. It keeps the
 *   least of three shares: of this edge, of the two consecutive rows (their query and url), and of the users who issued
 *   both queries, if there are any.
 * - A click that the log does not have keeps the smaller share of its query and of its url.
 *
 * So nothing that only marked users did remains, and no edge leads from or to a query that only they issued. Texts that
 * the log does not have belong to nobody and stay. Only searches with a query of the edges count, so two searches are
 * consecutive if those between them were withheld. The result is exact for edges of all rows of some queries, where w =
 * n.
 */
export function removerOf(edges: ClickEdges, log: SearchLog): (marked: Uint8Array) => ClickEdges {
  const { queries, urls } = edges
  const counted = countLog(edges, log)
  const held = {
    clicks: gatherEdges(edges.clicks, { sources: queries.size, loops: true }),
    transitions: gatherEdges(edges.transitions, { sources: queries.size, loops: false }),
  }
  const inLog = {
    clicks: placesIn(counted.clicks.edges, held.clicks),
    transitions: placesIn(counted.transitions.edges, held.transitions),
  }
  const followed = listFollowed(edges, { held: held.transitions, clicks: counted.clicks.edges })
  return (marked) => {
    const others = {
      queries: othersOf(counted.queries, marked),
      urls: othersOf(counted.urls, marked),
      clicks: othersOf(counted.clicks, marked),
      transitions: othersOf(counted.transitions, marked),
    }
    const ofRow = (click: number, query: number) => (click < 0 ? others.queries(query) : others.clicks(click))
    const { edge, before, after, weight: weights } = followed
    const fromOthers = new Float64Array(held.transitions.targets.length)
    for (let i = 0; i < edge.length; i++) {
      if (edge[i] < 0) continue
      const { from, to } = edges.transitions
      fromOthers[edge[i]] += weights[i] * Math.min(ofRow(before[i], from[i]), ofRow(after[i], to[i]))
    }
    const clicks = weighEdges(held.clicks, (i, query, url) => {
      const [weight, place] = [held.clicks.weights[i], inLog.clicks[i]]
      return place < 0 ? weight * Math.min(others.queries(query), others.urls(url)) : others.clicks(place, weight)
    })
    const transitions = weighEdges(held.transitions, (i, query, next) => {
      const [weight, place] = [held.transitions.weights[i], inLog.transitions[i]]
      const known = place < 0 ? 0 : Math.min(weight, counted.transitions.totals[place])
      const kept = place < 0 ? 0 : others.transitions(place, known)
      const most = Math.min(fromOthers[i], place < 0 ? weight : others.transitions(place, weight))
      if (weight <= known || most <= 0) return kept
      const both = weight * shareOfBoth(counted.issuers, { query, next, marked })
      return kept + (1 - known / weight) * Math.min(most, both)
    })
    return { queries, urls, clicks, transitions }
  }
}

/** How often something occurs in the log, and for each occurrence what it is and whose. */
interface Counts {
  totals: Float64Array
  /** For each row or transition of the log, what it is, or -1 if it does not count, and its user. */
  what: Int32Array
  user: Int32Array
}

/**
 * What is left of a weight (default 1) without the marked users: w (n - t) / n; all of it if the log has no such
 * occurrence. The order of operations matters: a weight of n must become n - t exactly.
 */
function othersOf({ totals, what, user }: Counts, marked: Uint8Array): (what: number, weight?: number) => number {
  const left = totals.slice()
  for (let i = 0; i < what.length; i++) if (what[i] >= 0 && user[i] >= 0 && marked[user[i]] === 1) left[what[i]]--
  return (i, weight = 1) => (totals[i] === 0 ? weight : (weight * left[i]) / totals[i])
}

/** The log's rows with a query of the edges, and their clicks and transitions, under the ids of the edges. */
function countLog({ queries, urls }: ClickEdges, log: SearchLog) {
  const ids = { query: idsIn(queries, log.queries), url: idsIn(urls, log.urls) }
  const query = Int32Array.from(log.query, (own) => ids.query[own])
  const url = Int32Array.from(log.url, (own, row) => (own < 0 || query[row] < 0 ? -1 : ids.url[own]))
  const { before, after } = pairSearches(log, { takes: (row) => query[row] >= 0 })
  const follows = { from: before.map((row) => query[row]), to: after.map((row) => query[row]) }
  return {
    queries: { totals: countValues(query, queries.size), what: query, user: log.user },
    urls: { totals: countValues(url, urls.size), what: url, user: log.user },
    clicks: countEdges({ from: query, to: url }, { sources: queries.size, user: log.user }),
    transitions: countEdges(follows, { sources: queries.size, user: before.map((row) => log.user[row]) }),
    issuers: collectDistinctUsers(query, log.user, { size: queries.size }),
  }
}

function countValues(values: Int32Array, size: number): Float64Array {
  const totals = new Float64Array(size)
  for (const value of values) if (value >= 0) totals[value]++
  return totals
}

function countEdges(
  { from, to }: WeightedEdges,
  { sources, user }: { sources: number; user: Int32Array },
): Counts & { edges: OutEdges } {
  const known = Uint32Array.from(to.keys()).filter((i) => from[i] >= 0 && to[i] >= 0)
  const pick = (column: Int32Array) => Int32Array.from(known, (i) => column[i])
  const edges = gatherEdges({ from: pick(from), to: pick(to) }, { sources, loops: true })
  return { edges, totals: edges.weights, what: to.map((target, i) => findEdge(edges, from[i], target)), user }
}

/** The position of an edge; -1 if there is none. */
function findEdge({ starts, targets }: OutEdges, from: number, to: number): number {
  return from < 0 || to < 0 ? -1 : searchSorted(targets, to, { from: starts[from], to: starts[from + 1] })
}

/** For each edge, its position among other edges. */
function placesIn(others: OutEdges, { starts, targets }: OutEdges): Int32Array {
  const places = new Int32Array(targets.length)
  for (let source = 0; source + 1 < starts.length; source++) {
    for (let i = starts[source]; i < starts[source + 1]; i++) places[i] = findEdge(others, source, targets[i])
  }
  return places
}

/** For each released transition, its edge, its weight, and the log's clicks that its two rows show; -1 for none. */
function listFollowed(
  { transitions, transitionUrls }: ClickEdges,
  { held, clicks }: { held: OutEdges; clicks: OutEdges },
) {
  const { from, to, weight = new Float64Array(from.length).fill(1) } = transitions
  const clickOf = (query: Int32Array, url?: Int32Array) =>
    query.map((own, i) => (url === undefined ? -1 : findEdge(clicks, own, url[i])))
  return {
    edge: to.map((target, i) => findEdge(held, from[i], target)),
    before: clickOf(from, transitionUrls?.before),
    after: clickOf(to, transitionUrls?.after),
    weight,
  }
}

function weighEdges(
  { starts, targets }: OutEdges,
  weigh: (edge: number, source: number, target: number) => number,
): WeightedEdges {
  const from = new Int32Array(targets.length)
  const weight = new Float64Array(targets.length)
  for (let source = 0; source + 1 < starts.length; source++) {
    for (let i = starts[source]; i < starts[source + 1]; i++) {
      from[i] = source
      weight[i] = weigh(i, source, targets[i])
    }
  }
  return { from, to: targets, weight }
}

/** The unmarked share of the users who issued both queries; 1 if nobody did. */
function shareOfBoth(
  { offsets, users }: UserSets,
  { query, next, marked }: { query: number; next: number; marked: Uint8Array },
): number {
  const size = (own: number) => offsets[own + 1] - offsets[own]
  const [few, many] = size(query) < size(next) ? [query, next] : [next, query]
  const range = { from: offsets[many], to: offsets[many + 1] }
  let [both, left] = [0, 0]
  for (let i = offsets[few]; i < offsets[few + 1]; i++) {
    if (searchSorted(users, users[i], range) < 0) continue
    both++
    if (marked[users[i]] === 0) left++
  }
  return both === 0 ? 1 : left / both
}
