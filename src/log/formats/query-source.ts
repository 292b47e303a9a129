import { isDeepStrictEqual } from "node:util"
import { QueryveilError } from "../../kernels/error.ts"
import type { LineBlock } from "../blocks.ts"

const blockBytes = 1 << 20

/**
 * What to read from a relation: one SQL expression of type VARCHAR per cell, and a condition. Rows that do not meet it
 * become blank lines.
 */
export interface Relation {
  cells: readonly string[]
  where?: string
}

export interface RelationColumn {
  name: string
  type: string
}

/**
 * The rows of a DuckDB relation as blocks of tab-separated lines. DuckDB joins the cells of a row, so only one value
 * per row crosses into JavaScript. `select` gets the columns of the relation and says what to read; `sample` reads the
 * first row for it.
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
    throw error instanceof QueryveilError ? error : damagedRelation(options.path)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** The columns of a relation, and its first rows as text. `cellOf` gives the SQL expression of a column. */
export async function sampleRelation(
  relation: string,
  { path, rows, cellOf }: { path: string; rows: number; cellOf(column: RelationColumn): string },
): Promise<{ columns: RelationColumn[]; rows: string[][] }> {
  const { DuckDBInstance } = await import("@duckdb/node-api")
  const instance = await DuckDBInstance.create(":memory:", { autoinstall_known_extensions: "false" })
  const connection = await instance.connect()
  try {
    const described = await connection.run(`DESCRIBE SELECT * FROM ${relation}`)
    const columns = (await described.getRowsJson()).map(([name, type]) => ({ name: String(name), type: String(type) }))
    const read = await connection.run(`SELECT ${columns.map(cellOf).join(", ")} FROM ${relation} LIMIT ${rows}`)
    const found = await read.getRowsJson()
    return { columns, rows: found.map((row) => row.map((cell) => (cell === null ? "" : String(cell)))) }
  } catch {
    throw damagedRelation(path)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

// DuckDB's own message may quote the data, so it is not passed on.
const damagedRelation = (path: string) =>
  new QueryveilError("input-unreadable", `${path}: cannot be read: the file is damaged or has another format.`, {
    file: path,
  })

/**
 * A path as the first arguments of a DuckDB reader. They make it read exactly one file: the name is not a pattern, and
 * folders such as `k=10` are not columns.
 */
export function oneFile(path: string): string {
  return `'${path.replace(/[*?[]/g, "[$&]").replaceAll("'", "''")}', hive_partitioning = false`
}

/** `relationBlocks` for a relation that must have exactly these columns. */
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

/** Joins lines to a block. Leaves room for one more byte after the text, as every block must. */
export function toBlock(lines: readonly unknown[]): LineBlock {
  const text = Buffer.from(`${lines.join("\n")}\n`)
  const bytes = new Uint8Array(text.length + 1)
  bytes.set(text)
  return { bytes, length: text.length }
}
