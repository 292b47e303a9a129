import { isUtf8 } from "node:buffer"
import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { countBytes, lineBlocks } from "../../log/blocks.ts"
import { maxLineBytes } from "../../log/formats/parsed-block.ts"
import type { InputFile } from "../../log/inputs.ts"
import { brokenAt } from "./file-position.ts"
import type { Repairs } from "./repairs.ts"

const lineFeed = 10
const space = 32

/** Whole lines of a file, as text. */
export interface TextBlock {
  text: string
  /** The number of its first line, from 1. */
  line: number
}

/**
 * A file, plain or gzip, as blocks of whole lines. Errors that name the line: a line over 1 MiB, bytes that are not
 * UTF-8, and control characters (other than tab, line feed and carriage return). With `repairs`, the last two are
 * replaced by U+FFFD and a space instead, and the lines are counted.
 */
export async function* textBlocks(
  input: InputFile,
  options: { repairs: Repairs | undefined },
  context: RunContext,
): AsyncGenerator<TextBlock> {
  const count = countBytes(context.signal)
  let line = 1
  for await (const { bytes, length } of lineBlocks(input, count)) {
    const total = input.size === undefined ? {} : { total: input.size }
    await yieldAndReport(context, { stage: "reading taxonomy", done: count.bytes, ...total })
    const block = bytes.subarray(0, length)
    const lines = checkLines(block, { ...options, file: input.path, line })
    const text = new TextDecoder().decode(block) // drops a byte order mark, replaces invalid UTF-8 by U+FFFD
    yield { text, line }
    line += lines
  }
}

/** Checks every line and returns their number. Repairs control characters in place. */
function checkLines(
  block: Uint8Array,
  { repairs, file, line }: { repairs: Repairs | undefined; file: string; line: number },
): number {
  const clean = isUtf8(block)
  let lines = 0
  for (let from = 0; from < block.length; ) {
    const found = block.indexOf(lineFeed, from)
    const to = found < 0 ? block.length : found
    const place = { file, line: line + lines }
    if (to - from > maxLineBytes) throw brokenAt(place, "the line is longer than 1 MiB.", "input-size")
    if (!clean && !isUtf8(block.subarray(from, to))) {
      if (repairs === undefined)
        throw brokenAt(place, "not UTF-8. Convert the file, or read it with --lenient.", "input-encoding")
      repairs.encoding++
    }
    if (replaceControls(block, from, to, repairs === undefined)) {
      if (repairs === undefined)
        throw brokenAt(place, "a control character. Remove it, or read the file with --lenient.", "input-encoding")
      repairs.encoding++
    }
    lines++
    from = to + 1
  }
  return lines
}

/** True if there are control characters. Replaces them by spaces unless `lookOnly` is set. */
function replaceControls(block: Uint8Array, from: number, to: number, lookOnly: boolean): boolean {
  let found = false
  for (let i = from; i < to; i++) {
    if (block[i] >= space || block[i] === 9 || block[i] === 13) continue
    if (lookOnly) return true
    block[i] = space
    found = true
  }
  return found
}
