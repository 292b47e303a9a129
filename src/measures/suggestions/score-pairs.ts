import { expectedReciprocal, tiedRank } from "../../kernels/retrieval/tied-rank.ts"
import { gatherEdges } from "../../kernels/retrieval/walk-graph.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { ClickEdges } from "../shown/click-edges.ts"
import type { TestPairs } from "./test-pairs.ts"

/** How many queries are suggested at most. */
export const suggested = 10

/** What is suggested from: the transitions that are known. */
export type Suggester = Pick<ClickEdges, "queries" | "transitions">

export interface PairScores {
  /** By pair: 1 / the rank of the query that came next, 0 where it is not suggested. */
  reciprocal: Float64Array
  /** By pair: 1 where anything is suggested. */
  answered: Uint8Array
  /** How many pairs had the query that came next at rank 1, 2 …; ties share their ranks. */
  ranks: Float64Array
}

/**
 * Suggests after the first query of each pair those that followed it, by falling weight, from what is known in the pair's fold. Those of
 * one weight are in random order, and what is scored is the mean over all orders.
 */
export function scorePairs(
  suggesterFor: (fold: number) => Suggester,
  { log, pairs, folds }: { log: SearchLog; pairs: TestPairs; folds: number },
): PairScores {
  const count = pairs.from.length
  const scores = {
    reciprocal: new Float64Array(count),
    answered: new Uint8Array(count),
    ranks: new Float64Array(suggested),
  }
  for (let fold = 0; fold < folds; fold++) {
    const { queries, transitions } = suggesterFor(fold)
    const { starts, targets, weights } = gatherEdges(transitions, { sources: queries.size, loops: false })
    const find = (query: number) => (queries === log.queries ? query : queries.findBytes(log.queries.bytes(query)))
    for (let pair = 0; pair < count; pair++) {
      if (pairs.fold[pair] !== fold) continue
      const from = find(pairs.from[pair])
      if (from < 0 || starts[from] === starts[from + 1]) continue
      scores.answered[pair] = 1
      const to = find(pairs.to[pair])
      const item = targets.subarray(starts[from], starts[from + 1]).indexOf(to)
      if (item < 0) continue
      const rank = tiedRank(weights.subarray(starts[from], starts[from + 1]), item)
      scores.reciprocal[pair] = expectedReciprocal(rank, suggested)
      for (let i = rank.above; i < Math.min(rank.above + rank.ties, suggested); i++) scores.ranks[i] += 1 / rank.ties
    }
  }
  return scores
}
