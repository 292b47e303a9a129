import type { ReleasedStream } from "../kernels/linkage/released-stream.ts"
import { scoreCategories } from "../kernels/linkage/score-linkage.ts"
import { PairTable } from "../kernels/pair-table.ts"
import { orderByKey } from "../kernels/sort-segments.ts"
import { meanSwapDistances, treeDistance } from "../kernels/tree-distance.ts"
import type { ArrivingRecords } from "../methods/swap/auto-depth.ts"
import type { Swapped } from "../methods/swap/swap-log.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"

/** Records that passed through a swapper. `category` is indexed by record. */
export interface SwapSubject {
  records: ArrivingRecords
  category: Int32Array
  swapped: Swapped
}

/** The records that were released and those that were not, by reason, each as a share of the records that arrived. */
export function outcomeShares({ records, swapped }: SwapSubject) {
  const { overBacklog, sameText, repeated, rareText, waiting } = swapped.withheld
  const came = Math.max(1, records.user.length)
  return {
    released: swapped.sequence.length / came,
    waiting: waiting / came,
    repeated: repeated / came,
    overBacklog: overBacklog / came,
    sameText: sameText / came,
    rareText: rareText / came,
  }
}

/** The share of released records that are shown under a user who issued the same text. */
export function originalPairs({ records: { user, text }, swapped: { sequence, as } }: SwapSubject): number {
  const issued = new PairTable({ expected: user.length })
  for (let i = 0; i < user.length; i++) issued.intern(user[i], text[i], 0)
  let kept = 0
  for (const record of sequence) if (issued.find(user[as[record]], text[record]) >= 0) kept++
  return kept / Math.max(1, sequence.length)
}

/** The mean delay of released records: in records that arrived meanwhile, and in hours. */
export function meanDelay({ records, swapped }: SwapSubject): { delay: number; hours: number } {
  let came = 0
  let seconds = 0
  for (const record of swapped.sequence) {
    came += swapped.closing[record] - record
    seconds += records.time[swapped.closing[record]] - records.time[record]
  }
  const left = Math.max(1, swapped.sequence.length)
  return { delay: came / left, hours: seconds / 3600 / left }
}

/** The state of a stream after `input` records. */
export interface FlowPoint {
  input: number
  /** The share of the records so far that have been released. */
  output: number
  waiting: number
  /**
   * For records released since the point before: the mean number of records that arrived while one waited, and the mean
   * hours.
   */
  delay: number
  hours: number
}

/** The state of the stream at evenly spaced points. Pàmies-Estrems et al. 2020, Fig. 9 and 13. */
export function flowOf({ records, swapped }: SwapSubject, { points }: { points: number }): FlowPoint[] {
  const count = records.user.length
  const [left, delay, seconds, entered] = [0, 1, 2, 3].map(() => new Float64Array(points))
  const bin = (record: number) => Math.min(points - 1, Math.floor((record * points) / count))
  for (let record = 0; record < count; record++) if (swapped.refused[record] === 0) entered[bin(record)]++
  for (const record of swapped.sequence) {
    const closing = swapped.closing[record]
    left[bin(closing)]++
    delay[bin(closing)] += closing - record
    seconds[bin(closing)] += records.time[closing] - records.time[record]
  }
  let [out, waiting] = [0, 0]
  return Array.from(left, (leaving, i) => {
    const input = Math.ceil(((i + 1) * count) / points)
    out += leaving
    waiting += entered[i] - leaving
    const mean = (sum: number) => (leaving === 0 ? 0 : sum / leaving)
    return { input, output: out / input, waiting, delay: mean(delay[i]), hours: mean(seconds[i]) / 3600 }
  })
}

/**
 * The number of categories that received a record, the mean number waiting at the end in the categories where any wait,
 * and the most that waited at once.
 */
export function sizesOf({ category, swapped }: SwapSubject): {
  categories: number
  meanQ: number
  mostWaiting: number
} {
  const size = category.reduce((most, id) => Math.max(most, id), -1) + 1
  const [came, waiting] = [new Uint8Array(size), new Int32Array(size)]
  const change = new Int32Array(category.length + 1) // change in the number waiting, when a record arrives
  for (let record = 0; record < category.length; record++) {
    came[category[record]] = 1
    if (swapped.refused[record] !== 0) continue
    change[record]++
    if (swapped.as[record] < 0) waiting[category[record]]++
    else change[swapped.closing[record]]--
  }
  let [now, most] = [0, 0]
  for (const by of change) {
    now += by
    most = Math.max(most, now)
  }
  const waits = waiting.filter((held) => held > 0)
  return {
    categories: came.reduce((sum, one) => sum + one, 0),
    meanQ: waits.length === 0 ? 0 : waits.reduce((sum, held) => sum + held, 0) / waits.length,
    mostWaiting: most,
  }
}

