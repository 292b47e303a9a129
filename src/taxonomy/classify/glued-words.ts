import { type LetterTrie, LetterTrieBuilder, stepLetter } from "./letter-trie.ts"
import type { WordIndex } from "./word-index.ts"

const letters = 26
const longestWord = 24

/** Collects the words that a glued word may consist of. */
export function gatherGlued(words: WordIndex, isUsable: (id: number, length: number) => boolean): LetterTrie {
  const { arena, offsets } = words
  const trie = new LetterTrieBuilder()
  for (let id = 0; id + 1 < offsets.length; id++) {
    const length = offsets[id + 1] - offsets[id]
    if (length < 2 || length > longestWord || !isUsable(id, length)) continue
    let plain = true
    for (let i = offsets[id]; i < offsets[id + 1]; i++) if (arena[i] < 97 || arena[i] > 122) plain = false
    if (plain) trie.add(arena, offsets[id], offsets[id + 1])
  }
  return trie.finish()
}

const longest = 48
const codes = new Uint8Array(longest + 2)
const best = new Int32Array(longest + 1)
const cameFrom = new Int32Array(longest + 1)
const isKnown = new Uint8Array(longest + 1)

/** A glued word, split into its known words. */
export interface SplitWord {
  words: string[]
  /** Share of the letters that known words cover. */
  known: number
}

/** Splits `gardenshed` into `garden` and `shed`: the split that maximises the sum of (length² − 2) over known words. */
export function cutGlued(glued: LetterTrie, text: string): SplitWord {
  const end = text.length
  if (end > longest) return { words: [], known: 0 }
  const { afterTwo, afterThree, isWord } = glued
  for (let i = 0; i < end; i++) codes[i] = text.charCodeAt(i) - 97
  best.fill(-1, 0, end + 1)
  best[0] = 0
  for (let start = 0; start < end; start++) {
    if (best[start] > best[start + 1]) reach(start, start + 1, 0)
    if (start + 2 > end) break
    const two = codes[start] * letters + codes[start + 1]
    if (isWord[afterTwo[two]] === 1) reach(start, start + 2, 1)
    if (start + 3 > end) continue
    let node = afterThree[two * letters + codes[start + 2]]
    for (let to = start + 3; node !== 0; to++) {
      if (isWord[node] === 1) reach(start, to, 1)
      node = to < end ? stepLetter(glued, node, codes[to]) : 0
    }
  }
  const found: string[] = []
  let covered = 0
  for (let at = end; at > 0; at = cameFrom[at]) {
    if (isKnown[at] === 0) continue
    found.unshift(text.slice(cameFrom[at], at))
    covered += at - cameFrom[at]
  }
  return { words: found, known: end === 0 ? 0 : covered / end }
}

/** Keeps the way to `to` that has the greatest sum. */
function reach(from: number, to: number, known: number): void {
  const value = best[from] + (known === 1 ? (to - from) ** 2 - 2 : 0)
  if (value <= best[to]) return
  best[to] = value
  cameFrom[to] = from
  isKnown[to] = known
}
