import type { LiveInput } from "./inputs/live-input.ts"
import type { LiveStream } from "./live/live-stream.ts"

const lookEvery = 1000

/**
 * Runs a stream from its inputs until all of them have ended, or the signal stops them. Then it makes everything that
 * was accepted durable, writes it, and closes the stream.
 *
 * When an input fails, the others are stopped; records accepted before that are still processed to the end. A stream
 * that fails by itself stops the inputs too, even while no records arrive.
 */
export async function serveStream(
  stream: LiveStream,
  options: { inputs: readonly LiveInput[]; signal: AbortSignal; lookEvery?: number },
): Promise<void> {
  const { inputs, signal } = options
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  if (signal.aborted) stop()
  signal.addEventListener("abort", stop)
  const failures: unknown[] = []
  const look = setInterval(() => {
    if (stream.state === "stopped") stop()
  }, options.lookEvery ?? lookEvery)
  try {
    const running = inputs.map((input) =>
      input.run(stream, stopping.signal).catch((error: unknown) => {
        failures.push(error)
        stop()
      }),
    )
    await Promise.all(running)
  } finally {
    clearInterval(look)
    signal.removeEventListener("abort", stop)
  }
  await stream.drain().catch((error: unknown) => failures.push(error))
  await stream.close().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
