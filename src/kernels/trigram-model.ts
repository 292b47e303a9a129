import { beginMark, endMark, type TrigramIndex } from "./trigram-index.ts"

/** A language model: the probability of a word after two words. */
export interface TrigramModel {
  /** P(word | first, second), for words and the end mark. */
  probability(word: number, context: { first: number; second: number }): number
  /** The probability of each word of a text after the words before it, and of its end mark. */
  chances(text: ArrayLike<number>): Float64Array
}

/**
 * Trigrams interpolated after Witten & Bell 1991: P(w | h) = (c(h w) + T(h) P(w | h′)) / (c(h) + T(h)). h′ is h without
 * its first word, c(h w) is the total weight of the occurrences of h w, c(h) = Σ_w c(h w), and T(h) is the number of
 * different w that followed h. Below the single words is `base`, a distribution over words and the end mark. If h never
 * occurred, P(w | h) = P(w | h′), so a model of no texts is `base`. Weights may be fractions, so counts of counts are
 * not used. A text with a weight of 0 or less counts as absent.
 *
 * Sums to 1 over words and the end mark for every context.
 */
export function trainTrigrams(
  index: TrigramIndex,
  { weights, base }: { weights: Float64Array; base: (word: number) => number },
): TrigramModel {
  const { words, starts, pairContext, tripleContext } = index
  const [single, pair, triple] = [words + 1, pairContext.length, tripleContext.length].map((n) => new Float64Array(n))
  for (let text = 0; text < weights.length; text++) {
    const weight = weights[text]
    if (weight <= 0) continue
    for (let at = starts[text]; at < starts[text + 1]; at++) {
      single[index.word[at]] += weight
      pair[index.pair[at]] += weight
      triple[index.triple[at]] += weight
    }
  }
  const all = gatherContexts(single, { contexts: 1, contextOf: () => 0 })
  const ofWord = gatherContexts(pair, { contexts: words + 2, contextOf: (id) => pairContext[id] })
  const ofPair = gatherContexts(triple, { contexts: pair.length, contextOf: (id) => tripleContext[id] })
  const mix = (count: number, { sums, kinds }: Contexts, context: number, shorter: number) => {
    const whole = sums[context] + kinds[context]
    return whole === 0 ? shorter : (count + kinds[context] * shorter) / whole
  }
  const probability: TrigramModel["probability"] = (word, { first, second }) => {
    const alone = mix(single[word], all, 0, base(word))
    const ownPair = index.findPair(second, word)
    const afterOne = mix(ownPair < 0 ? 0 : pair[ownPair], ofWord, second, alone)
    const context = index.findPair(first, second)
    if (context < 0) return afterOne
    const ownTriple = index.findTriple(context, word)
    return mix(ownTriple < 0 ? 0 : triple[ownTriple], ofPair, context, afterOne)
  }
  return {
    probability,
    chances(text) {
      const found = new Float64Array(text.length + 1)
      let context = { first: beginMark(words), second: beginMark(words) }
      for (let i = 0; i < found.length; i++) {
        const word = i < text.length ? text[i] : endMark(words)
        found[i] = probability(word, context)
        context = { first: context.second, second: word }
      }
      return found
    },
  }
}

/** By context: the total weight of what follows it, and the number of different words that do. */
interface Contexts {
  sums: Float64Array
  kinds: Uint32Array
}

function gatherContexts(
  counts: Float64Array,
  { contexts, contextOf }: { contexts: number; contextOf: (id: number) => number },
): Contexts {
  const found = { sums: new Float64Array(contexts), kinds: new Uint32Array(contexts) }
  for (let id = 0; id < counts.length; id++) {
    if (counts[id] === 0) continue
    found.sums[contextOf(id)] += counts[id]
    found.kinds[contextOf(id)]++
  }
  return found
}
