import type { LiveStream } from "../live/live-stream.ts"
import type { InputBatch } from "../live/transport.ts"
import type { BatchMaker } from "./batch-maker.ts"

/** A source of records. One narrow interface for files, sockets and brokers. */
export interface LiveInput {
  /**
   * Offers what arrives until the input ends or `signal` stops it. Resolves when everything that was read in complete
   * lines has been offered. Rejects when the input or the stream fails.
   */
  run(stream: LiveStream, signal: AbortSignal): Promise<void>
}

/** Offers batches one after another, each when the stream has room for it. */
export class Offering {
  readonly #stream: LiveStream
  readonly #failed: Promise<never>
  #fail: (error: unknown) => void = () => {}
  #last: Promise<unknown> = Promise.resolve()

  constructor(stream: LiveStream) {
    this.#stream = stream
    this.#failed = new Promise((_resolve, reject) => {
      this.#fail = reject
    })
    this.#failed.catch(() => {}) // avoids an unhandled rejection; callers that await it still see it
  }

  async offer(batches: Iterable<InputBatch>): Promise<void> {
    for (const batch of batches) {
      const { room, receipt } = this.#stream.offer(batch)
      receipt.catch(this.#fail)
      this.#last = receipt
      await Promise.race([room, this.#failed])
    }
  }

  /** Resolves when everything that was offered is durable. */
  async settle(): Promise<void> {
    await this.#last
  }
}

/** Bytes that arrive, or a moment at which no more bytes are available. */
export type Arrival = Uint8Array | "pause"

/** Offers the lines of one source as they arrive. */
export async function offerArrivals(
  arrivals: AsyncIterable<Arrival>,
  maker: BatchMaker,
  offering: Offering,
): Promise<void> {
  for await (const arrival of arrivals) {
    await offering.offer(arrival === "pause" ? maker.pause() : maker.add(arrival))
  }
}
