import { type FileHandle, open, readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { AppendFile, type AppendOptions } from "../../files/append-file.ts"
import { makePrivateFolder } from "../../files/private-folder.ts"
import { writeError } from "../../files/write-error.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { countLines, isAhead } from "../../stream/outputs/count-lines.ts"

/** A file of releases: bytes `start` to `end` of the whole output. `first` is the number of its first release. */
export interface Segment {
  path: string
  start: number
  end: number
  first: number
}

const nameShape = /^(\d{16})-(\d{16})\.ndjson$/
const digits = (value: number) => String(value).padStart(16, "0")

/** The output as files of some megabytes each, of which the oldest can be removed. */
export class SegmentedOutput {
  readonly #folder: string
  readonly #bytes: number
  readonly #options: AppendOptions
  #list: Segment[] = []
  #file: AppendFile | undefined
  #end = 0
  #last: Promise<void> = Promise.resolve()

  constructor(folder: string, { segmentBytes, ...options }: AppendOptions & { segmentBytes: number }) {
    this.#folder = folder
    this.#bytes = segmentBytes
    this.#options = options
  }

  get list(): readonly Segment[] {
    return this.#list
  }

  get end(): number {
    return this.#end
  }

  get start(): number {
    return this.#list[0]?.start ?? this.#end
  }

  /** Resumes with the existing files, and cuts off what is after the position. */
  async open(position: number, due: number): Promise<void> {
    this.#end = position
    try {
      await makePrivateFolder(this.#folder)
      if ((await this.#countBehind(position)) > due) throw isAhead(this.#folder)
      for (const name of (await readdir(this.#folder)).sort()) {
        const found = nameShape.exec(name)
        if (found === null) continue
        const path = join(this.#folder, name)
        const start = Number(found[1])
        if (start >= position) await rm(path)
        else this.#list.push({ path, start, end: start + (await stat(path)).size, first: Number(found[2]) })
      }
    } catch (error) {
      throw writeError(this.#folder, error)
    }
    this.#list.forEach((segment, i) => {
      const next = this.#list[i + 1]
      if (next === undefined ? segment.end >= position : segment.end === next.start) return
      throw new QueryveilError(
        "output-changed",
        [
          `${segment.path}: is shorter than what was written to it.`,
          `Remove the folder ${this.#folder}. Subscribers then start with the next release.`,
        ].join(" "),
        { file: segment.path },
      )
    })
    const last = this.#list.at(-1)
    if (last === undefined) return
    last.end = position
    this.#file = await AppendFile.open(last.path, { ...this.#options, length: position - last.start })
  }

  /** Number of releases after a position. */
  async #countBehind(position: number): Promise<number> {
    let releases = 0
    for (const name of await readdir(this.#folder)) {
      const found = nameShape.exec(name)
      if (found !== null)
        releases += await countLines(join(this.#folder, name), Math.max(0, position - Number(found[1])))
    }
    return releases
  }

  /** Appends complete releases. */
  append(bytes: Uint8Array): Promise<void> {
    return this.#inTurn(() => this.#append(bytes))
  }

  /**
   * Runs the work after all earlier work: a checkpoint makes the file durable while releases arrive, and the file must
   * not be closed meanwhile.
   */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  async #append(bytes: Uint8Array): Promise<void> {
    const last = this.#list.at(-1)
    if (this.#file === undefined || last === undefined || last.end - last.start >= this.#bytes) {
      await this.#file?.sync()
      await this.#file?.close()
      const first = numberOf(bytes, 0)
      const path = join(this.#folder, `${digits(this.#end)}-${digits(first)}.ndjson`)
      this.#file = await AppendFile.open(path, { ...this.#options, length: 0, mode: 0o600 })
      this.#list.push({ path, start: this.#end, end: this.#end, first })
    }
    await this.#file.append(bytes)
    this.#end += bytes.length
    const current = this.#list.at(-1)
    if (current !== undefined) current.end = this.#end
  }

  sync(): Promise<void> {
    return this.#inTurn(async () => this.#file?.sync())
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#file?.sync()
      await this.#file?.close()
      this.#file = undefined
    })
  }

  /** Removes files that end before a position; the last file stays. */
  async dropBefore(place: number): Promise<void> {
    while (this.#list.length > 1 && (this.#list[0]?.end ?? 0) <= place) {
      const gone = this.#list.shift()
      if (gone !== undefined) await rm(gone.path, { force: true })
    }
  }

  /** Finds where the first release after a number begins. The release with the number itself may be the last one. */
  async findAfter(number: number): Promise<number> {
    const segment = this.#list.findLast(({ first }) => first <= number + 1)
    if (segment === undefined) return this.start
    const file = await open(segment.path, "r")
    try {
      return segment.start + (await offsetAfter(file, { length: segment.end - segment.start, number }))
    } finally {
      await file.close()
    }
  }
}

const lineFeed = 10

/** Bytes of a file that are in memory at once. */
const pieceBytes = 1 << 16
/** Maximum bytes of the number at the beginning of a line. */
const numberBytes = 64

/** Finds where the first line with a larger number begins; numbers grow from line to line. */
async function offsetAfter(file: FileHandle, { length, number }: { length: number; number: number }): Promise<number> {
  const piece = Buffer.allocUnsafe(pieceBytes)
  const readAt = async (at: number) => {
    const { bytesRead } = await file.read(piece, 0, Math.min(pieceBytes, length - at), at)
    if (bytesRead === 0) throw new Error("a segment is shorter than it was")
    return piece.subarray(0, bytesRead)
  }
  let at = 0 // a line begins here
  while (at < length) {
    let bytes = await readAt(at)
    let line = 0
    do {
      if (numberOf(bytes, line) > number) return at + line
      line = bytes.indexOf(lineFeed, line) + 1
    } while (line > 0 && line + numberBytes <= bytes.length)
    while (line === 0 && at + bytes.length < length) {
      at += bytes.length // the line is longer than a piece
      bytes = await readAt(at)
      line = bytes.indexOf(lineFeed) + 1
    }
    at += line === 0 ? bytes.length : line
  }
  return length
}

/** The number at the beginning of a line: `{"seq":17,…`. */
function numberOf(bytes: Uint8Array, at: number): number {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(64, bytes.length - at)).toString("latin1")
  const found = /^\{"seq":(\d+)/.exec(start)
  if (found === null) throw new Error("a release has no number")
  return Number(found[1])
}
