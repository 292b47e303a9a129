import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import { hashBytes, Interner } from "../kernels/dictionary.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { ColumnTable } from "../kernels/table.ts"
import { countBytes, type LineBlock } from "../log/blocks.ts"
import { dataBlocks, headerLines } from "./data-blocks.ts"
import type { TablesManifest } from "./manifest.ts"

type Columns = TablesManifest["files"][number]["columns"]

/** Reads a released table back, exactly as a reader of the file gets it. */
export async function readTable(
  path: string,
  { columns, isEscaped }: { columns: Columns; isEscaped: boolean },
  context: RunContext,
): Promise<ColumnTable> {
  const file = {
    path,
    columns: columns.map(({ name }) => name),
    cell: (name: string) => `${name}::VARCHAR`,
    ...(isEscaped && { isEscaped: (name: string) => columns.some((one) => one.name === name && one.type === "text") }),
  }
  const blocks = dataBlocks(file, countBytes(context.signal))
  try {
    return await parseTable(blocks, { path, columns, skip: headerLines(path) }, context)
  } catch (cause) {
    if (!(cause instanceof QueryveilError) || cause.code === "interrupted" || cause.code === "release-broken")
      throw cause
    throw new QueryveilError("release-broken", `The release cannot be read: ${cause.message}`, { file: path, cause })
  }
}

/** Parses lines of tab-separated text. The first `skip` lines are a header. */
export async function parseTable(
  blocks: AsyncIterable<LineBlock>,
  { path, columns, skip }: { path: string; columns: Columns; skip: number },
  context: RunContext,
): Promise<ColumnTable> {
  const parts = columns.map(({ name, type }) => new Cells(name, type))
  let line = -skip
  for await (const { bytes, length } of blocks) {
    for (let at = 0; at < length; ) {
      let end = bytes.indexOf(10, at)
      if (end < 0 || end > length) end = length
      if (line >= 0) readLine(bytes, { at, end, row: line }, parts, path)
      line++
      at = end + 1
    }
    await yieldAndReport(context, { stage: "reading the release", done: Math.max(0, line) })
  }
  return { rows: Math.max(0, line), columns: parts.map((cells) => cells.freeze(Math.max(0, line))) }
}

function readLine(
  bytes: Uint8Array,
  { at: start, end, row }: { at: number; end: number; row: number },
  parts: readonly Cells[],
  path: string,
): void {
  let at = start
  for (const [i, cells] of parts.entries()) {
    let stop = bytes.indexOf(9, at)
    if (stop < 0 || stop > end) stop = end
    const isLast = i === parts.length - 1
    if ((stop === end) !== isLast || !cells.add(row, bytes, at, stop)) {
      throw broken(path, `row ${row + 1} does not match its columns`)
    }
    at = stop + 1
  }
}

/** One column while it is being read. */
class Cells {
  readonly #name: string
  readonly #texts: Interner | undefined
  #values = new Float64Array(1024)

  constructor(name: string, type: Columns[number]["type"]) {
    this.#name = name
    this.#texts = type === "text" ? new Interner() : undefined
  }

  /** Returns false if bytes[from, to) is not a value of the column. */
  add(row: number, bytes: Uint8Array, from: number, to: number): boolean {
    if (row === this.#values.length) {
      const larger = new Float64Array(row * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    if (this.#texts !== undefined) {
      this.#values[row] = this.#texts.intern(bytes, from, to, hashBytes(bytes, from, to, this.#texts.seed))
      return true
    }
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("latin1")
    this.#values[row] = Number(text)
    return /^-?[0-9]{1,15}$/.test(text)
  }

  freeze(rows: number): ColumnTable["columns"][number] {
    const held = this.#values.subarray(0, rows)
    if (this.#texts === undefined) return { name: this.#name, values: held.slice() }
    return { name: this.#name, texts: this.#texts.freeze(), ids: Int32Array.from(held) }
  }
}

function broken(path: string, what: string): QueryveilError {
  return new QueryveilError("release-broken", `The release cannot be read: ${path}: ${what}.`, { file: path })
}
