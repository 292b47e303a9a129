import { QueryveilError } from "../../kernels/error.ts"
import type { LineBlock } from "../blocks.ts"

const blockBytes = 1 << 20

/** The rows of a DuckDB query whose columns are all VARCHAR, as lines of tab-separated text in blocks. */
export async function* queryBlocks(sql: string, options: { path: string }): AsyncGenerator<LineBlock> {
  const { DuckDBInstance } = await import("@duckdb/node-api")
  const instance = await DuckDBInstance.create(":memory:", { autoinstall_known_extensions: "false" })
  const connection = await instance.connect()
  try {
    const result = await connection.stream(sql)
    let lines: string[] = []
    let size = 0
    for await (const rows of result.yieldRows()) {
      for (const row of rows) {
        const line = row.map((cell) => (typeof cell === "string" ? cell.replace(/[\t\r\n]/g, " ") : "")).join("\t")
        lines.push(line)
        size += line.length + 1
      }
      if (size >= blockBytes) {
        yield toBlock(lines)
        lines = []
        size = 0
      }
    }
    if (lines.length > 0) yield toBlock(lines)
  } catch (cause) {
    if (cause instanceof QueryveilError) throw cause
    throw new QueryveilError(
      "input-unreadable",
      `${options.path}: cannot be read; the file is damaged or of another format.`,
      {
        file: options.path,
        cause,
      },
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** Room for one more byte is left behind the text, as a block must have. */
function toBlock(lines: readonly string[]): LineBlock {
  const text = Buffer.from(`${lines.join("\n")}\n`)
  const bytes = new Uint8Array(text.length + 1)
  bytes.set(text)
  return { bytes, length: text.length }
}
