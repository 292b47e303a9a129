import type { LineBlock } from "./blocks.ts"
import { maxLineBytes } from "./formats/parsed-block.ts"

const blockBytes = 1 << 20
const quote = 34
const backslash = 92
const comma = 44
const lineFeed = 10
const space = 32

/**
 * Cuts the elements of a JSON array into blocks of lines, one element a line, however the array is written: on one line,
 * or each element over many. White space between tokens becomes a space; inside strings JSON has no line breaks. What
 * follows the array, and what is no JSON, stays in the lines for the parser to refuse. Of an element longer than
 * `maxLineBytes` only so much is kept that it is seen to be too long.
 */
export async function* cutElements(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LineBlock> {
  let block = new Uint8Array(blockBytes + maxLineBytes + 3)
  let length = 0
  let lineStart = 0
  let depth = 0 // 1: inside the array, between elements or in a plain one
  let inString = false
  let escaped = false
  const put = (byte: number) => {
    if (length - lineStart <= maxLineBytes) block[length++] = byte
  }
  const endLine = () => {
    if (length === lineStart) return
    block[length++] = lineFeed
    lineStart = length
  }
  const isFull = () => length === lineStart && length >= blockBytes
  for await (const chunk of chunks) {
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]
      if (inString) {
        put(Math.max(byte, space))
        if (escaped) escaped = false
        else if (byte === backslash) escaped = true
        else if (byte === quote) inString = false
        continue
      }
      if (byte <= space) {
        if (length > lineStart) put(space)
        continue
      }
      if (byte === 91 || byte === 123) {
        if (depth++ > 0) put(byte)
      } else if (byte === 93 || byte === 125) {
        if (--depth > 0) put(byte)
        else {
          endLine()
          depth = 0
        }
      } else if (byte === comma && depth === 1) {
        endLine()
      } else {
        inString = byte === quote
        put(byte)
      }
      if (isFull()) {
        yield { bytes: block, length }
        block = new Uint8Array(blockBytes + maxLineBytes + 3)
        length = 0
        lineStart = 0
      }
    }
  }
  if (length > 0) yield { bytes: block, length }
}
