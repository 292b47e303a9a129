import type { DictionaryParts } from "../dictionary.ts"

/** A ranked list: documents from best to worst, with their scores in single precision. */
export interface Ranking {
  documents: Int32Array
  scores: Float32Array
}

/** Documents to rank, the first `count` of the list, and their scores. */
export interface Candidates {
  documents: Int32Array
  count: number
  /** How well a document fits. Higher is better. */
  scoreOf: (document: number) => number
}

/**
 * The best `depth` documents, by descending score. Equal scores are ordered by descending bytes of the name. This is
 * the order that trec_eval gives a run, whatever order the run is in. Scores have single precision, so scores that
 * differ only in the last digits of a double are equal, and sums computed in another order rank alike.
 */
export function rankDocuments(
  { documents, count, scoreOf }: Candidates,
  options: { depth: number; names: DictionaryParts },
): Ranking {
  const { names } = options
  const depth = Math.min(options.depth, count)
  // A heap whose top is the worst of the best so far.
  const held = new Int32Array(depth)
  const scores = new Float32Array(depth)
  const isWorse = (a: number, b: number) =>
    scores[a] !== scores[b] ? scores[a] < scores[b] : compareNames(names, held[a], held[b]) < 0
  const exchange = (a: number, b: number) => {
    const [document, score] = [held[a], scores[a]]
    held[a] = held[b]
    scores[a] = scores[b]
    held[b] = document
    scores[b] = score
  }
  const sink = (from: number, size: number) => {
    for (let at = from; ; ) {
      let worst = at
      for (let child = at * 2 + 1; child <= at * 2 + 2 && child < size; child++)
        if (isWorse(child, worst)) worst = child
      if (worst === at) return
      exchange(at, worst)
      at = worst
    }
  }
  for (let i = 0; i < depth; i++) {
    held[i] = documents[i]
    scores[i] = scoreOf(documents[i])
  }
  for (let i = (depth >> 1) - 1; i >= 0; i--) sink(i, depth)
  for (let i = depth; depth > 0 && i < count; i++) {
    const score = Math.fround(scoreOf(documents[i]))
    if (score < scores[0] || (score === scores[0] && compareNames(names, documents[i], held[0]) < 0)) continue
    held[0] = documents[i]
    scores[0] = score
    sink(0, depth)
  }
  for (let size = depth - 1; size > 0; size--) {
    exchange(0, size)
    sink(0, size)
  }
  return { documents: held, scores }
}

function compareNames({ arena, offsets }: DictionaryParts, a: number, b: number): number {
  const [from, other] = [offsets[a], offsets[b]]
  const [length, otherLength] = [offsets[a + 1] - from, offsets[b + 1] - other]
  for (let i = 0; i < length && i < otherLength; i++) {
    if (arena[from + i] !== arena[other + i]) return arena[from + i] - arena[other + i]
  }
  return length - otherLength
}
