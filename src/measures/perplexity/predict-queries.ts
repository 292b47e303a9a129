import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { bestMixture } from "../../kernels/statistics/best-mixture.ts"
import { clusteredMean } from "../../kernels/statistics/clustered-mean.ts"
import { indexTrigrams, type WordRuns } from "../../kernels/trigram-index.ts"
import { trainTrigrams } from "../../kernels/trigram-model.ts"
import type { HeldOut } from "./held-out.ts"
import type { Vocabulary } from "./vocabulary.ts"

/** The prediction task: held-out searches, and the words of each query of the log as classes. */
export interface Task {
  folds: number
  vocabulary: Vocabulary
  heldOut: HeldOut
  runs: WordRuns
}

export interface Prediction {
  perplexity: number
  interval?: [number, number]
  /** λ: the weight of the model against one that knows nothing. */
  trust: number
}

/**
 * The perplexity exp(−Σ ln P / n) of the n words of held-out searches, where the end of each search counts as a word. P
 * = λ M + (1 − λ) / N. M is a trigram model of the texts, trained without the users of the search's fold. N is the
 * number of words of the log plus the end mark. λ is chosen optimally, so that no model scores worse than N, the value
 * of knowing nothing.
 *
 * The `rare` words of the last class share the probability that M gives the class evenly. The single words of M are
 * interpolated with 1 / N for each word. The interval treats users as the sampling unit and λ as known.
 */
export async function predictQueries(
  texts: { runs: WordRuns; weightsFor: (fold: number) => Float64Array },
  { folds, vocabulary, heldOut, runs }: Task,
  context: RunContext,
): Promise<Prediction> {
  const { classes, rare } = vocabulary
  const last = classes - 1
  const all = wordsOf(vocabulary)
  const base = (word: number) => (word === last ? rare : 1) / all
  const index = indexTrigrams(texts.runs, { words: classes })
  const chances: number[] = []
  const users: number[] = []
  for (let fold = 0; fold < folds; fold++) {
    await yieldAndReport(context, { stage: "predicting queries", done: fold, total: folds })
    const model = trainTrigrams(index, { weights: texts.weightsFor(fold), base })
    for (let i = 0; i < heldOut.query.length; i++) {
      if (heldOut.fold[i] !== fold) continue
      const query = heldOut.query[i]
      const words = runs.tokens.subarray(runs.offsets[query], runs.offsets[query + 1])
      model.chances(words).forEach((chance, at) => {
        chances.push(words[at] === last ? chance / rare : chance)
        users.push(heldOut.user[i])
      })
    }
  }
  const trust = bestMixture(chances, 1 / all)
  const nats = chances.map((chance) => -Math.log(trust * chance + (1 - trust) / all))
  const { mean, interval } = clusteredMean(nats, { clusters: users })
  const [low, high] = interval ?? []
  const isKnown = low !== undefined && high !== undefined
  return { perplexity: Math.exp(mean), trust, ...(isKnown && { interval: [Math.exp(low), Math.exp(high)] }) }
}

/** N: the number of words of the log, plus the end mark. */
export const wordsOf = ({ classes, rare }: Vocabulary) => classes - 1 + rare + 1
