import type { RunContext } from "../../kernels/context.ts"
import { PairTable } from "../../kernels/pair-table.ts"
import { wilsonInterval } from "../../kernels/statistics/wilson-interval.ts"
import type { ProbeSubject } from "../../probes/probe.ts"
import type { Finding } from "../../probes/score.ts"
import type { SwappedRecords } from "./swapped-records.ts"

/**
 * The share of released searches that are shown under a user who issued the same text: pairs of user and query that
 * survive the swap (Pàmies-Estrems et al. 2020, §IV-C, wants none).
 */
export async function countOriginalPairs(
  { release, log }: ProbeSubject,
  { name, text, userOf }: SwappedRecords,
  context: RunContext,
): Promise<Finding> {
  const { queries } = await release.log(context)
  const issued = new PairTable({ expected: log.events })
  for (let row = 0; row < log.rows; row++) issued.intern(log.user[row], log.query[row], 0)
  const queryOf = Int32Array.from({ length: queries.size }, (_, id) => log.queries.findBytes(queries.bytes(id)))
  let kept = 0
  for (let i = 0; i < name.length; i++) if (issued.find(userOf[name[i]], queryOf[text[i]]) >= 0) kept++
  const n = name.length
  const value = n === 0 ? 0 : kept / n
  return { score: "original-pairs", value, interval: wilsonInterval(kept, n), n, baseline: 0, better: "lower" }
}
