import type { RunContext } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import { englishFunctionWords, markFunctionWords, parseFunctionWords } from "../../text/function-words.ts"
import { tokeniseQueries } from "../../text/tokens.ts"

/** By text: the group of those with the same content words, in whatever order; where a text has none, the same words. */
export async function groupSimilarTexts(texts: Dictionary, context: RunContext): Promise<Int32Array> {
  const { words, offsets, tokens } = await tokeniseQueries(texts, {}, context)
  const isFunction = markFunctionWords(words, parseFunctionWords(englishFunctionWords))
  const groups = new Map<string, number>()
  return Int32Array.from({ length: texts.size }, (_, text) => {
    const own = [...new Set(tokens.subarray(offsets[text], offsets[text + 1]))].sort((a, b) => a - b)
    const content = own.filter((word) => isFunction[word] === 0)
    const key = (content.length > 0 ? content : own).join()
    const group = groups.get(key) ?? groups.size
    groups.set(key, group)
    return group
  })
}
