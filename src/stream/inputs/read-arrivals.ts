import type { Readable } from "node:stream"
import { setImmediate as nextTurn } from "node:timers/promises"
import type { Arrival } from "./live-input.ts"

/**
 * Yields what arrives on a stream until it ends or the signal stops it. Everything that is available after a turn of
 * the event loop comes in one piece, followed by a pause. While the consumer takes nothing, the stream fills up and the
 * sender has to wait.
 */
export async function* readArrivals(stream: Readable, signal: AbortSignal): AsyncGenerator<Arrival> {
  let wake = () => {}
  let ended = stream.readableEnded || stream.destroyed
  let failure: Error | undefined
  const rouse = () => wake()
  const end = () => {
    ended = true
    wake()
  }
  const fail = (error: Error) => {
    failure = error
    wake()
  }
  stream.on("readable", rouse).on("end", end).on("close", end).on("error", fail)
  signal.addEventListener("abort", rouse)
  try {
    for (;;) {
      await nextTurn()
      const chunk: Uint8Array | null = stream.read()
      if (chunk !== null) {
        yield chunk
        if (!signal.aborted) continue
      }
      yield "pause"
      if (failure !== undefined) throw failure
      if (ended || signal.aborted) return
      if (stream.readableLength > 0) continue
      await new Promise<void>((resolve) => {
        wake = resolve
        if (stream.readableLength > 0 || ended || failure !== undefined || signal.aborted) resolve()
      })
    }
  } finally {
    stream.off("readable", rouse).off("end", end).off("close", end).off("error", fail)
    stream.on("error", () => {}) // ignore errors from here on
    signal.removeEventListener("abort", rouse)
  }
}
