import { Buffer } from "node:buffer"
import { mixHash, stepHash } from "../../kernels/dictionary.ts"
import { findHashed, type WordIndex } from "./word-index.ts"

const letters = 26
const longestWord = 24

/**
 * The words that a glued word may be made of, by their first letters: those of two, three and four letters stand in tables
 * of all such words, and of longer ones a bit says whether any begins with five given letters. Most looks end there.
 */
export interface GluedWords {
  two: Uint8Array
  three: Uint8Array
  four: Uint8Array
  /** A bit each. */
  five: Uint8Array
  /** Of each id of the words: whether it counts. */
  usable: Uint8Array
}

export function gatherGlued(words: WordIndex, isUsable: (id: number, length: number) => boolean): GluedWords {
  const shared = (length: number) => new Uint8Array(new SharedArrayBuffer(length))
  const glued: GluedWords = {
    two: shared(letters ** 2),
    three: shared(letters ** 3),
    four: shared(letters ** 4),
    five: shared(Math.ceil(letters ** 5 / 8)),
    usable: shared(words.offsets.length - 1),
  }
  for (let id = 0; id < glued.usable.length; id++) {
    const from = words.offsets[id]
    const length = words.offsets[id + 1] - from
    if (length < 2 || length > longestWord || !isUsable(id, length)) continue
    let code = 0
    let plain = true
    for (let i = 0; i < length; i++) {
      const letter = words.arena[from + i] - 97
      if (letter < 0 || letter >= letters) plain = false
      if (i < 5) code = code * letters + letter
    }
    if (!plain) continue
    glued.usable[id] = 1
    if (length === 2) glued.two[code] = 1
    else if (length === 3) glued.three[code] = 1
    else if (length === 4) glued.four[code] = 1
    else glued.five[code >>> 3] |= 1 << (code & 7)
  }
  return glued
}

const longest = 48
const codes = Buffer.alloc(longest + 1)
const best = new Float64Array(longest + 1)
const cameFrom = new Int32Array(longest + 1)
const isKnown = new Uint8Array(longest + 1)

/** A glued word cut into what is known of it. */
export interface Segments {
  words: string[]
  /** Share of the letters that known words cover. */
  known: number
}

/** Cuts `gardenshed` into `garden` and `shed`: of all ways the one with the greatest sum of squared lengths of known words. */
export function cutGlued(glued: GluedWords, words: WordIndex, text: string): Segments {
  const end = text.length
  if (end > longest) return { words: [], known: 0 }
  for (let i = 0; i < end; i++) codes[i] = text.charCodeAt(i)
  best.fill(-1, 0, end + 1)
  best[0] = 0
  for (let start = 0; start < end; start++) {
    if (best[start] > best[start + 1]) reach(start, start + 1, 0)
    let code = 0
    for (let length = 1; length <= 5 && start + length <= end; length++) {
      code = code * letters + codes[start + length - 1] - 97
      if (length === 2 && glued.two[code] === 1) reach(start, start + 2, 1)
      else if (length === 3 && glued.three[code] === 1) reach(start, start + 3, 1)
      else if (length === 4 && glued.four[code] === 1) reach(start, start + 4, 1)
      else if (length === 5 && (glued.five[code >>> 3] & (1 << (code & 7))) !== 0) {
        reachLonger(glued, words, { start, end })
      }
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

/** Reaches the ends of the known words of five letters and more that begin at `start`. */
function reachLonger(glued: GluedWords, words: WordIndex, { start, end }: { start: number; end: number }): void {
  const stop = Math.min(end, start + longestWord)
  let hash = words.seed
  for (let i = start; i < start + 4; i++) hash = stepHash(hash, codes[i])
  for (let to = start + 5; to <= stop; to++) {
    hash = stepHash(hash, codes[to - 1])
    const id = findHashed(words, { bytes: codes, start, end: to }, mixHash(hash))
    if (id >= 0 && glued.usable[id] === 1) reach(start, to, 1)
  }
}

/** Whoever comes to `to` with the greatest sum stays. */
function reach(from: number, to: number, known: number): void {
  const value = best[from] + (known === 1 ? (to - from) ** 2 - 2 : 0)
  if (value <= best[to]) return
  best[to] = value
  cameFrom[to] = from
  isKnown[to] = known
}
