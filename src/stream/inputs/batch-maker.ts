import { QueryveilError } from "../../kernels/error.ts"
import { decodeLines } from "../../log/decode.ts"
import type { LinePlan } from "../../log/formats/parsed-block.ts"
import { describeReading } from "../../log/formats/reading.ts"
import { Unquoter } from "../../log/formats/unquote.ts"
import type { InputBatch, InputPosition } from "../live/transport.ts"
import { batchBytes, type CutLines, LineCutter } from "./line-cutter.ts"
import { detectLineFormat, headBytes, type LineChoice } from "./line-format.ts"

export interface BatchOptions extends LineChoice {
  /** Name of the source in messages. */
  path: string
  /** For a source that is resumed in the middle: the byte offset, and how its lines become rows. */
  resume?: { at: number; plan: LinePlan }
  /** Returns the position after this many bytes of the source. */
  position?: (end: number) => InputPosition
  /** Receives the names of the columns that are read. */
  note?: ((text: string) => void) | undefined
}

const lineFeed = 10
const quote = 34
const lacksLines = new Set(["input-rows", "input-columns"])

/** Makes batches of complete lines from the bytes of one source. The format is detected from its first lines. */
export class BatchMaker {
  readonly #options: BatchOptions
  #head: Uint8Array[] = [] // until the format is detected
  #headLength = 0
  #plan: LinePlan | undefined
  #skipLines = 0
  #cutter = new LineCutter()
  #unquoter: Unquoter | undefined
  #quoted: Uint8Array[] = [] // not yet converted
  #read = 0
  #end = 0

  constructor(options: BatchOptions) {
    this.#options = options
    if (options.resume !== undefined) this.#begin(options.resume.plan, options.resume.at)
  }

  /** Bytes of the source that were added, and bytes up to the end of the last batch. */
  get read(): number {
    return this.#read
  }
  get end(): number {
    return this.#end
  }

  /** Adds bytes and yields the batches that are full. */
  *add(chunk: Uint8Array): Generator<InputBatch> {
    this.#read += chunk.length
    if (this.#plan !== undefined) {
      yield* this.#pass(chunk)
      return
    }
    this.#head.push(chunk)
    this.#headLength += chunk.length
    if (this.#headLength >= headBytes) yield* this.#tell({ final: true })
  }

  /** Yields the complete lines so far, when no more bytes are available at the moment. */
  *pause(): Generator<InputBatch> {
    if (this.#plan === undefined) yield* this.#tell({ final: false })
    yield* this.#flush()
  }

  /** Ends the source. A last line without a line feed is taken, rejected, or left alone. */
  *finish(half: "take" | "reject" | "leave"): Generator<InputBatch> {
    if (this.#plan === undefined) yield* this.#tell({ final: half === "take" })
    yield* this.#flush()
    if (half === "leave" || this.#plan === undefined || this.#end === this.#read) return
    if (half === "reject") {
      // A single quote character is not a valid record in any format.
      yield this.#batch({ bytes: Uint8Array.of(quote, lineFeed, 0), length: 2, end: this.#read })
    } else if (this.#unquoter !== undefined) {
      for (const block of this.#unquoter.end()) yield this.#batch({ ...block, end: this.#read })
    } else {
      const rest = this.#cutter.takePartialLine()
      if (rest !== undefined) yield this.#batch(rest)
    }
  }

  /**
   * Detects the format, if the first lines are there. A single line may be a title without information; then more is
   * needed.
   */
  *#tell({ final }: { final: boolean }): Generator<InputBatch> {
    const head = Buffer.concat(this.#head)
    const end = final ? head.length : head.lastIndexOf(lineFeed) + 1
    if (end === 0) return
    const { encoding, path } = this.#options
    const lines = head.subarray(0, end)
    let told: ReturnType<typeof detectLineFormat>
    try {
      told = detectLineFormat(encoding === undefined ? lines : decodeLines(lines, encoding), this.#options)
    } catch (error) {
      const single = head.indexOf(lineFeed) === end - 1
      if (!final && single && error instanceof QueryveilError && lacksLines.has(error.code)) return
      throw error
    }
    const { plan, bom } = told
    if (plan.reading !== undefined) this.#options.note?.(describeReading(plan.reading, this.#options.unit))
    if (plan.quotedBy !== undefined && encoding !== undefined) {
      throw new QueryveilError(
        "usage",
        `${path}: a stream of quoted text must be UTF-8. Convert it first, for example with iconv -t utf-8.`,
        { flag: "--encoding" },
      )
    }
    const skipped = encoding === undefined ? bom : 0 // decoding has already removed the byte order mark
    this.#head = []
    this.#begin(plan, skipped)
    this.#read = skipped
    this.#skipLines = plan.headerLines
    yield* this.add(head.subarray(skipped))
  }

  #begin(plan: LinePlan, at: number): void {
    this.#plan = plan
    this.#read = at
    this.#end = at
    this.#cutter = new LineCutter(at)
    if (plan.quotedBy !== undefined) this.#unquoter = new Unquoter(plan.quotedBy)
  }

  *#pass(chunk: Uint8Array): Generator<InputBatch> {
    if (this.#unquoter !== undefined) {
      this.#quoted.push(chunk)
      if (this.#quoted.reduce((sum, { length }) => sum + length, 0) >= batchBytes) yield* this.#flush()
      return
    }
    for (let at = 0; at < chunk.length; ) {
      at += this.#cutter.add(chunk.subarray(at))
      if (this.#cutter.full) yield* this.#flush()
    }
  }

  *#flush(): Generator<InputBatch> {
    if (this.#unquoter === undefined) {
      const lines = this.#cutter.take()
      if (lines !== undefined) yield this.#batch(lines)
      return
    }
    if (this.#quoted.length === 0) return
    const bytes = Buffer.concat(this.#quoted)
    this.#quoted = []
    const block = this.#unquoter.convert({ bytes, length: bytes.length })
    if (block.length > 0) yield this.#batch({ ...block, end: this.#read - this.#unquoter.pending })
  }

  #batch({ bytes, length, end }: CutLines): InputBatch {
    const { encoding, position } = this.#options
    if (this.#plan === undefined) throw new Error("the format is not known yet")
    const skipLines = this.#skipLines
    this.#skipLines = 0
    this.#end = end
    const rest = { plan: this.#plan, skipLines, ...(position !== undefined && { position: position(end) }) }
    if (encoding === undefined) return { bytes, length, ...rest }
    const text = decodeLines(bytes.subarray(0, length), encoding)
    const roomy = new Uint8Array(text.length + 1)
    roomy.set(text)
    return { bytes: roomy, length: text.length, ...rest }
  }
}
