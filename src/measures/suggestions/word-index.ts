import type { RunContext } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import { englishFunctionWords, markFunctionWords, parseFunctionWords } from "../../text/function-words.ts"
import { type TokenisedQueries, tokeniseQueries } from "../../text/tokens.ts"

/** Texts indexed by their words, without function words. */
export interface WordIndex {
  texts: Dictionary
  words: TokenisedQueries
  /** The texts with word w are holders[starts[w], starts[w + 1]), each listed once. */
  starts: Uint32Array
  holders: Uint32Array
}

const functionWords = parseFunctionWords(englishFunctionWords)

export async function indexWords(texts: Dictionary, context: RunContext): Promise<WordIndex> {
  const words = await tokeniseQueries(texts, { tokens: "segmenter" }, context)
  const isLittle = markFunctionWords(words.words, functionWords)
  const starts = new Uint32Array(words.words.size + 1)
  const last = new Int32Array(words.words.size).fill(-1)
  const eachOnce = (take: (word: number, text: number) => void) => {
    last.fill(-1)
    for (let text = 0; text < texts.size; text++) {
      for (let i = words.offsets[text]; i < words.offsets[text + 1]; i++) {
        const word = words.tokens[i]
        if (isLittle[word] === 1 || last[word] === text) continue
        last[word] = text
        take(word, text)
      }
    }
  }
  eachOnce((word) => starts[word + 1]++)
  for (let word = 0; word < words.words.size; word++) starts[word + 1] += starts[word]
  const holders = new Uint32Array(starts[words.words.size])
  const next = starts.slice(0, -1)
  eachOnce((word, text) => {
    holders[next[word]++] = text
  })
  return { texts, words, starts, holders }
}
