const quote = 34
const backslash = 92
const comma = 44
const lineFeed = 10
const space = 32
const openArray = 91
const closeArray = 93
const openObject = 123
const closeObject = 125

/** Lines and their number. */
export interface Lines {
  bytes: Uint8Array
  lines: number
}

/**
 * The elements of a JSON array, or a single object, as lines, one element per line, without parsing them. Undefined if
 * the body is neither, is not closed, or continues after its end. The content of an element is left to the parser.
 */
export function elementLines(body: Uint8Array): Lines | undefined {
  let at = 0
  while (at < body.length && (body[at] ?? 0) <= space) at++
  const isArray = body[at] === openArray
  if (!isArray && body[at] !== openObject) return undefined
  const out = new Uint8Array(body.length + 1)
  let length = 0
  let lineStart = 0
  let lines = 0
  let depth = 0
  let inString = false
  let escaped = false
  let closed = false
  const endLine = () => {
    out[length++] = lineFeed
    lineStart = length
    lines++
  }
  for (; at < body.length; at++) {
    const byte = body[at] ?? 0
    if (inString) {
      out[length++] = Math.max(byte, space)
      if (escaped) escaped = false
      else if (byte === backslash) escaped = true
      else if (byte === quote) inString = false
      continue
    }
    if (byte <= space) {
      if (length > lineStart) out[length++] = space
      continue
    }
    if (closed) return undefined
    if (byte === openArray || byte === openObject) {
      if (depth++ > 0 || !isArray) out[length++] = byte
    } else if (byte === closeArray || byte === closeObject) {
      closed = --depth === 0
      if (!closed || !isArray) out[length++] = byte
      if (closed && length > lineStart) endLine()
    } else if (byte === comma && depth === 1 && isArray) {
      endLine()
    } else {
      inString = byte === quote
      out[length++] = byte
    }
  }
  return closed ? { bytes: out.subarray(0, length), lines } : undefined
}

/** A body of lines, unchanged; the last line may lack its line feed. */
export function plainLines(body: Uint8Array): Lines {
  let lines = body.length > 0 && body[body.length - 1] !== lineFeed ? 1 : 0
  for (let at = body.indexOf(lineFeed); at >= 0; at = body.indexOf(lineFeed, at + 1)) lines++
  return { bytes: body, lines }
}
