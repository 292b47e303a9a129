import { expectedReciprocal, type TiedRank, tiedRank } from "../../kernels/retrieval/tied-rank.ts"
import { gatherEdges } from "../../kernels/retrieval/walk-graph.ts"
import { type ClickEdges, idsIn } from "../shown/click-edges.ts"
import { ListPlaces } from "./list-place.ts"
import type { TestPairs } from "./test-pairs.ts"
import type { WordIndex } from "./word-index.ts"

/** The most queries to suggest. */
export const suggested = 10

/** What suggestions are based on: the known transitions, and how often each text of the index is shown. */
export interface Suggester extends Pick<ClickEdges, "queries" | "transitions"> {
  weights: Float64Array
}

export interface PairScores {
  /** For each pair, 1 / the rank of the query that came next; 0 if it is not suggested. */
  reciprocal: Float64Array
  /** The same if only texts that followed are suggested. */
  followed: Float64Array
  /** For each pair, 1 if any text is known to have followed. */
  answered: Uint8Array
  /** The number of pairs whose next query is at rank 1, 2 …; ties share their ranks. */
  ranks: Float64Array
}

/**
 * Suggests ten queries after the first of each pair, from what is known in the pair's fold (see `ListPlaces`), and
 * looks for the query that came next. Ties are in random order, and the score is the mean over all orders.
 */
export function scorePairs(
  suggesterFor: (fold: number) => Suggester,
  { index, asked, pairs, folds }: { index: WordIndex; asked: WordIndex; pairs: TestPairs; folds: number },
): PairScores {
  const count = pairs.from.length
  const scores = {
    reciprocal: new Float64Array(count),
    followed: new Float64Array(count),
    answered: new Uint8Array(count),
    ranks: new Float64Array(suggested),
  }
  const wordsOf = wordReader(index, asked)
  for (let fold = 0; fold < folds; fold++) {
    const { queries, transitions, weights } = suggesterFor(fold)
    const edges = gatherEdges(transitions, { sources: queries.size, loops: false })
    const textOf = idsIn(index.texts, queries)
    const places = new ListPlaces(index, weights)
    for (let pair = 0; pair < count; pair++) {
      if (pairs.fold[pair] !== fold) continue
      const [from, to] = [pairs.from[pair], pairs.to[pair]].map((query) => asked.texts.bytes(query))
      const source = queries.findBytes(from)
      const [start, end] = source < 0 ? [0, 0] : [edges.starts[source], edges.starts[source + 1]]
      const targets = edges.targets.subarray(start, end)
      const followerWeights = edges.weights.subarray(start, end)
      scores.answered[pair] = targets.length > 0 ? 1 : 0
      const item = targets.indexOf(queries.findBytes(to))
      const direct = item < 0 ? undefined : tiedRank(followerWeights, item)
      scores.followed[pair] = reciprocalOf(direct)
      const rank =
        direct ??
        (targets.length >= suggested
          ? undefined
          : places.find(index.texts.findBytes(to), {
              followers: targets.map((target) => textOf[target]),
              weights: followerWeights,
              self: index.texts.findBytes(from),
              words: wordsOf(pairs.from[pair]),
            }))
      scores.reciprocal[pair] = reciprocalOf(rank)
      if (rank === undefined) continue
      for (let i = rank.above; i < Math.min(rank.above + rank.ties, suggested); i++) scores.ranks[i] += 1 / rank.ties
    }
  }
  return scores
}

const reciprocalOf = (rank: TiedRank | undefined) => (rank === undefined ? 0 : expectedReciprocal(rank, suggested))

/** The words of a query of the log, by their ids among the shown words. */
function wordReader(index: WordIndex, { words: asked }: WordIndex): (query: number) => number[] {
  const own = idsIn(index.words.words, asked.words)
  return (query) => {
    const tokens = asked.tokens.subarray(asked.offsets[query], asked.offsets[query + 1])
    return [...new Set(Array.from(tokens, (word) => own[word]))].filter((word) => word >= 0)
  }
}
