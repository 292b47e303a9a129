import { isUtf8 } from "node:buffer"
import { breathe, type RunContext } from "../../kernels/context.ts"
import { countBytes, lineBlocks } from "../../log/blocks.ts"
import { maxLineBytes } from "../../log/formats/parsed-block.ts"
import type { InputFile } from "../../log/inputs.ts"
import { brokenAt } from "./place.ts"
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
 * A file, plain or gzip, as blocks of whole lines. A line over 1 MiB, bytes that are no UTF-8 and control characters
 * (other than tab, line feed and carriage return) are errors with the line; `repairs` mends the last two instead, by
 * U+FFFD and a space, and counts the lines.
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
    await breathe(context, { stage: "reading taxonomy", done: count.bytes, ...total })
    const block = bytes.subarray(0, length)
    const lines = checkLines(block, { ...options, file: input.path, line })
    const text = new TextDecoder().decode(block) // drops a mark at the start, puts U+FFFD for what is no UTF-8
    yield { text, line }
    line += lines
  }
}

/** Looks at every line and gives their number. Mends control characters in place. */
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
    if (mendControls(block, from, to, repairs === undefined)) {
      if (repairs === undefined)
        throw brokenAt(place, "a control character. Remove it, or read the file with --lenient.", "input-encoding")
      repairs.encoding++
    }
    lines++
    from = to + 1
  }
  return lines
}

/** Whether there are control characters; makes them spaces unless told to look only. */
function mendControls(block: Uint8Array, from: number, to: number, lookOnly: boolean): boolean {
  let found = false
  for (let i = from; i < to; i++) {
    if (block[i] >= space || block[i] === 9 || block[i] === 13) continue
    if (lookOnly) return true
    block[i] = space
    found = true
  }
  return found
}
