import { dictionaryFrom, randomHashSeed } from "../../kernels/dictionary.ts"
import type { TextWords } from "../../kernels/linkage/text-words.ts"
import { selectContentWords } from "../../text/content-words.ts"
import { cutShard } from "../../text/cut-words.ts"

/** The content words of texts that are stored one after another; text t ends at offsets[t + 1]. */
export function readTextWords(arena: Uint8Array, offsets: Uint32Array): TextWords {
  const texts = offsets.length - 1
  const cut = cutShard({ queries: { arena, offsets }, mode: "words", seed: randomHashSeed(), from: 0, to: texts })
  const starts = new Uint32Array(texts + 1)
  for (let text = 0; text < texts; text++) starts[text + 1] = starts[text] + cut.lengths[text]
  const words = dictionaryFrom({ arena: cut.arena, offsets: cut.offsets })
  return selectContentWords({ words, offsets: starts, tokens: cut.tokens })
}
