import type { LiveStream } from "../stream/live/live-stream.ts"
import type { LiveInput } from "./inputs/live-input.ts"

/**
 * Runs a stream from its inputs until all of them have ended, or the signal stops them; then everything that was taken is
 * made durable and written, and the stream is closed. When an input fails the others are stopped, and what was taken is
 * still seen to its end.
 */
export async function serveStream(
  stream: LiveStream,
  { inputs, signal }: { inputs: readonly LiveInput[]; signal: AbortSignal },
): Promise<void> {
  const stopping = new AbortController()
  const stop = () => stopping.abort()
  if (signal.aborted) stop()
  signal.addEventListener("abort", stop)
  const failures: unknown[] = []
  try {
    const running = inputs.map((input) =>
      input.run(stream, stopping.signal).catch((error: unknown) => {
        failures.push(error)
        stop()
      }),
    )
    await Promise.all(running)
  } finally {
    signal.removeEventListener("abort", stop)
  }
  await stream.close().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
