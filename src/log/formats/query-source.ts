import { isDeepStrictEqual } from "node:util"
import { QueryveilError } from "../../kernels/error.ts"
import type { LineBlock } from "../blocks.ts"

const blockBytes = 1 << 20

/** What to take from a relation: SQL expressions of VARCHAR, one for each cell of a line, and which rows; the others are blank lines. */
export interface Relation {
  cells: readonly string[]
  where?: string
}

export interface RelationColumn {
  name: string
  type: string
}

/**
 * The rows of a DuckDB relation as lines of tab-separated text in blocks. DuckDB joins the cells of a row, so that only one
 * value a row crosses into JavaScript. `select` says what to take, seeing the columns that are there; `sample` gives it
 * the first row.
 */
export async function* relationBlocks(
  relation: string,
  options: {
    select(
      columns: RelationColumn[],
      sample: (cells: readonly string[]) => Promise<string[]>,
    ): Relation | Promise<Relation>
    path: string
  },
): AsyncGenerator<LineBlock> {
  const { DuckDBInstance } = await import("@duckdb/node-api")
  const instance = await DuckDBInstance.create(":memory:", { autoinstall_known_extensions: "false" })
  const connection = await instance.connect()
  try {
    const described = await connection.run(`DESCRIBE SELECT * FROM ${relation}`)
    const columns = (await described.getRowsJson()).map(([name, type]) => ({ name: String(name), type: String(type) }))
    const sample = async (cells: readonly string[]) => {
      const [first = []] = await (
        await connection.run(`SELECT ${cells.join(", ")} FROM ${relation} LIMIT 1`)
      ).getRowsJson()
      return first.map((cell) => (cell === null ? "" : String(cell)))
    }
    const { cells, where } = await options.select(columns, sample)
    const parts = cells.map((cell) => `coalesce(translate(${cell}, chr(9) || chr(10) || chr(13), '   '), '')`)
    const row = parts.join(" || chr(9) || ")
    const line = where === undefined ? row : `CASE WHEN ${where} THEN ${row} ELSE '' END`
    const result = await connection.stream(`SELECT ${line} FROM ${relation}`)
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

/** A path as the first arguments of a reader: one file and nothing but what is in it. Its name is no pattern, its folders (`k=10`) are no columns. */
export function oneFile(path: string): string {
  return `'${path.replace(/[*?[]/g, "[$&]").replaceAll("'", "''")}', hive_partitioning = false`
}

/** `relationBlocks` of a relation that must have exactly these columns. */
export function queryBlocks(
  relation: string,
  options: { cells: readonly string[]; columns: readonly string[]; path: string },
): AsyncGenerator<LineBlock> {
  const { cells, columns, path } = options
  return relationBlocks(relation, {
    path,
    select: (found) => {
      const names = found.map(({ name }) => name)
      if (isDeepStrictEqual(names, columns)) return { cells }
      throw new QueryveilError("input-rows", `${path}: its columns are not ${columns.join(", ")}.`)
    },
  })
}

/** Room for one more byte is left behind the text, as a block must have. */
export function toBlock(lines: readonly unknown[]): LineBlock {
  const text = Buffer.from(`${lines.join("\n")}\n`)
  const bytes = new Uint8Array(text.length + 1)
  bytes.set(text)
  return { bytes, length: text.length }
}
