import type { DictionaryParts } from "../dictionary.ts"
import { type Ranking, rankDocuments } from "./rank-documents.ts"
import type { WalkGraph } from "./walk-graph.ts"

/** All documents that were clicked for a query, by descending clicks. The document at place i has O_d = i + 1. */
export function rankByClicks({ clicks }: WalkGraph, query: number, options: { names: DictionaryParts }): Ranking {
  const [from, to] = [clicks.starts[query], clicks.starts[query + 1]]
  const documents = clicks.targets.subarray(from, to)
  const weights = new Map<number, number>()
  for (let i = from; i < to; i++) weights.set(clicks.targets[i], clicks.weights[i])
  const scoreOf = (document: number) => weights.get(document) ?? 0
  return rankDocuments({ documents, count: to - from, scoreOf }, { depth: to - from, ...options })
}

/**
 * Implicit feedback: the ranking by clicks, with documents that later searchers clicked moved up. A variant of
 * Agichtein, Brill & Dumais 2006; Zhang, Yang & Singh 2016, §5:
 * S(d) = λ / (I_d + 1) + 1 / (O_d + 1) if d was clicked in the test, else 1 / (O_d + 1).
 *
 * `clickedAt` returns I_d, or undefined if d was not clicked. It comes from the same clicks that the ranking is judged
 * by. Without it the ranking is the one by clicks.
 */
export function rankWithFeedback(
  byClicks: Ranking,
  clickedAt: (document: number) => number | undefined,
  options: { lambda: number; depth: number; names: DictionaryParts },
): Ranking {
  const scores = new Map<number, number>()
  byClicks.documents.forEach((document, place) => {
    const original = 1 / (place + 2)
    const clicked = clickedAt(document)
    scores.set(document, clicked === undefined ? original : options.lambda / (clicked + 1) + original)
  })
  const scoreOf = (document: number) => scores.get(document) ?? 0
  return rankDocuments({ documents: byClicks.documents, count: byClicks.documents.length, scoreOf }, options)
}
