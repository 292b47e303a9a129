import { QueryveilError } from "../../../kernels/error.ts"
import { assembleModule } from "../../../kernels/wasm/assemble.ts"
import { instantiate } from "../../../kernels/wasm/instantiate.ts"
import type { BlockColumns, TextIds } from "../block-columns.ts"
import type { ParsedTexts, TextBlock } from "../parsed-block.ts"
import { internCode } from "./intern-code.ts"
import { lineCode } from "./line-code.ts"
import {
  columns,
  type DictionaryPlace,
  input,
  maxBlock,
  maxRows,
  mostFields,
  pages,
  part,
  queries,
  scratch,
  state,
  urls,
  users,
} from "./memory-map.ts"

const tab = 9
const firstMask = (1 << 12) - 1

/**
 * Reads the plain lines of a block in WebAssembly (ADR 19). A line is plain if it is printable ASCII with the right
 * number of fields, a time as `YYYY-MM-DD hh:mm:ss`, and no white space to remove. Nearly all lines of most logs are.
 * The block parser reads the other lines, and adds their rows and texts here. So all ids follow the order of the lines.
 */
export class PlainLines implements BlockColumns {
  /** The lines of the block, with room for a line feed after them. */
  readonly bytes: Uint8Array
  readonly rows: BlockColumns["rows"]
  readonly users: WasmTexts
  readonly queries: WasmTexts
  readonly urls: WasmTexts
  readonly #integers: Int32Array
  readonly #read: (at: number, end: number) => number

  constructor() {
    const wasm = instantiate(assembleModule({ pages, functions: [...internCode, ...lineCode] }))
    this.bytes = new Uint8Array(wasm.memory, input, maxBlock)
    this.#integers = new Int32Array(wasm.memory)
    this.#read = wasm.call("readLines")
    const intern = wasm.call("intern")
    this.users = new WasmTexts(wasm.memory, { place: users, intern })
    this.queries = new WasmTexts(wasm.memory, { place: queries, intern })
    this.urls = new WasmTexts(wasm.memory, { place: urls, intern })
    this.rows = {
      user: new Int32Array(wasm.memory, columns.user, maxRows),
      query: new Int32Array(wasm.memory, columns.query, maxRows),
      time: new Int32Array(wasm.memory, columns.time, maxRows),
      rank: new Uint16Array(wasm.memory, columns.rank, maxRows),
      url: new Int32Array(wasm.memory, columns.url, maxRows),
      line: new Uint32Array(wasm.memory, columns.line, maxRows),
      key: new Int32Array(0),
      category: new Int32Array(0),
      next: () => {
        const row = this.#integers[(state.at + state.rows) / 4]++
        if (row < maxRows) return row
        throw new QueryveilError("internal", "A block has more rows than it can have.")
      },
    }
  }

  /** Starts a block: copies its lines, and forgets the block before. */
  start({ bytes, length, plan, seed }: TextBlock): void {
    this.bytes.set(bytes.subarray(0, length))
    for (const texts of [this.users, this.queries, this.urls]) texts.clear()
    const { user, query, time, rank, url } = plan.columns
    this.#set({ user, query, time, rank, url, maxFields: plan.maxFields, verbatim: plan.verbatim === true ? 1 : 0 })
    this.#set({ minFields: Math.max(plan.minFields, user + 1, query + 1, time + 1), rows: 0, seed })
  }

  /**
   * Adds rows from the line at `at` on, which is line `lines` + 1 of the block. Returns the start of the first line
   * that is not plain, and the number of lines before it. The start is `length` or more if there is none.
   */
  read(at: number, { length, lines }: { length: number; lines: number }): { at: number; lines: number } {
    this.#set({ lines })
    const stop = this.#read(input + at, input + length) - input
    return { at: stop, lines: this.#integers[(state.at + state.lines) / 4] }
  }

  #set(values: Partial<Record<keyof typeof state, number>>): void {
    for (const [name, value] of Object.entries(values))
      this.#integers[(state.at + state[name as keyof typeof state]) / 4] = value
  }

  takeRows(): ReturnType<BlockColumns["takeRows"]> {
    const rows = this.#integers[(state.at + state.rows) / 4]
    return {
      user: this.rows.user.slice(0, rows),
      query: this.rows.query.slice(0, rows),
      time: this.rows.time.slice(0, rows),
      rank: this.rows.rank.slice(0, rows),
      url: this.rows.url.slice(0, rows),
      line: this.rows.line.slice(0, rows),
      key: this.rows.key,
      category: this.rows.category,
    }
  }
}

let shared: PlainLines | undefined

/** The reader of this thread. It reads one block at a time, of any log. */
export function plainLines(): PlainLines {
  shared ??= new PlainLines()
  return shared
}

/** True if blocks of this plan may have plain lines. The columns must be different ones. */
export function mayBePlain({ length, plan }: Pick<TextBlock, "length" | "plan">): boolean {
  const { user, query, time, rank, url, category = -1 } = plan.columns
  const used = [user, query, time, rank, url].filter((field) => field >= 0)
  if (plan.delimiter !== tab || plan.maxFields > mostFields || length >= maxBlock) return false
  if (plan.key !== undefined || category >= 0 || query < 0 || time < 0) return false
  return new Set(used).size === used.length
}

/** The texts of one column in WebAssembly's memory. */
class WasmTexts implements TextIds {
  readonly #place: DictionaryPlace
  readonly #intern: (dictionary: number, text: number, length: number, hash: number) => number
  readonly #bytes: Uint8Array
  readonly #arena: Uint8Array
  readonly #offsets: Uint32Array
  readonly #hashes: Uint32Array
  readonly #parts: Int32Array
  readonly #table: Int32Array

  constructor(
    memory: ArrayBuffer,
    { place, intern }: { place: DictionaryPlace; intern: (...values: number[]) => number },
  ) {
    this.#place = place
    this.#intern = intern
    this.#bytes = new Uint8Array(memory)
    this.#arena = new Uint8Array(memory, place.arena, place.offsets - place.arena)
    this.#offsets = new Uint32Array(memory, place.offsets, maxRows + 1)
    this.#hashes = new Uint32Array(memory, place.hashes, maxRows)
    this.#parts = new Int32Array(memory, place.at, 8)
    this.#table = new Int32Array(memory, place.table, maxRows * 4)
    this.#parts[part.arena / 4] = place.arena
    this.#parts[part.offsets / 4] = place.offsets
    this.#parts[part.hashes / 4] = place.hashes
    this.#parts[part.table / 4] = place.table
    this.#parts[part.mask / 4] = firstMask
  }

  intern(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const length = end - start
    if (this.#offsets[this.#parts[part.size / 4]] + length > this.#arena.length - 16)
      throw new QueryveilError("internal", "The texts of a block are longer than they can be.")
    for (let i = 0; i < length; i++) this.#bytes[scratch + i] = bytes[start + i]
    return this.#intern(this.#place.at, scratch, length, hash)
  }

  take(): ParsedTexts {
    const size = this.#parts[part.size / 4]
    return {
      arena: this.#arena.slice(0, this.#offsets[size]),
      offsets: this.#offsets.slice(0, size + 1),
      hashes: this.#hashes.slice(0, size),
    }
  }

  clear(): void {
    this.#table.fill(0, 0, (this.#parts[part.mask / 4] + 1) * 2)
    this.#parts[part.size / 4] = 0
    this.#parts[part.last / 4] = -1
  }
}
