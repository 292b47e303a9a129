import type { RunContext } from "../../kernels/context.ts"
import { countNgrams, type NgramRows, type Ngrams } from "../../kernels/ngrams.ts"
import { markFunctionWords } from "../../text/function-words.ts"
import type { TokenisedQueries } from "../../text/tokens.ts"
import { weighBigram, weighTrigram, weighWord } from "./concept-weights.ts"

/** Query concepts: n-grams that enough users issued, with their weights. The numbering runs over all lengths. */
export interface Concepts {
  size: number
  weight: Float64Array
  ngrams: Ngrams[]
  /** By length minus one, then by n-gram: its concept, or -1. */
  conceptOf: Int32Array[]
}

/**
 * Finds the concepts: the uni-, bi- and trigrams that at least `minConceptUsers` users issued and that do not consist
 * of function words only. A word is weighted by its frequency. A longer n-gram is weighted by how much more often its
 * words occur together than apart. Carpineto & Romano 2015, §3.1, eq. 1 to 3. N in (1) is the number of events whose
 * query has the word. Probabilities are occurrences relative to all occurrences of n-grams of the same length.
 */
export async function mineConcepts(
  queries: TokenisedQueries,
  options: { rows: NgramRows; minConceptUsers: number; functionWords: Iterable<string> },
  context: RunContext,
): Promise<Concepts> {
  const { words, offsets, tokens } = queries
  const ngrams = await countNgrams({ offsets, tokens, words: words.size }, { rows: options.rows }, context)
  const isFunction = functionOnly(ngrams, markFunctionWords(words, options.functionWords))
  let size = 0
  const conceptOf = ngrams.map(({ users }, i) =>
    Int32Array.from(users, (count, id) => (count >= options.minConceptUsers && isFunction[i][id] === 0 ? size++ : -1)),
  )
  const weight = new Float64Array(size)
  const weigh = weights(ngrams, secondBigrams(queries, ngrams))
  conceptOf.forEach((concepts, i) => {
    for (let id = 0; id < concepts.length; id++) if (concepts[id] >= 0) weight[concepts[id]] = weigh[i](id)
  })
  return { size, weight, ngrams, conceptOf }
}

/** By length minus one, then by n-gram: 1 if all of its words are function words. */
function functionOnly(ngrams: readonly Ngrams[], isFunctionWord: Uint8Array): Uint8Array[] {
  const marks: Uint8Array[] = []
  for (const { size, prefix, last, n } of ngrams) {
    const shorter = marks.at(-1)
    marks.push(
      Uint8Array.from({ length: size }, (_, id) =>
        n === 1 || shorter === undefined ? isFunctionWord[last[id]] : shorter[prefix[id]] & isFunctionWord[last[id]],
      ),
    )
  }
  return marks
}

/** The bigram of the last two words of each trigram. */
function secondBigrams({ tokens }: TokenisedQueries, [, bigrams, trigrams]: readonly Ngrams[]): Int32Array {
  const second = new Int32Array(trigrams.size)
  for (let token = 0; token < tokens.length; token++) {
    if (trigrams.at[token] >= 0) second[trigrams.at[token]] = bigrams.at[token + 1]
  }
  return second
}

/** Eq. 1, 2 and 3: the weight of an n-gram of each length. */
function weights(ngrams: readonly Ngrams[], second: Int32Array): ((id: number) => number)[] {
  const [words, bigrams, trigrams] = ngrams
  const totals = ngrams.map(({ occurrences }) => occurrences.reduce((sum, count) => sum + count, 0))
  const probability = (n: number, id: number) => ngrams[n - 1].occurrences[id] / totals[n - 1]
  return [
    (x) => weighWord(words.events[x]),
    (xy) => {
      const [x, y] = [probability(1, bigrams.prefix[xy]), probability(1, bigrams.last[xy])]
      return weighBigram(probability(2, xy), { x, y })
    },
    (xyz) => {
      const xy = trigrams.prefix[xyz]
      return weighTrigram(probability(3, xyz), {
        x: probability(1, bigrams.prefix[xy]),
        y: probability(1, bigrams.last[xy]),
        z: probability(1, trigrams.last[xyz]),
        xy: probability(2, xy),
        yz: probability(2, second[xyz]),
      })
    },
  ]
}
