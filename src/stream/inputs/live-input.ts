import type { LiveStream } from "../live/live-stream.ts"
import type { InputBatch } from "../live/transport.ts"
import type { BatchMaker } from "./batch-maker.ts"

/** Where records come from. One narrow interface for files, sockets and brokers. */
export interface LiveInput {
  /**
   * Offers what comes until the input ends or `signal` stops it; resolves when everything that was read in whole lines has
   * been offered. Rejects when the input fails, or when the stream does.
   */
  run(stream: LiveStream, signal: AbortSignal): Promise<void>
}

/** Offers batches one behind the other, each when there is room for it. */
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
    this.#failed.catch(() => {}) // whoever waits hears of it
  }

  async offer(batches: Iterable<InputBatch>): Promise<void> {
    for (const batch of batches) {
      const { room, receipt } = this.#stream.offer(batch)
      receipt.catch(this.#fail)
      this.#last = receipt
      await Promise.race([room, this.#failed])
    }
  }

  /** Everything that was offered is durable. */
  async settle(): Promise<void> {
    await this.#last
  }
}

/** Bytes that arrive, and the moments at which nothing more is there. */
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