/** What swapping loses: in edges of the topic tree, and as a share of the path lengths of two searches to the root. */
export interface Loss {
  edges: number
  share: number
}

/**
 * What swapping actually lost. `pairs` is the mean distance between a record and the record whose user it is shown
 * with. `profiles` compares, for each user, the topics of the records shown under that user with the topics of the
 * records whose user they carry. It is the mean earth mover's distance, weighted by the number of records: a loss in
 * one record may be made up by another record of the same user.
 */
export function lossOf({ records, swapped }: SwapSubject, taxonomy: Taxonomy): { pairs: Loss; profiles: Loss } {
  const { topic, user } = records
  const { as, sequence } = swapped
  const longest = longestWay(topic, taxonomy)
  let pairs = 0
  for (const record of sequence) pairs += edgesBetween(topic[record], topic[as[record]], taxonomy)
  const shown = sequence.map((record) => user[as[record]])
  const order = orderByKey(shown, shown.reduce((most, id) => Math.max(most, id), -1) + 1)
  const distance = treeDistance(taxonomy.parent)
  const ones = new Uint8Array(sequence.length).fill(1)
  let profiles = 0
  for (let start = 0, end = 0; start < order.length; start = end) {
    while (end < order.length && shown[order[end]] === shown[order[start]]) end++
    const own = Int32Array.from(order.subarray(start, end), (place) => sequence[place])
    const counts = ones.subarray(start, end)
    const before = { nodes: own.map((record) => topic[as[record]]), counts }
    profiles += (end - start) * distance(before, { nodes: own.map((record) => topic[record]), counts })
  }
  const loss = (sum: number): Loss => {
    const edges = sequence.length === 0 ? 0 : sum / sequence.length
    return { edges, share: edges / longest }
  }
  return { pairs: loss(pairs), profiles: loss(profiles) }
}

/** The expected loss of swapping, by depth of the categories from 0. Pàmies-Estrems et al. 2020, Fig. 10. */
export function expectedLoss({ topic }: ArrivingRecords, taxonomy: Taxonomy): Loss[] {
  const counts = new Float64Array(taxonomy.size)
  for (const node of topic) counts[node]++
  const longest = longestWay(topic, taxonomy)
  return meanSwapDistances(taxonomy, counts).map((edges) => ({ edges, share: edges / longest }))
}

/**
 * The mean number of edges between two searches if their paths meet only at the root: the greatest possible distance.
 */
export function longestWay(topic: Int32Array, { depth }: Taxonomy): number {
  let way = 0
  for (const node of topic) way += depth[node]
  return topic.length === 0 ? 1 : (2 * way) / topic.length
}

function edgesBetween(one: number, other: number, { parent, depth }: Taxonomy): number {
  let [a, b, edges] = [one, other, 0]
  for (; a !== b; edges++) {
    if (depth[a] >= depth[b]) a = parent[a]
    else b = parent[b]
  }
  return edges
}

/** The category in which one user's share of the arrived records is largest, and the success of an attacker in it. */
export interface HeavyCategory {
  category: number
  came: number
  /** The share of the most active user. */
  share: number
  named: number
  right: number
  interval: [number, number]
}

/**
 * Finds the heaviest category among those with at least `least` arrived records; undefined if there is none. `named` is
 * indexed by released record.
 */
export function heaviestCategory(
  { records, category }: SwapSubject,
  attack: { named: Int32Array; stream: ReleasedStream },
  { least }: { least: number },
): HeavyCategory | undefined {
  const order = orderByKey(category, category.reduce((most, id) => Math.max(most, id), -1) + 1)
  let best = { category: -1, came: 0, share: 0 }
  for (let start = 0, end = 0; start < order.length; start = end) {
    while (end < order.length && category[order[end]] === category[order[start]]) end++
    if (end - start < least) continue
    const counts = new Map<number, number>()
    for (const record of order.subarray(start, end))
      counts.set(records.user[record], (counts.get(records.user[record]) ?? 0) + 1)
    let most = 0
    for (const count of counts.values()) most = Math.max(most, count)
    const share = most / (end - start)
    if (share > best.share) best = { category: category[order[start]], came: end - start, share }
  }
  if (best.category < 0) return undefined
  const score = scoreCategories(attack.named, attack.stream).find((found) => found.category === best.category)
  const { named = 0, right = 0, interval = [0, 1] } = score ?? {}
  return { ...best, named, right, interval }
}
