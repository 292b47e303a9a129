import type { Life } from "../life.ts"
import { lineCutter, Seen } from "../seen.ts"
import type { Driver, World } from "./driver.ts"
import { feedPieces } from "./pieces.ts"

/** Standard input to standard output. What was written is read to its end, also after a kill. */
export async function standardDriver(world: World): Promise<Driver> {
  const seen = new Seen(world.findings)
  let lives = 0
  let bytesSeen = 0
  const writeTo = (life: Life) => (text: string) => {
    const written = new Promise<unknown>((resolve) => life.child.stdin?.write(text, resolve))
    return Promise.race([written, life.ended])
  }
  return {
    isLossless: false,
    isAnswered: false,
    places: () => ["--to", "jsonl"],
    onOutput() {
      const source = { name: `life ${lives++}`, last: undefined, after: undefined }
      const cut = lineCutter((line) => seen.take(line, source))
      return (bytes) => {
        bytesSeen += bytes.length
        cut(bytes)
      }
    },
    feed: (life, signal) => feedPieces(world, { life, signal, write: writeTo(life) }),
    progress: () => bytesSeen,
    async collect() {
      world.sent.takenUpTo(world.sent.searches.length - 1)
    },
    async finish(life) {
      await life.says(/live page: (\S+)/)
      const stop = AbortSignal.timeout(500)
      await feedPieces(world, { life, signal: stop, write: writeTo(life) })
      life.child.stdin?.end()
    },
    lines: () => seen.lines,
    async close() {},
  }
}
