import { hashBytes } from "../../kernels/dictionary.ts"

const quote = 34
const backslash = 92
const colon = 58
const brace = 123
/** With this bit, `[` and `{` are one byte, and so are `]` and `}`. */
const curled = 32
const opening = 123
const closing = 125

/**
 * A hash of the names of a JSON object's members, in order. Records with the same names have their columns in the same
 * places. It looks at the bytes alone, which is faster than parsing; what is not an object gets 0 or any number.
 */
export function hashMemberNames(value: Uint8Array): number {
  let hash = 0
  let depth = 0
  for (let at = 0; at < value.length; at++) {
    const byte = value[at]
    if (byte === quote) {
      const start = at + 1
      at = endOfText(value, start)
      if (depth === 1 && nextToken(value, at + 1) === colon) hash = hashBytes(value, start, at, hash)
    } else if ((byte | curled) === opening) {
      if (depth === 0 && byte !== brace) return 0
      depth++
    } else if ((byte | curled) === closing) depth--
  }
  return hash
}

/** Where a text ends, given where it begins. */
function endOfText(value: Uint8Array, start: number): number {
  let at = start
  while (at < value.length && value[at] !== quote) at += value[at] === backslash ? 2 : 1
  return at
}

/** The first byte from here that is not white space. */
function nextToken(value: Uint8Array, start: number): number {
  let at = start
  while (value[at] <= 32) at++
  return value[at]
}
