import { type Dictionary, mixHash, stepHash } from "../../kernels/dictionary.ts"
import { type Sign, signs } from "./detector.ts"
import { allKinds, type KindSet } from "./kinds.ts"
import { QueryText } from "./query-text.ts"
import { detectors, matchKinds } from "./registry.ts"

const tableBits = 18
const lowerMask = (1 << tableBits) - 1
const seed = 0x811c9dc5

/**
 * `filter`: one bit for each value of the upper 18 bits of a hash, set if a clue has a word with this value. It is
 * small enough for the nearest cache. `wordTable`: the clues, by the lower bits. If two words collide in both, a query
 * is only read without need.
 */
const filter = new Uint32Array(1 << 13)
const wordTable = new Uint8Array(1 << tableBits)
const clues = detectors.flatMap((detector, i) => detector.clues.map((clue) => ({ kind: 1 << i, ...clue })))
const mostDigits = Math.max(...clues.map(({ digits = 0 }) => digits))
const wordBits = registerWords()
/**
 * The number of digits is capped at `mostDigits`, because more say nothing new. One bit for each sign and for each clue
 * with words follows.
 */
const signShift = Math.ceil(Math.log2(mostDigits + 1))
const wordShift = signShift + signs.length
const wordClues = clues.filter(({ words }) => words !== undefined).length

/**
 * Gives each clue with words a bit, and sets it for these words in the table. Returns the bits in the order of the
 * clues; 0 for a clue without words.
 */
function registerWords(): number[] {
  let next = 1
  return clues.map(({ words }) => {
    if (words === undefined) return 0
    const bit = next
    for (const word of words) {
      const hash = hashWord(word)
      filter[hash >>> 19] |= 1 << ((hash >>> 14) & 31)
      wordTable[hash & lowerMask] |= bit
    }
    next <<= 1
    return bit
  })
}

const tables = new Map<KindSet, Uint16Array>()

/**
 * For each number that `gatherClues` can return, the kinds whose detectors must read the query. Kept, because a stream
 * asks often.
 */
function tabulateCandidates(kinds: KindSet): Uint16Array {
  const known = tables.get(kinds)
  if (known !== undefined) return known
  const table = new Uint16Array(1 << (wordShift + wordClues))
  for (let seen = 0; seen < table.length; seen++) {
    const digitsSeen = seen & ((1 << signShift) - 1)
    clues.forEach(({ kind, digits = 0, signs: anyOf = [] }, i) => {
      if ((kind & kinds) === 0 || digitsSeen < digits) return
      if (anyOf.length > 0 && (signBits(anyOf) & (seen >>> signShift)) === 0) return
      if (wordBits[i] !== 0 && (wordBits[i] & (seen >>> wordShift)) === 0) return
      table[seen] |= kind
    })
  }
  tables.set(kinds, table)
  return table
}

function signBits(anyOf: readonly Sign[]): number {
  return anyOf.reduce((bits, sign) => bits | (1 << signs.indexOf(sign)), 0)
}

function hashWord(word: string): number {
  let hash = seed
  for (const byte of Buffer.from(word)) hash = stepHash(hash, byte)
  return mixHash(hash)
}

/** The bits of the clues that have a word with this hash. */
function cluesOf(hash: number): number {
  const mixed = mixHash(hash)
  if (((filter[mixed >>> 19] >>> ((mixed >>> 14) & 31)) & 1) === 0) return 0
  return wordTable[mixed & lowerMask]
}

/**
 * Which of the given kinds each query of a dictionary contains. The result equals that of `detectKinds`, but most texts
 * are never made. One pass over the bytes collects the clues (digits, signs, words by hash). Only a query with a clue
 * for some detector becomes a string, and only those detectors read it.
 */
export function scanQueries(queries: Dictionary, kinds: KindSet = allKinds): Uint16Array {
  const { arena, offsets } = queries.parts()
  const candidatesOf = tabulateCandidates(kinds)
  const found = new Uint16Array(queries.size)
  for (let id = 0; id < queries.size; id++) {
    const candidates = candidatesOf[gatherClues(arena, offsets[id], offsets[id + 1])]
    if (candidates !== 0) found[id] = matchKinds(new QueryText(queries.text(id)), candidates)
  }
  return found
}

/** The clues of a text in one number: its digits, its signs from bit `signShift`, its words from bit `wordShift`. */
function gatherClues(bytes: Uint8Array, start: number, end: number): number {
  let digits = 0
  let colons = 0
  let dots = 0
  let found = 0
  let words = 0
  let hash = seed
  for (let i = start; i < end; i++) {
    const byte = bytes[i]
    if (byte >= 0x61 && (byte <= 0x7a || (byte >= 0x80 && !isPunctuation(bytes, i, end)))) {
      hash = stepHash(hash, byte)
      continue
    }
    if (hash !== seed) {
      words |= cluesOf(hash)
      hash = seed
    }
    if (byte >= 0x30 && byte <= 0x39) digits++
    else if (byte === 0x2e) dots++
    else if (byte === 0x3a) colons++
    else if (byte === 0xc2) i++
    else if (byte === 0xe2) i += 2
    else found |= signOfByte[byte]
  }
  if (hash !== seed) words |= cluesOf(hash)
  if (colons > 1) found |= colonsBit
  if (dots > 2) found |= dotsBit
  return Math.min(digits, mostDigits) | (found << signShift) | (words << wordShift)
}

/** The bit of a sign that a single byte shows. */
const signOfByte = new Uint8Array(256)
signOfByte[0x20] = signBits(["space"])
signOfByte[0x25] = signBits(["percent"])
signOfByte[0x2f] = signBits(["slash"])
signOfByte[0x40] = signBits(["at"])
const colonsBit = signBits(["colons"])
const dotsBit = signBits(["dots"])

/** True if a character of U+0080–U+00BF (c2 …) or U+2000–U+203F (e2 80 …) starts here: the complement of `isLetter`. */
function isPunctuation(bytes: Uint8Array, at: number, end: number): boolean {
  return bytes[at] === 0xc2 || (bytes[at] === 0xe2 && at + 1 < end && bytes[at + 1] === 0x80)
}
