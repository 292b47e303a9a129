import { QueryveilError } from "../kernels/error.ts"
import type { LineBlock } from "../log/blocks.ts"
import { formulaMark, isFormula } from "../log/formats/formula-cells.ts"

const [tab, lineFeed] = [9, 10]

/**
 * Removes the leading apostrophe from cells of tab-separated lines in escaped columns. Refuses a cell that our writer
 * would have escaped and that is not escaped, or that is escaped without need, because then the manifest is wrong.
 */
export async function* unescapeFormulas(
  blocks: AsyncIterable<LineBlock>,
  { path, escaped }: { path: string; escaped: readonly boolean[] },
): AsyncGenerator<LineBlock> {
  let line = 1
  for await (const { bytes, length } of blocks) {
    const out = new Uint8Array(length + 1)
    let size = 0
    let column = 0
    for (let at = 0; at < length; ) {
      const end = cellEnd(bytes, at, length)
      if (escaped[column] ?? true) {
        const isMarked = end > at && bytes[at] === formulaMark
        if (isMarked) at++
        if (isFormula(bytes, at, end) !== isMarked) throw otherwise(path, line)
      }
      if (bytes[end] === lineFeed) line++
      column = bytes[end] === tab ? column + 1 : 0
      const next = Math.min(end + 1, length)
      out.set(bytes.subarray(at, next), size)
      size += next - at
      at = next
    }
    yield { bytes: out, length: size }
  }
}

function cellEnd(bytes: Uint8Array, start: number, length: number): number {
  let end = start
  while (end < length && bytes[end] !== tab && bytes[end] !== lineFeed) end++
  return end
}

const otherwise = (path: string, line: number) =>
  new QueryveilError("release-broken", `${path}: row ${line} has a cell that is not escaped as the manifest says.`, {
    file: path,
    line,
  })
