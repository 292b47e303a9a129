import { isDeepStrictEqual } from "node:util"
import { QueryveilError } from "../../kernels/error.ts"
import type { LineBlock } from "../blocks.ts"

const blockBytes = 1 << 20

/**
 * The rows of a DuckDB relation as lines of tab-separated text in blocks. `cells` are SQL expressions of VARCHAR. DuckDB
 * joins the cells of a row, so that only one value a row crosses into JavaScript. The relation must have exactly `columns`.
 */
export async function* queryBlocks(
  relation: string,
  options: { cells: readonly string[]; columns: readonly string[]; path: string },
): AsyncGenerator<LineBlock> {
  const { DuckDBInstance } = await import("@duckdb/node-api")
  const instance = await DuckDBInstance.create(":memory:", { autoinstall_known_extensions: "false" })
  const connection = await instance.connect()
  const parts = options.cells.map((cell) => `coalesce(translate(${cell}, chr(9) || chr(10) || chr(13), '   '), '')`)
  try {
    const described = await connection.run(`DESCRIBE SELECT * FROM ${relation}`)
    const names = (await described.getRowsJson()).map(([name]) => name)
    if (!isDeepStrictEqual(names, options.columns)) {
      throw new QueryveilError("input-rows", `${options.path}: its columns are not ${options.columns.join(", ")}.`)
    }
    const result = await connection.stream(`SELECT ${parts.join(" || chr(9) || ")} FROM ${relation}`)
    let lines: unknown[] = []
    let size = 0
    for (
      let chunk = await result.fetchChunk();
      chunk !== null && chunk.rowCount > 0;
      chunk = await result.fetchChunk()
    ) {
      for (const line of chunk.getColumnValues(0)) {
        lines.push(line)
        size += String(line).length + 1
      }
      if (size >= blockBytes) {
        yield toBlock(lines)
        lines = []
        size = 0
      }
    }
    if (lines.length > 0) yield toBlock(lines)
  } catch (error) {
    if (error instanceof QueryveilError) throw error
    // The engine's own message may quote the data, so it goes no further.
    throw new QueryveilError(
      "input-unreadable",
      `${options.path}: cannot be read; the file is damaged or of another format.`,
      { file: options.path },
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** Room for one more byte is left behind the text, as a block must have. */
export function toBlock(lines: readonly unknown[]): LineBlock {
  const text = Buffer.from(`${lines.join("\n")}\n`)
  const bytes = new Uint8Array(text.length + 1)
  bytes.set(text)
  return { bytes, length: text.length }
}
