import { open } from "node:fs/promises"
import { QueryveilError } from "../kernels/error.ts"
import { type ByteCount, type LineBlock, lineBlocks } from "../log/blocks.ts"
import { jsonBlocks } from "../log/formats/json-source.ts"
import { oneFile, queryBlocks } from "../log/formats/query-source.ts"
import { unescapeFormulas } from "./unescape-formulas.ts"

interface DataFile {
  path: string
  /** Names of the columns, in file order. */
  columns: readonly string[]
  /** True for a column whose texts are escaped for spreadsheets (default: none are). */
  isEscaped?: ((name: string) => boolean) | undefined
  /** An SQL expression for the text of a column of a Parquet file. */
  cell(name: string): string
}

/**
 * The lines of a released file as tab-separated text. For a TSV file, the first block contains the header. If the file
 * has a header, it must match the columns.
 */
export function dataBlocks(file: DataFile, count: ByteCount): AsyncGenerator<LineBlock> {
  const { path, columns, isEscaped } = file
  const blocks = writtenBlocks(file, count)
  return isEscaped === undefined ? blocks : unescapeFormulas(blocks, { path, escaped: columns.map(isEscaped) })
}

/** The lines as they are in the file. */
function writtenBlocks({ path, columns, cell }: DataFile, count: ByteCount): AsyncGenerator<LineBlock> {
  if (path.endsWith(".tsv")) return withHeader(lineBlocks({ path }, count), { header: `${columns.join("\t")}\n`, path })
  if (path.endsWith(".jsonl")) return jsonBlocks(lineBlocks({ path }, count), columns)
  if (path.endsWith(".csv")) return csvBlocks(path, columns)
  return queryBlocks(`read_parquet(${oneFile(path)})`, { cells: columns.map(cell), columns, path })
}

/** How many lines of `dataBlocks` are a header. */
export const headerLines = (path: string) => (path.endsWith(".tsv") ? 1 : 0)

/** The blocks of a file that must begin with this header. */
async function* withHeader(
  blocks: AsyncIterable<LineBlock>,
  { header, path }: { header: string; path: string },
): AsyncGenerator<LineBlock> {
  let first = true
  for await (const block of blocks) {
    if (first && Buffer.from(block.bytes.subarray(0, header.length)).toString() !== header) throw otherHeader(path)
    first = false
    yield block
  }
}

/**
 * The rows of a CSV file. DuckDB gets the columns as an argument and ignores the header, so the header is checked here.
 */
async function* csvBlocks(path: string, columns: readonly string[]): AsyncGenerator<LineBlock> {
  const header = `${columns.join(",")}\n`
  const start = await readStart(path, header.length)
  if (start !== undefined && start !== header) throw otherHeader(path)
  const texts = columns.map((name) => `'${name}': 'VARCHAR'`).join(", ")
  const csv = `delim=',', header=true, quote='"', escape='"', columns={${texts}}, max_line_size=33554432`
  yield* queryBlocks(`read_csv(${oneFile(path)}, ${csv})`, { cells: columns, columns, path })
}

/** The first bytes as text; undefined if there is no such file. */
async function readStart(path: string, length: number): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.toString("utf8", 0, bytesRead)
  } finally {
    await file.close()
  }
}

const otherHeader = (path: string) =>
  new QueryveilError("release-broken", `${path}: its header does not match the manifest.`, { file: path })
