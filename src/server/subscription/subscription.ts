import { type FileHandle, open } from "node:fs/promises"
import type { Writable } from "node:stream"
import type { AppendOptions } from "../../files/append-file.ts"
import type { StreamOutput, WrittenRecords } from "../../stream/live/transport.ts"
import { type Segment, SegmentedOutput } from "./segmented-output.ts"

/** How much of the output is kept for subscribers that reconnect. */
export interface SubscriptionOptions extends AppendOptions {
  folder: string
  /** Bytes that are kept for subscribers that reconnect, and how far the slowest may be behind. */
  retain: number
  /** Milliseconds after which a reader that takes nothing is disconnected. */
  stall?: number
}

interface Reader {
  at: number
}

/** Maximum bytes that a reader has in memory, besides what its socket holds. */
const readBytes = 1 << 16

/**
 * Releases for subscribers, each of which reads at its own pace from files. The slowest connected reader, or the last
 * one if none is connected, holds up the stream once it is more than `retain` bytes behind. Nothing is dropped that no
 * reader has read.
 */
export class Subscription implements StreamOutput {
  readonly exact = true
  readonly #segments: SegmentedOutput
  readonly #retain: number
  readonly #stall: number
  readonly #readers = new Set<Reader>()
  #floor = 0 // position of the last reader
  #newest: number | undefined
  #held = true
  #closing = false
  #waiting: (() => void)[] = []

  constructor({ folder, retain, stall = 60_000, ...options }: SubscriptionOptions) {
    const segmentBytes = Math.min(16 << 20, Math.max(1 << 12, Math.floor(retain / 8)))
    this.#segments = new SegmentedOutput(folder, { ...options, segmentBytes })
    this.#retain = retain
    this.#stall = stall
  }

  async open({ bytes, due }: { bytes: number; due: number }): Promise<void> {
    await this.#segments.open(bytes, due)
    this.#floor = this.#segments.start
  }

  /** Lets readers in: what was cut back to the last checkpoint has been written again. */
  recovered(newest: number): void {
    this.#newest = newest
  }

  /** Number of the newest release, -1 before the first; undefined until recovery is done. */
  get newest(): number | undefined {
    return this.#newest
  }

  /** Call when the stream is about to end: the rest is then written, however far behind the readers are. */
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
    if (this.#newest === undefined) return // no reader before recovery is done: do not wait for readers
    while (this.#held && this.#segments.end - this.#slowest() > this.#retain) await this.#change()
  }

  settle(): Promise<void> {
    return this.#segments.sync()
  }

  /** Sends the rest to the connected readers, then closes everything. */
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

  /** True if everything after a number is kept. */
  keeps(after: number): boolean {
    return after + 1 >= this.first
  }

  /**
   * Sends everything after a number, or everything that is kept, and then new releases as they come. It ends when the
   * target is closed or takes nothing for too long, or when the output is closed.
   */
  async send(target: Writable, after: number | undefined): Promise<void> {
    const reader = { at: this.#segments.start }
    this.#readers.add(reader) // keeps the files while its position is searched
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

  /** True if the target took the bytes, or at least made room for more in time. */
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
