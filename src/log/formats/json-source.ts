import { isDeepStrictEqual } from "node:util"
import { QueryveilError } from "../../kernels/error.ts"
import type { LineBlock } from "../blocks.ts"
import { toBlock } from "./query-source.ts"

/** Converts lines that are JSON objects with exactly these keys to lines of tab-separated text. */
export async function* jsonBlocks(
  blocks: AsyncIterable<LineBlock>,
  columns: readonly string[],
): AsyncGenerator<LineBlock> {
  let line = 0
  for await (const { bytes, length } of blocks) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString("utf8")
    const lines = text.split("\n")
    if (lines.at(-1) === "") lines.pop()
    yield toBlock(lines.map((row) => cellsOf(row, columns, ++line)))
  }
}

function cellsOf(row: string, columns: readonly string[], line: number): string {
  const value = parseObject(row)
  if (value === undefined || !isDeepStrictEqual(Object.keys(value), columns)) {
    throw new QueryveilError("input-rows", `Line ${line}: is not a JSON object with the keys ${columns.join(", ")}.`, {
      line,
    })
  }
  return Object.values(value)
    .map((cell) => (cell === null ? "" : String(cell).replace(/[\t\r\n]/g, " ")))
    .join("\t")
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
