import { type RandomSource, shuffle } from "../kernels/random.ts"
import type { SearchLog } from "../log/search-log.ts"

/**
 * Draws distinct queries for people to judge, uniformly and without replacement. Returns the text of a labels file: a
 * header, then lines with a query, a tab and room for `sensitive` or `safe`. Carpineto & Romano 2015, §4.3, had 5,000
 * judged. Private.
 */
export function drawLabels(log: SearchLog, { sample }: { sample: number }, random: RandomSource): string {
  const isIssued = new Uint8Array(log.queries.size)
  for (const query of log.query) isIssued[query] = 1
  const queries = Uint32Array.from(isIssued.keys()).filter((query) => isIssued[query] === 1)
  shuffle(queries, random)
  const lines = Array.from(queries.subarray(0, sample), (query) => `${log.queries.text(query)}\t`)
  return ["query\tlabel", ...lines, ""].join("\n")
}
