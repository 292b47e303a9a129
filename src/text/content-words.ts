import { shareByTexts } from "../kernels/cache-by.ts"
import type { RunContext } from "../kernels/context.ts"
import type { Dictionary } from "../kernels/dictionary.ts"
import type { TextWords } from "../kernels/linkage/text-words.ts"
import { PairTable } from "../kernels/pair-table.ts"
import { mixWords } from "../kernels/random.ts"
import { englishFunctionWords, markFunctionWords, parseFunctionWords } from "./function-words.ts"
import { type TokenisedQueries, tokeniseQueries } from "./tokens.ts"

/**
 * The distinct content words of each text, ascending: words of two or more characters that are not function words. A
 * text without content words keeps all its words.
 */
export function findContentWords(texts: Dictionary, context: RunContext): Promise<TextWords> {
  return contentWords(texts, { context }, async () => selectContentWords(await tokeniseQueries(texts, {}, context)))
}

const contentWords = shareByTexts<TextWords>()

/** `findContentWords` for texts that are already split into words. */
export function selectContentWords({ words, offsets, tokens }: TokenisedQueries): TextWords {
  const isLeftOut = markFunctionWords(words, parseFunctionWords(englishFunctionWords))
  for (let word = 0; word < words.size; word++) if (isSingle(words.text(word))) isLeftOut[word] = 1
  const found = new Int32Array(tokens.length)
  const texts = offsets.length - 1
  const starts = new Uint32Array(texts + 1)
  let count = 0
  /** Inserts a word in order into the text that began at `start`, unless it is already there. Texts are short. */
  const insert = (word: number, start: number) => {
    let at = count
    while (at > start && found[at - 1] > word) at--
    if (at > start && found[at - 1] === word) return
    found.copyWithin(at + 1, at, count++)
    found[at] = word
  }
  for (let text = 0; text < texts; text++) {
    const start = count
    for (let i = offsets[text]; i < offsets[text + 1]; i++) if (isLeftOut[tokens[i]] === 0) insert(tokens[i], start)
    if (count === start) for (let i = offsets[text]; i < offsets[text + 1]; i++) insert(tokens[i], start)
    starts[text + 1] = count
  }
  return { offsets: starts, words: found.slice(0, count) }
}

/** True for one character, which may be two UTF-16 code units. */
const isSingle = (word: string) => word.length < 2 || (word.length === 2 && [...word].length === 1)

/** The group of each text. Texts with the same content words, in any order, form one group. */
export function groupSimilarTexts({ offsets, words }: TextWords): Int32Array {
  const groups = new PairTable({ expected: offsets.length })
  const groupOf = new Int32Array(offsets.length - 1)
  let next = 0
  for (let text = 0; text < groupOf.length; text++) {
    // 64 bits represent the words. The chance that any two texts of a log collide is less than one in a thousand.
    let [a, b] = [0, 1]
    for (let i = offsets[text]; i < offsets[text + 1]; i++) {
      a = mixWords(a, words[i])
      b = mixWords(words[i], b)
    }
    groupOf[text] = groups.intern(a | 0, b | 0, next)
    if (groupOf[text] === next) next++
  }
  return groupOf
}
