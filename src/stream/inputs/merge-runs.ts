import type { FileHandle } from "node:fs/promises"
import { QueryveilError } from "../../kernels/error.ts"

/** Bytes read from each run at a time, while the runs are merged. */
const readBytes = 256 << 10
/** Bytes before each line of a run: its time and its length. */
export const runHeadBytes = 8

/** Byte range of a run of sorted lines in a file. */
export interface Run {
  start: number
  end: number
}

/** A sequence of lines, one at a time. */
export interface LineCursor {
  /** The current line; overwritten by the next. */
  readonly line: Uint8Array
  /** Moves to the next line, synchronously if it is in memory. False if there is none. */
  next(): boolean | Promise<boolean>
}

/** The lines of all runs in order of time. At equal times, the line of the earlier run comes first. */
export class RunMerge implements LineCursor {
  /** A heap. The first reader is at the line that was returned last. */
  readonly #readers: RunReader[] = []
  #isOpen = false

  constructor(file: FileHandle, runs: readonly Run[]) {
    for (const [number, run] of runs.entries()) this.#readers.push(new RunReader(file, { ...run, number }))
  }

  get line(): Uint8Array {
    return this.#readers[0]?.line ?? new Uint8Array(0)
  }

  next(): boolean | Promise<boolean> {
    if (!this.#isOpen) return this.#open()
    const [first] = this.#readers
    if (first === undefined) return false
    const more = first.next()
    return typeof more === "boolean" ? this.#settle(more) : more.then((found) => this.#settle(found))
  }

  async #open(): Promise<boolean> {
    this.#isOpen = true
    for (const reader of this.#readers) await reader.next() // no run is empty
    this.#readers.sort(compare)
    return this.#readers.length > 0
  }

  /** Restores the heap after its first reader has advanced or ended. */
  #settle(found: boolean): boolean {
    if (!found) {
      const last = this.#readers.pop()
      if (last === undefined || this.#readers.length === 0) return false
      this.#readers[0] = last
    }
    siftDown(this.#readers)
    return true
  }
}

const compare = (a: RunReader, b: RunReader) => a.time - b.time || a.number - b.number

function siftDown(heap: RunReader[]): void {
  for (let at = 0; ; ) {
    let least = at
    for (let child = 2 * at + 1; child <= 2 * at + 2; child++) {
      const [one, other] = [heap[child], heap[least]]
      if (one !== undefined && other !== undefined && compare(one, other) < 0) least = child
    }
    const [top, below] = [heap[at], heap[least]]
    if (least === at || top === undefined || below === undefined) return
    heap[at] = below
    heap[least] = top
    at = least
  }
}

/** Reads the lines of a run one after another. */
class RunReader implements LineCursor {
  readonly number: number
  time = 0
  line: Uint8Array = new Uint8Array(0)
  readonly #file: FileHandle
  readonly #end: number
  #buffer = Buffer.alloc(0)
  #at = 0 // in the buffer
  #read: number // from the file

  constructor(file: FileHandle, { start, end, number }: Run & { number: number }) {
    this.#file = file
    this.#end = end
    this.#read = start
    this.number = number
  }

  next(): boolean | Promise<boolean> {
    const held = this.#buffer.length - this.#at
    const needed = held < runHeadBytes ? runHeadBytes : runHeadBytes + this.#buffer.readUInt32LE(this.#at + 4)
    if (held >= needed) return this.#take()
    if (held === 0 && this.#read === this.#end) return false
    return this.#fill(needed).then(() => this.next())
  }

  #take(): boolean {
    this.time = this.#buffer.readInt32LE(this.#at)
    const start = this.#at + runHeadBytes
    this.#at = start + this.#buffer.readUInt32LE(this.#at + 4)
    this.line = this.#buffer.subarray(start, this.#at)
    return true
  }

  async #fill(least: number): Promise<void> {
    const rest = this.#buffer.subarray(this.#at)
    const buffer = Buffer.alloc(Math.min(Math.max(readBytes, least), this.#end - this.#read + rest.length))
    rest.copy(buffer)
    for (let at = rest.length; at < buffer.length; ) {
      const { bytesRead } = await this.#file.read(buffer, at, buffer.length - at, this.#read)
      if (bytesRead === 0) throw new QueryveilError("internal", "The file of sorted lines ended early.")
      at += bytesRead
      this.#read += bytesRead
    }
    this.#buffer = buffer
    this.#at = 0
  }
}
