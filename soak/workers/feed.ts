import { setTimeout as wait } from "node:timers/promises"
import { openSender } from "../../servers/kafka-client.ts"
import type { Random } from "../random.ts"
import { makeNumbered } from "./numbered-searches.ts"

const batch = 50
const pauseMilliseconds = 100

/** What was sent. */
export interface Feed {
  /** Number of searches that were given to the producer. Their numbers begin with 0. */
  sent: number
  /** The numbers of searches that the brokers did not acknowledge in time. They may be in the input. */
  unanswered: Set<number>
}

/** Sends searches at a bounded rate, at most 500 a second, until the signal. */
export async function feedSearches(
  addresses: string,
  topic: string,
  { random, signal }: { random: Random; signal: AbortSignal },
): Promise<Feed> {
  // A producer that is not idempotent may write a search twice when a broker dies.
  const sender = await openSender(addresses, topic, { "enable.idempotence": true })
  const feed: Feed = { sent: 0, unanswered: new Set() }
  while (!signal.aborted) {
    const first = feed.sent
    feed.sent += batch
    const searches = Array.from({ length: batch }, (_, i) => JSON.stringify(makeNumbered(first + i, random)))
    await sender.send(searches).catch(() => {
      for (let number = first; number < first + batch; number++) feed.unanswered.add(number)
    })
    await wait(pauseMilliseconds)
  }
  await sender.close()
  return feed
}
