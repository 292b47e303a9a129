import { type FileHandle, open, rm } from "node:fs/promises"
import { QueryveilError, systemCode } from "../../kernels/error.ts"
import { orderByNumbers } from "../../kernels/order-by-numbers.ts"
import type { LinePlan } from "../../log/formats/parsed-block.ts"
import { type LineCursor, type Run, RunMerge, runHeadBytes } from "./merge-runs.ts"
import type { TimedLines } from "./time-lines.ts"

/** Bytes of lines that are held in memory before they are sorted and written. */
const runBytes = 128 << 20

/** A block of complete, sorted lines. */
export interface SortedBlock {
  bytes: Uint8Array
  length: number
  lines: number
  /** True if no block follows. */
  isLast: boolean
}

/**
 * Sorts any number of lines by their times: a merge sort over a private file. Lines of the same time stay in the order
 * in which they were added, so the same lines always give the same order. Nothing is written while all lines fit in
 * memory.
 */
export class LineSorter {
  readonly #path: string
  readonly #runBytes: number
  #bytes = new Uint8Array(1 << 16)
  #length = 0
  #ends: number[] = []
  #times: number[] = []
  readonly #runs: Run[] = []
  #file: FileHandle | undefined
  #plan: LinePlan | undefined

  /** `path`: the file for what does not fit in memory. An existing file is replaced; `close` removes it. */
  constructor(path: string, options: { runBytes?: number } = {}) {
    this.#path = path
    this.#runBytes = options.runBytes ?? runBytes
  }

  /** How the lines become rows; undefined before the first line. */
  get plan(): LinePlan | undefined {
    return this.#plan
  }

  async add({ bytes, plan, end, time }: TimedLines): Promise<void> {
    this.#plan = plan
    const length = end.length === 0 ? 0 : end[end.length - 1]
    if (length === undefined || length === 0) return
    if (this.#length > 0 && this.#length + length > this.#runBytes) await this.#write()
    if (this.#length + length > this.#bytes.length) this.#grow(this.#length + length)
    this.#bytes.set(bytes.subarray(0, length), this.#length)
    for (const stop of end) this.#ends.push(this.#length + stop)
    for (const seconds of time) this.#times.push(seconds)
    this.#length += length
  }

  /** All lines after the first `skip`, in order of time, in blocks with room for one more byte. */
  async *blocks({ skip, blockBytes }: { skip: number; blockBytes: number }): AsyncGenerator<SortedBlock> {
    const cursor = await this.#openCursor()
    let bytes = new Uint8Array(blockBytes + 1)
    let length = 0
    let lines = 0
    for (let number = 0; ; number++) {
      const more = cursor.next()
      if (!(typeof more === "boolean" ? more : await more)) break
      if (number < skip) continue
      const { line } = cursor
      if (length + line.length > blockBytes) {
        if (length > 0) yield { bytes, length, lines, isLast: false }
        bytes = new Uint8Array(Math.max(blockBytes, line.length) + 1)
        length = 0
        lines = 0
      }
      bytes.set(line, length)
      length += line.length
      lines++
    }
    yield { bytes, length, lines, isLast: true }
  }

  async close(): Promise<void> {
    await this.#file?.close()
    if (this.#file !== undefined) await rm(this.#path, { force: true })
    this.#file = undefined
  }

  async #openCursor(): Promise<LineCursor> {
    if (this.#file === undefined) return this.#walkMemory()
    await this.#write()
    return new RunMerge(this.#file, this.#runs)
  }

  #walkMemory(): LineCursor {
    const order = this.#order()
    let at = 0
    const cursor: { line: Uint8Array; next(): boolean } = {
      line: new Uint8Array(0),
      next: () => {
        const line = order[at++]
        if (line !== undefined) cursor.line = this.#line(line)
        return line !== undefined
      },
    }
    return cursor
  }

  #order(): Uint32Array {
    return orderByNumbers([Uint32Array.from(this.#times, (seconds) => seconds ^ 0x80000000)])
  }

  #line(line: number): Uint8Array {
    return this.#bytes.subarray(line === 0 ? 0 : this.#ends[line - 1], this.#ends[line])
  }

  /** Writes the lines in memory as a run. */
  async #write(): Promise<void> {
    if (this.#length === 0) return
    const run = Buffer.alloc(this.#length + runHeadBytes * this.#ends.length)
    let at = 0
    for (const line of this.#order()) {
      const bytes = this.#line(line)
      run.writeInt32LE(this.#times[line] ?? 0, at)
      run.writeUInt32LE(bytes.length, at + 4)
      run.set(bytes, at + runHeadBytes)
      at += runHeadBytes + bytes.length
    }
    const start = this.#runs.at(-1)?.end ?? 0
    try {
      this.#file ??= await openPrivate(this.#path)
      for (let done = 0; done < run.length; )
        done += (await this.#file.write(run, done, run.length - done, start + done)).bytesWritten
    } catch (error) {
      throw unwritable(this.#path, error)
    }
    this.#runs.push({ start, end: start + run.length })
    this.#length = 0
    this.#ends = []
    this.#times = []
  }

  #grow(least: number): void {
    const larger = new Uint8Array(Math.max(least, Math.min(this.#bytes.length * 2, this.#runBytes)))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

async function openPrivate(path: string): Promise<FileHandle> {
  await rm(path, { force: true }) // left over from a killed run
  return open(path, "wx+", 0o600)
}

function unwritable(path: string, cause: unknown): unknown {
  const code = systemCode(cause)
  if (code === undefined) return cause
  return new QueryveilError(
    code === "ENOSPC" || code === "EDQUOT" ? "output-full" : "output-unwritable",
    `${path}: the file for sorting cannot be written (${code}). Free disk space, or sort the input by time first.`,
    { file: path, cause },
  )
}
