import type { TopicSearcher } from "../taxonomy/classify/topic-searcher.ts"
import type { RelevantTopics } from "./relevant-topics.ts"

/**
 * uscore of each text (title, snippet and address of a result): how much of it is about the shown topics.
 * Shou et al. 2014, eq. 20.
 *
 * Deviation: the paper sums dnb(l, t). These logarithms are at most 0, and 0 for a text without any known word, so
 * texts about nothing would come first. Here dnb becomes the naive Bayes posterior over T(q),
 * P(t | l) ∝ Pr(t | q) · Π p(w | t) / p(w), and uscore(l) = Σ P(t | l) over the topics t ∈ T(q) at or below a leaf of
 * what was shown. A shadow does not count. A text without known words scores what the query itself says of the shown
 * topics.
 *
 * `weights`, one for each topic of T(q), are for a caller who knows the supports: locally, the person's preferences.
 */
export function uscores(
  texts: readonly string[],
  options: { searcher: TopicSearcher; relevant: RelevantTopics; shown: readonly number[]; weights?: ArrayLike<number> },
): Float64Array {
  const { searcher, relevant, shown, weights } = options
  const { end } = searcher.taxonomy
  const inOrder = [...shown].sort((a, b) => a - b)
  const leaves = inOrder.filter((topic, i) => i + 1 === inOrder.length || inOrder[i + 1] >= end[topic])
  const isShown = Uint8Array.from(relevant.topic, (topic) =>
    leaves.some((leaf) => topic >= leaf && topic < end[leaf]) ? 1 : 0,
  )
  return Float64Array.from(texts, (text) => {
    const words = searcher.wordsOf(text)
    const scores = Float64Array.from(relevant.topic, (topic, i) => {
      return Math.log(relevant.probability[i]) + searcher.likelihood(topic, words)
    })
    const most = Math.max(...scores)
    let [inside, all] = [0, 0]
    scores.forEach((score, i) => {
      const weight = Math.exp(score - most)
      all += weight
      if (isShown[i] === 1) inside += weight * (weights?.[i] ?? 1)
    })
    return all === 0 ? 0 : inside / all
  })
}

/** UPRank: items by falling uscore; ties keep their original order. Place 0 comes first. */
export function upRank(scores: ArrayLike<number>): Uint32Array {
  const order = Uint32Array.from({ length: scores.length }, (_, i) => i)
  return order.sort((a, b) => scores[b] - scores[a] || a - b)
}

/**
 * Borda fusion of several orders of the same n items. An item gets n − place points in each order. Most points come
 * first; ties follow the first order.
 */
export function fuseBorda(orders: readonly ArrayLike<number>[]): Uint32Array {
  const n = orders[0]?.length ?? 0
  const points = new Float64Array(n)
  const first = new Uint32Array(n)
  orders.forEach((order, which) => {
    for (let place = 0; place < n; place++) {
      points[order[place]] += n - place
      if (which === 0) first[order[place]] = place
    }
  })
  return Uint32Array.from({ length: n }, (_, i) => i).sort((a, b) => points[b] - points[a] || first[a] - first[b])
}

/**
 * The order in which results are shown: Borda fusion of their original order and UPRank. `texts` are those of the
 * results. The other options are those of `uscores`.
 */
export function rerank(texts: readonly string[], options: Parameters<typeof uscores>[1]): Uint32Array {
  const asTheyCame = Uint32Array.from(texts, (_, i) => i)
  if (options.relevant.topic.length === 0 || options.shown.length === 0) return asTheyCame
  return fuseBorda([asTheyCame, upRank(uscores(texts, options))])
}

/** Of a query's topics, the one that each text is most likely about; -1 if no word of the text distinguishes topics. */
export function topicsOfTexts(
  texts: readonly string[],
  { searcher, relevant }: { searcher: TopicSearcher; relevant: RelevantTopics },
): Int32Array {
  return Int32Array.from(texts, (text) => {
    const words = searcher.wordsOf(text)
    let [best, most] = [-1, Number.NEGATIVE_INFINITY]
    for (let i = 0; i < relevant.topic.length && words.length > 0; i++) {
      const score = Math.log(relevant.probability[i]) + searcher.likelihood(relevant.topic[i], words)
      if (score > most) [best, most] = [relevant.topic[i], score]
    }
    return best
  })
}

/** AP = Σ i / rank(l_i) / n over the n relevant items in the order of their ranks, which start at 1. Eq. 19. */
export function averagePrecision(order: ArrayLike<number>, isRelevant: (item: number) => boolean): number {
  let found = 0
  let sum = 0
  for (let place = 0; place < order.length; place++) {
    if (!isRelevant(order[place])) continue
    found++
    sum += found / (place + 1)
  }
  return found === 0 ? 0 : sum / found
}
