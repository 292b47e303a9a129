import type { Writable } from "node:stream"
import type { StreamOutput } from "../live/transport.ts"

/**
 * Standard output. A slow reader makes `write` wait. After a crash, releases since the last checkpoint are written
 * again; their numbers show the repetition.
 */
export function stdoutOutput(target: Writable = process.stdout): StreamOutput {
  let last: Promise<void> = Promise.resolve()
  return {
    exact: false,
    async open() {},
    write(bytes) {
      last = new Promise<void>((resolve, reject) => {
        target.write(bytes, (error) => (error == null ? resolve() : reject(error)))
      })
      return last
    },
    settle: () => last,
    async close() {
      await last
    },
  }
}
