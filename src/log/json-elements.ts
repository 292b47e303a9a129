import type { LineBlock } from "./blocks.ts"
import { maxLineBytes } from "./formats/parsed-block.ts"

const blockBytes = 1 << 20
const quote = 34
const backslash = 92
const comma = 44
const lineFeed = 10
const space = 32

/**
 * Cuts the elements of a JSON array into blocks of lines, one element per line. The array may be written on one line or
 * spread over many. White space between tokens becomes a space; strings in JSON contain no line breaks. Anything after
 * the array, and anything that is not JSON, stays in the lines, and the parser refuses it. An element longer than
 * `maxLineBytes` keeps only as many bytes as show that it is too long.
 */
export async function* cutElements(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<LineBlock> {
  let block = new Uint8Array(blockBytes + maxLineBytes + 3)
  let length = 0
  let lineStart = 0
  let depth = 0 // 1: inside the array, between elements or in an element that is neither object nor array
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
