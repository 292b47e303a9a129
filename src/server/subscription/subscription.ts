import { type FileHandle, open } from "node:fs/promises"
import type { Writable } from "node:stream"
import type { AppendOptions } from "../../files/append-file.ts"
import type { StreamOutput, WrittenRecords } from "../../stream/live/transport.ts"
import { type Segment, Segments } from "./segments.ts"

/** How much of what left is kept for subscribers who come back. */
export interface SubscriptionOptions extends AppendOptions {
  folder: string
  /** Bytes that are kept for those who come back, and that the slowest may be behind. */
  retain: number
  /** Milliseconds after which a reader that takes nothing is sent away. */
  stall?: number
}

interface Reader {
  at: number
}

/** Bytes that a reader has in memory at most, besides what its socket holds. */
const readBytes = 1 << 16

/**
 * Releases for those who subscribe, each of whom reads at his own pace from files. The slowest connected reader, or the
 * last one when nobody is connected, holds the stream up once he is more than `retain` bytes behind: nothing is dropped
 * that nobody has read.
 */
export class Subscription implements StreamOutput {
  readonly exact = true
  readonly #segments: Segments
  readonly #retain: number
  readonly #stall: number
  readonly #readers = new Set<Reader>()
  #floor = 0 // where the last reader stood
  #newest: number | undefined
  #held = true
  #closing = false
  #waiting: (() => void)[] = []

  constructor({ folder, retain, stall = 60_000, ...options }: SubscriptionOptions) {
    const segmentBytes = Math.min(16 << 20, Math.max(1 << 12, Math.floor(retain / 8)))
    this.#segments = new Segments(folder, { ...options, segmentBytes })
    this.#retain = retain
    this.#stall = stall
  }

  async open({ bytes, due }: { bytes: number; due: number }): Promise<void> {
    await this.#segments.open(bytes, due)
    this.#floor = this.#segments.start
  }

  /** Readers may come: what was cut back to the last checkpoint is written again. */
  recovered(newest: number): void {
    this.#newest = newest
  }

  /** Number of the newest release, -1 before the first; undefined until recovery is done. */
  get newest(): number | undefined {
    return this.#newest
  }

  /** The stream is about to end: what is left is written, however far behind the readers are. */
  release(): void {
    this.#held = false
    this.#notify()
  }

  async write(bytes: Uint8Array, { last }: Pick<WrittenRecords, "last">): Promise<void> {
    if (bytes.length === 0) return
    await this.#segments.append(bytes)
    if (this.#newest !== undefined) this.#newest = last
    this.#notify()
    await this.#segments.dropBefore(Math.min(this.#slowest(), this.#segments.end - this.#retain))
    if (this.#newest === undefined) return // nobody can read before recovery is done, so it must not wait for readers
    while (this.#held && this.#segments.end - this.#slowest() > this.#retain) await this.#change()
  }

  settle(): Promise<void> {
    return this.#segments.sync()
  }

  /** Readers who are connected are given what is left, then everything is closed. */
  async close(): Promise<void> {
    this.#closing = true
    this.#notify()
    while (this.#readers.size > 0) await this.#change()
    await this.#segments.close()
  }

  /** The number of the oldest release that is kept, or of the next one if none is. */
  get first(): number {
    return this.#segments.list[0]?.first ?? (this.#newest ?? -1) + 1
  }

  get readers(): number {
    return this.#readers.size
  }

  /** Whether everything behind a number is kept. */
  keeps(after: number): boolean {
    return after + 1 >= this.first
  }

  /**
   * Sends everything behind a number, or everything that is kept, and what comes from now on, until the target is closed,
   * takes nothing for too long, or the output is closed.
   */
  async send(target: Writable, after: number | undefined): Promise<void> {
    const reader = { at: this.#segments.start }
    this.#readers.add(reader) // holds the files while its place is sought
    let file: { segment: Segment; handle: FileHandle } | undefined
    const gone = () => this.#notify()
    target.on("close", gone).on("error", gone)
    try {
      if (after !== undefined) reader.at = await this.#segments.findAfter(after)
      while (!target.destroyed) {
        const segment = this.#segments.list.find(({ end }) => reader.at < end)
        if (segment === undefined) {
          if (this.#closing) break
          await this.#change()
          continue
        }
        if (file?.segment !== segment) {
          await file?.handle.close()
          file = { segment, handle: await open(segment.path, "r") }
        }
        const length = Math.min(readBytes, segment.end - reader.at)
        const { buffer, bytesRead } = await file.handle.read(
          Buffer.allocUnsafe(length),
          0,
          length,
          reader.at - segment.start,
        )
        if (!(await this.#hand(target, buffer.subarray(0, bytesRead)))) break
        reader.at += bytesRead
        this.#notify()
      }
    } finally {
      await file?.handle.close()
      this.#readers.delete(reader)
      if (this.#readers.size === 0) this.#floor = reader.at
      target.off("close", gone).off("error", gone)
      this.#notify()
    }
  }

  /** Whether the target took the bytes, or at least made room for more in time. */
  async #hand(target: Writable, bytes: Uint8Array): Promise<boolean> {
    if (target.write(bytes)) return true
    const taken = await new Promise<boolean>((resolve) => {
      const settle = (result: boolean) => {
        clearTimeout(patience)
        target.off("drain", drained).off("close", lost).off("error", lost)
        resolve(result)
      }
      const drained = () => settle(true)
      const lost = () => settle(false)
      const patience = setTimeout(lost, this.#stall)
      target.on("drain", drained).on("close", lost).on("error", lost)
      if (target.destroyed) lost()
    })
    if (!taken) target.destroy()
    return taken
  }

  #slowest(): number {
    if (this.#readers.size === 0) return this.#floor
    return Math.min(...[...this.#readers].map(({ at }) => at))
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #notify(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }
}
