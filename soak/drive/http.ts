import type { Life } from "../life.ts"
import { Seen } from "../seen.ts"
import type { Driver, World } from "./driver.ts"
import type { Endpoint } from "./endpoint.ts"
import { sendBodies } from "./sender.ts"
import { subscribe } from "./subscriber.ts"

/** Senders and subscribers over HTTP that outlive the stream. */
export async function httpDriver(world: World): Promise<Driver> {
  const seen = new Seen(world.findings)
  const endpoint: Endpoint = { url: undefined }
  let bytesSeen = 0
  let isClosing = false
  let isOver = false
  const senders = ["a", "b", "c"].map((name) =>
    sendBodies(world, { name, endpoint, isClosing: () => isClosing, isOver: () => isOver }),
  )
  const common = { endpoint, seen, isOver: () => isOver }
  const subscribers = [
    { name: "first", absence: 20 },
    { name: "second", absence: 20 },
    { name: "rare", absence: 2000 },
  ].map((own) =>
    subscribe(world, {
      ...common,
      ...own,
      onBytes(bytes) {
        bytesSeen += bytes.length
      },
    }),
  )
  const find = async (life: Life) => {
    endpoint.url = await life.says(/listening on (http:\S+)\n/)
  }
  return {
    isLossless: true,
    isAnswered: true,
    places: () => ["--input", "http", "--output", "http", "--http", "127.0.0.1:0", "--retain", "65536"],
    async feed(life) {
      await find(life)
      await life.ended
      endpoint.url = undefined
    },
    progress: () => bytesSeen,
    async collect() {},
    async finish(life) {
      await find(life)
      isClosing = true
      await Promise.race([Promise.all(senders), life.ended])
      life.child.kill("SIGTERM")
      await life.ended
      endpoint.url = undefined
      isOver = true
      await Promise.all([...senders, ...subscribers])
    },
    lines: () => seen.lines,
    async close() {
      isClosing = true
      isOver = true
    },
  }
}
