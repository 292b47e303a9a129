import { setTimeout as wait } from "node:timers/promises"
import { lineCutter, type Seen, type Source } from "../seen.ts"
import type { World } from "./driver.ts"
import { ask, type Endpoint } from "./endpoint.ts"

/** The state of a subscriber. */
export interface SubscriberState {
  /** The number that was read last; undefined before the first. */
  last: number | undefined
  connections: number
  /** How often the releases that it asked for were no longer kept. */
  missed: number
}

interface SubscriberOptions {
  name: string
  endpoint: Endpoint
  seen: Seen
  /** Maximum milliseconds that it stays away after it left by itself. */
  absence: number
  isOver: () => boolean
  /** Called for every piece that arrives. */
  onBytes(bytes: Uint8Array): void
}

/** Subscribes, leaves now and then, and comes back for the releases after the last number that it read completely. */
export async function subscribe(world: World, options: SubscriberOptions): Promise<SubscriberState> {
  const { random, findings } = world
  const { name, endpoint, absence, isOver } = options
  const state: SubscriberState = { last: undefined, connections: 0, missed: 0 }
  while (!isOver()) {
    if (endpoint.url === undefined) {
      await wait(5)
      continue
    }
    if (random.chance(0.05)) await askAhead(world, options)
    const reply = await connect(state.last, options, state)
    if (reply?.status === 200) await wait(random.chance(0.3) ? random.below(absence) : 2)
    else if (reply?.status === 503 && reply.retryAfter !== null) await wait(5 + random.below(30))
    else if (reply?.status === 410) {
      const { first }: { first: number } = JSON.parse(reply.text)
      if (state.last === undefined || first <= state.last + 1)
        findings.add("410 for releases that are kept", `${name}: after ${state.last}, first ${first}`)
      state.last = first - 1
      state.missed++
    } else if (reply !== undefined)
      findings.add("a subscriber was refused", `${name}: after ${state.last}: ${reply.status} ${reply.text}`)
    else await wait(5)
  }
  return state

  async function connect(after: number | undefined, { seen, onBytes }: SubscriberOptions, own: SubscriberState) {
    const leave = new AbortController()
    try {
      const query = after === undefined ? "" : `?after=${after}`
      const reply = await fetch(`${endpoint.url}/stream${query}`, { signal: leave.signal })
      const { status } = reply
      if (status !== 200 || reply.body === null)
        return { status, retryAfter: reply.headers.get("retry-after"), text: await reply.text() }
      const source: Source = { name: `${name}, connection ${own.connections++}`, last: undefined, after }
      const most = random.chance(0.5) ? random.below(400) : Number.POSITIVE_INFINITY
      let read = 0
      const cut = lineCutter((line) => {
        seen.take(line, source)
        own.last = source.last
        read++
      })
      for await (const bytes of reply.body) {
        onBytes(bytes)
        cut(bytes)
        if (read >= most) leave.abort()
      }
      return { status, retryAfter: null, text: "" }
    } catch {
      return leave.signal.aborted ? { status: 200, retryAfter: null, text: "" } : undefined
    }
  }
}

/** Asks for releases after a number that does not exist yet. Expects 416, with the newest number. */
async function askAhead({ findings }: World, { endpoint, seen, name }: SubscriberOptions): Promise<void> {
  const known = seen.lines.length - 1
  const reply = await ask(endpoint, "/stream?after=999999999", {})
  if (reply === undefined || reply.status === 503) return
  const { newest }: { newest?: number } = JSON.parse(reply.text)
  if (reply.status !== 416 || newest === undefined || newest < known)
    findings.add("416 does not report the newest release", `${name}: ${reply.status} ${reply.text}, seen ${known}`)
}
