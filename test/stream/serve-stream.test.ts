import { describe, expect, test } from "vitest"
import type { LiveInput } from "#dist/stream/inputs/live-input.js"
import { serveStream } from "#dist/stream/serve-stream.js"
import { FakeStream } from "../server/fake-stream.ts"
import { never } from "./lines.ts"

/** An input that continues until it is stopped, and records that it was. */
function endless() {
  const seen = { stopped: false }
  const input: LiveInput = {
    async run(_stream, signal) {
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve))
      seen.stopped = true
    },
  }
  return { seen, input }
}

class ClosableStream extends FakeStream {
  closed = 0
  failure: Error | undefined
  override async close(): Promise<void> {
    this.closed++
    if (this.failure !== undefined) throw this.failure
  }
}

describe("a served stream", () => {
  test("is closed, once, when its inputs have ended or are stopped", async () => {
    const stream = new ClosableStream()
    await serveStream(stream, { inputs: [{ run: async () => {} }], signal: never })
    expect(stream.closed).toBe(1)
    const { seen, input } = endless()
    const controller = new AbortController()
    const ended = serveStream(stream, { inputs: [input], signal: controller.signal })
    controller.abort()
    await ended
    expect([seen.stopped, stream.closed]).toEqual([true, 2])
  })

  test("is also closed when an input fails, after the others were stopped, and reports the first failure", async () => {
    const stream = new ClosableStream()
    stream.failure = new Error("also")
    const { seen, input } = endless()
    const broken: LiveInput = { run: () => Promise.reject(new Error("first")) }
    await expect(serveStream(stream, { inputs: [input, broken], signal: never })).rejects.toThrow("first")
    expect([seen.stopped, stream.closed]).toEqual([true, 1])
  })

  test("that fails while nothing arrives ends the run, and says why", async () => {
    class FailingStream extends ClosableStream {
      override async drain(): Promise<void> {
        throw new Error("the disk is gone")
      }
    }
    const stream = new FailingStream()
    const { seen, input } = endless()
    stream.state = "stopped"
    const ended = serveStream(stream, { inputs: [input], signal: never, lookEvery: 1 })
    await expect(ended).rejects.toThrow("the disk is gone")
    expect(seen.stopped).toBe(true)
  })
})
