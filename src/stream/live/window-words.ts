import { randomHashSeed } from "../../kernels/dictionary.ts"
import type { TextWords } from "../../kernels/linkage/text-words.ts"
import { cutShard } from "../../text/cut-words.ts"
import { englishFunctionWords, parseFunctionWords } from "../../text/function-words.ts"

/** The content words of texts that lie one behind the other; text t ends at offsets[t + 1]. */
export function readTextWords(arena: Uint8Array, offsets: Uint32Array): TextWords {
  const texts = offsets.length - 1
  const cut = cutShard({ queries: { arena, offsets }, mode: "words", seed: randomHashSeed(), from: 0, to: texts })
  const isContent = markContent(cut.arena, cut.offsets)
  const words = new Int32Array(cut.tokens.length)
  const ends = new Uint32Array(texts + 1)
  const lastText = new Int32Array(isContent.length).fill(-1)
  let token = 0
  let count = 0
  for (let text = 0; text < texts; text++) {
    for (const end = token + cut.lengths[text]; token < end; token++) {
      const word = cut.tokens[token]
      if (isContent[word] === 0 || lastText[word] === text) continue
      lastText[word] = text
      words[count++] = word
    }
    ends[text + 1] = count
  }
  return { offsets: ends, words: words.slice(0, count) }
}

function markContent(arena: Uint8Array, offsets: Uint32Array): Uint8Array {
  const isFunction = parseFunctionWords(englishFunctionWords)
  const bytes = Buffer.from(arena.buffer, arena.byteOffset, arena.length)
  const marks = new Uint8Array(offsets.length - 1)
  for (let word = 0; word < marks.length; word++)
    if (!isFunction.has(bytes.toString("utf8", offsets[word], offsets[word + 1]))) marks[word] = 1
  return marks
}
