import { passes, type StoreFile, type StoreFiles } from "../../files/folder-files.ts"
import { placeEnvelope } from "./envelope.ts"
import type { Frame } from "./frame.ts"
import { encodeFrame } from "./frame-codec.ts"

export const segmentName = (segment: number) => `journal-${segment}.log`

export interface JournalOptions {
  /** The segment to continue, and its length. */
  segment: number
  length: number
  /** Start value of the checksums. */
  seed: number
  /** Called with true when the disk is full, and with false when it has room again. */
  onFull(full: boolean): void
  /** Resolves after this many milliseconds. */
  pause(milliseconds: number): Promise<void>
}

type Waiting = { frame: Buffer | undefined; resolve: () => void; reject: (error: unknown) => void }

const retryMilliseconds = 1000

/**
 * Frames in segment files, each durable before `append` resolves. Appends that arrive while a flush runs share the next
 * flush. A flush begins only after the previous one is durable, so what a crash leaves incomplete belongs to a single
 * flush.
 *
 * On a full or failing disk, the segment is cut back to the last flush and the same bytes are written again, every
 * second until it works. The append then takes longer, but nothing is lost and nothing is written twice. After any
 * other error, the journal accepts nothing.
 */
export class Journal {
  segment: number
  /** Bytes of the segment that are durable. */
  length: number
  /** Length of the previous segment. */
  closed = 0
  /** Bytes appended since the journal was opened, durable or not. */
  appended = 0
  /** The segment in which the next append will be. */
  #promised: number
  #files: StoreFiles
  #options: JournalOptions
  #file: StoreFile | undefined
  #queue: Waiting[] = []
  #running: Promise<void> | undefined
  #broken: { cause: unknown } | undefined
  /** True if a failed flush may have left bytes after `length`. */
  #dirty = false

  constructor(files: StoreFiles, options: JournalOptions) {
    this.#files = files
    this.#options = options
    this.segment = options.segment
    this.#promised = options.segment
    this.length = options.length
  }

  append(frame: Frame): Promise<void> {
    const bytes = encodeFrame(frame, { seed: this.#options.seed })
    this.appended += bytes.length
    return this.#enter(bytes)
  }

  /** Begins the next segment. Resolves when everything that was appended before is durable in earlier segments. */
  async turn(): Promise<number> {
    const next = ++this.#promised
    await this.#enter(undefined)
    return next
  }

  /** Makes the journal refuse everything from now on. */
  fail(cause: unknown): void {
    this.#broken ??= { cause }
  }

  async close(): Promise<void> {
    await this.#running
    await this.#file?.close()
    this.#file = undefined
    this.fail(new Error("The journal is closed."))
  }

  #enter(frame: Buffer | undefined): Promise<void> {
    if (this.#broken !== undefined) return Promise.reject(this.#broken.cause)
    return new Promise((resolve, reject) => {
      this.#queue.push({ frame, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  async #run(): Promise<void> {
    await undefined // appends of the same turn share the first flush
    let batch: Waiting[] = []
    try {
      while (this.#queue.length > 0) {
        const turnAt = this.#queue.findIndex(({ frame }) => frame === undefined)
        batch = this.#queue.splice(0, turnAt === 0 ? 1 : turnAt < 0 ? this.#queue.length : turnAt)
        const frames = batch.flatMap(({ frame }) => frame ?? [])
        await this.#persist(() => (turnAt === 0 ? this.#begin(this.segment + 1) : this.#flush(frames)))
        for (const { resolve } of batch) resolve()
        batch = []
      }
    } catch (cause) {
      this.fail(cause)
      for (const { reject } of [...batch, ...this.#queue.splice(0)]) reject(cause)
    } finally {
      this.#running = undefined
    }
  }

  async #persist(step: () => Promise<void>): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await step()
        if (tries > 0) this.#options.onFull(false)
        return
      } catch (error) {
        if (!passes(error)) throw error
        if (tries === 0) this.#options.onFull(true)
        await this.#options.pause(retryMilliseconds)
      }
    }
  }

  async #flush(frames: Buffer[]): Promise<void> {
    this.#file ??= await this.#files.open(segmentName(this.segment), "make")
    const file = this.#file
    if (this.#dirty) await file.cut(this.length)
    this.#dirty = true
    let size = 0
    for (const frame of frames) {
      placeEnvelope(frame, { back: size, seed: this.#options.seed })
      size += frame.length
    }
    try {
      await file.write(frames.length === 1 ? frames[0] : Buffer.concat(frames, size), this.length)
      await file.flush()
    } catch (error) {
      await file.cut(this.length).catch(() => {}) // tried again before the next write
      throw error
    }
    this.length += size
    this.#dirty = false
  }

  async #begin(segment: number): Promise<void> {
    const file = await this.#files.open(segmentName(segment), "make")
    try {
      await this.#files.flush()
    } catch (error) {
      await file.close()
      throw error
    }
    await this.#file?.close()
    this.#file = file
    this.closed = this.length
    this.segment = segment
    this.length = 0
  }
}
