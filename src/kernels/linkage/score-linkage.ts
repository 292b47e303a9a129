import { wilsonInterval } from "../statistics/wilson-interval.ts"
import { countIds, type ReleasedStream } from "./released-stream.ts"

/** How often an attacker was right. Records whose issuer is unknown are left out of every number. */
export interface LinkageScore {
  records: number
  named: number
  right: number
  /**
   * Share of all records, with Wilson's 95 % interval. It is too narrow if records depend on each other, like repeats
   * in a unit.
   */
  share: number
  interval: [number, number]
  /** Share of the records for which somebody was named; 0 if there are none. */
  shareOfNamed: number
}

/** Counts how often an attacker's names are right. Records whose issuer is unknown do not count. */
export function scoreLinkage(named: Int32Array, { truth }: ReleasedStream): LinkageScore {
  let records = 0
  let said = 0
  let right = 0
  for (let i = 0; i < named.length; i++) {
    if (truth[i] < 0) continue
    records++
    if (named[i] < 0) continue
    said++
    if (named[i] === truth[i]) right++
  }
  return {
    records,
    named: said,
    right,
    share: records === 0 ? 0 : right / records,
    interval: wilsonInterval(right, records),
    shareOfNamed: said === 0 ? 0 : right / said,
  }
}

/** How often an attacker was right in one category, among the records for which somebody was named. */
export interface CategoryScore {
  category: number
  named: number
  right: number
  share: number
  /** Wilson's 95 % interval of this one category. It does not account for choosing the category out of many. */
  interval: [number, number]
}

/** Scores every category in which at least `least` records were given to somebody, in ascending order. */
export function scoreCategories(
  named: Int32Array,
  { category, truth }: ReleasedStream,
  { least = 1 }: { least?: number } = {},
): CategoryScore[] {
  const said = new Int32Array(countIds(category))
  const right = new Int32Array(said.length)
  for (let i = 0; i < named.length; i++) {
    if (truth[i] < 0 || named[i] < 0) continue
    said[category[i]]++
    if (named[i] === truth[i]) right[category[i]]++
  }
  const scores: CategoryScore[] = []
  for (let c = 0; c < said.length; c++) {
    if (said[c] < Math.max(1, least)) continue
    const interval = wilsonInterval(right[c], said[c])
    scores.push({ category: c, named: said[c], right: right[c], share: right[c] / said[c], interval })
  }
  return scores
}

/** Among the categories with at least `least` named records, the one where naming is right most often. */
export function worstCategory(
  named: Int32Array,
  stream: ReleasedStream,
  options: { least: number },
): CategoryScore | undefined {
  let worst: CategoryScore | undefined
  for (const score of scoreCategories(named, stream, options)) {
    if (worst === undefined || score.share > worst.share) worst = score
  }
  return worst
}
