import { QueryveilError } from "../kernels/error.ts"
import { type ByteCount, type LineBlock, lineBlocks } from "../log/blocks.ts"
import { jsonBlocks } from "../log/formats/json-source.ts"
import { oneFile, queryBlocks } from "../log/formats/query-source.ts"

interface DataFile {
  path: string
  /** Names of the columns, in file order. */
  columns: readonly string[]
  /** The text of a column of a Parquet file, as an SQL expression. */
  cell(name: string): string
}

/** The lines of a released file as tab-separated text; the header of a TSV file, which must be this one, stands in the first block. */
export function dataBlocks({ path, columns, cell }: DataFile, count: ByteCount): AsyncGenerator<LineBlock> {
  if (path.endsWith(".tsv")) return withHeader(lineBlocks({ path }, count), { header: `${columns.join("\t")}\n`, path })
  if (path.endsWith(".jsonl")) return jsonBlocks(lineBlocks({ path }, count), columns)
  const cells = columns.map((name) => (path.endsWith(".parquet") ? cell(name) : name))
  return queryBlocks(relationOf(path, columns), { cells, columns, path })
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
    if (first && Buffer.from(block.bytes.subarray(0, header.length)).toString() !== header) {
      throw new QueryveilError("release-broken", `${path}: its header is not that of its manifest.`, { file: path })
    }
    first = false
    yield block
  }
}

function relationOf(path: string, columns: readonly string[]): string {
  if (path.endsWith(".parquet")) return `read_parquet(${oneFile(path)})`
  const texts = columns.map((name) => `'${name}': 'VARCHAR'`).join(", ")
  return `read_csv(${oneFile(path)}, delim=',', header=true, quote='"', escape='"', columns={${texts}}, max_line_size=33554432)`
}
