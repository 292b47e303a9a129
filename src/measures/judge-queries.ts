import type { SearchLog } from "../log/search-log.ts"
import type { ProbeSubject } from "../probes/probe.ts"

/** What is known about a query, as `judgeQueries` marks it. */
export const judgements = { unknown: 0, safe: 1, sensitive: 2 } as const

/**
 * What is known about each query of the log. With labels, a text labelled both ways is sensitive. Otherwise the truth
 * decides: a text is sensitive if one of its lines was planted, and all others are safe. Undefined if nothing is known.
 */
export function judgeQueries(
  log: SearchLog,
  { labels, truth }: Pick<ProbeSubject, "labels" | "truth">,
): Uint8Array | undefined {
  const judged = new Uint8Array(log.queries.size)
  if (labels !== undefined) {
    for (const { query, sensitive } of labels) {
      const id = log.queries.find(query)
      if (id >= 0) judged[id] = Math.max(judged[id], sensitive ? judgements.sensitive : judgements.safe)
    }
    return judged
  }
  if (truth === undefined) return undefined
  const planted = new Set(truth.secrets.map(({ line }) => line))
  for (let row = 0; row < log.rows; row++) {
    const found = planted.has(log.line[row]) ? judgements.sensitive : judgements.safe
    judged[log.query[row]] = Math.max(judged[log.query[row]], found)
  }
  return judged
}
