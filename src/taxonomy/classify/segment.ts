import { type ClassifierModel, wordKind } from "./model.ts"
import { wordsFrom } from "./word-index.ts"

const longest = 48
const best = new Float64Array(longest + 1)
const from = new Int32Array(longest + 1)
const isKnown = new Uint8Array(longest + 1)

/** By length: a word counts if it says less than this. */
const mostInfo = [0, 0, 0, 8, 9, 10, 99]

/** A glued word cut into what is known of it. */
export interface Segments {
  words: string[]
  /** Share of the letters that known words cover. */
  known: number
}

/**
 * Cuts `gardenshed` into `garden` and `shed`: of all ways that which has the greatest sum of squared lengths of known words.
 * The shorter a word, the more common it must be: any few letters are some rare word.
 */
export function segment({ words, kind, info }: Pick<ClassifierModel, "words" | "kind" | "info">, glued: string): Segments {
  const isCommon = (id: number, length: number) => {
    if ((kind[id] & (wordKind.functionWord | wordKind.little)) !== 0) return length > 1
    return (kind[id] & wordKind.phrase) !== 0 && info[id] < mostInfo[Math.min(length, mostInfo.length - 1)]
  }
  const bytes = Buffer.from(glued)
  const end = bytes.length
  if (end > longest) return { words: [], known: 0 }
  best.fill(-1, 0, end + 1)
  best[0] = 0
  const reach = (at: number, value: number, start: number, known: number) => {
    if (value <= best[at]) return
    best[at] = value
    from[at] = start
    isKnown[at] = known
  }
  for (let start = 0; start < end; start++) {
    reach(start + 1, best[start], start, 0)
    wordsFrom(words, { bytes, start, end }, (id, to) => {
      const length = to - start
      if (!isCommon(id, length)) return
      reach(to, best[start] + length * length - 2, start, 1)
    })
  }
  const found: string[] = []
  let covered = 0
  for (let at = end; at > 0; at = from[at]) {
    if (isKnown[at] === 0) continue
    found.unshift(bytes.toString("latin1", from[at], at))
    covered += at - from[at]
  }
  return { words: found, known: end === 0 ? 0 : covered / end }
}
