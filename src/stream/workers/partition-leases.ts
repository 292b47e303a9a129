import { setTimeout as wait } from "node:timers/promises"
import { QueryveilError } from "../../kernels/error.ts"
import { call, endCalls, type LibraryConsumer, type PartitionOffset } from "../kafka/kafka-library.ts"
import type { KafkaLink } from "../kafka/kafka-link.ts"
import type { TransportMessages } from "../transports/transport.ts"
import type { PartitionPlace } from "./partition-client.ts"

const assigned = -175
const [firstPause, longestPause] = [250, 10_000]
/** Another producer has the transactional id. Most likely this worker has lost the partition, and will hear of it. */
const fenced = -144
const fencedPause = 3000
/** How long the end of a partition's work is waited for. */
const stopMilliseconds = 10_000

/** Works on a partition until the signal. A failure that may pass is thrown as any error but a QueryveilError. */
export type PartitionWork = (place: PartitionPlace, signal: AbortSignal) => Promise<void>

interface Lease {
  place: PartitionPlace
  stop: AbortController
  ended: Promise<void>
}

/**
 * The partitions of topics that this worker has at present. The group shares them among its workers. The membership
 * says who should work on a partition. It does not protect it: a worker that was stopped for a while may believe that
 * it still has one. What protects it is the transactional id, of which the brokers accept the newest producer only.
 *
 * Positions are kept under another group, without members. So a change of membership does not fail a transaction.
 */
export class PartitionLeases {
  readonly #work: PartitionWork
  readonly #messages: TransportMessages
  /** By `keyOf`. */
  readonly #leases = new Map<string, Lease>()
  #member: LibraryConsumer | undefined
  #failure: { error: unknown } | undefined

  constructor(work: PartitionWork, messages: TransportMessages) {
    this.#work = work
    this.#messages = messages
  }

  /** The partitions that this worker has. */
  get partitions(): PartitionPlace[] {
    return [...this.#leases.values()].map(({ place }) => place)
  }

  /** Works until the signal, or until a partition fails for good. `topics` is asked again and again. */
  async run(
    link: KafkaLink,
    options: { group: string; session: number; signal: AbortSignal; topics(): Promise<readonly string[]> },
  ): Promise<void> {
    const { group, session, signal, topics } = options
    const member = await link.member(`${group}.members`, {
      session,
      rebalance: (change, partitions) => this.#rebalance(change.code === assigned, partitions),
    })
    this.#member = member
    try {
      member.setDefaultConsumeTimeout(50)
      let subscribed = ""
      while (!signal.aborted && this.#failure === undefined) {
        const wanted = await topics().catch((error) => {
          if (error instanceof QueryveilError) throw error
          return undefined // the brokers may answer next time
        })
        if (wanted !== undefined && wanted.join() !== subscribed) {
          member.subscribe(wanted)
          subscribed = wanted.join()
        }
        // All partitions are paused. Asking for messages keeps the membership alive.
        await call((done) => member.consume(1, done)).catch(() => wait(100))
      }
    } finally {
      await this.#stop(this.partitions)
      await endCalls([call((done) => member.disconnect(done))])
    }
    if (this.#failure !== undefined) throw this.#failure.error
  }

  #rebalance(isGain: boolean, partitions: readonly PartitionOffset[]): void {
    const member = this.#member
    if (member === undefined) return
    if (isGain) {
      attempt(() => member.incrementalAssign(partitions))
      attempt(() => member.pause(partitions))
      for (const { topic, partition } of partitions) this.#start({ topic, partition })
      return
    }
    // Another worker gets them only after this: so the last transaction ends in peace.
    this.#stop(partitions).finally(() => attempt(() => member.incrementalUnassign(partitions)))
  }

  #start(place: PartitionPlace): void {
    const stop = new AbortController()
    const before = this.#leases.get(keyOf(place))?.ended ?? Promise.resolve()
    const ended = before.then(() => this.#keepWorking(place, stop.signal))
    this.#leases.set(keyOf(place), { place, stop, ended })
  }

  /** Begins again after failures that may pass. Everything that was not committed is done again from the start. */
  async #keepWorking(place: PartitionPlace, signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures++) {
      const began = performance.now()
      try {
        await this.#work(place, signal)
        return
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof QueryveilError && error.code !== "kafka-unreachable") {
          this.#failure ??= { error }
          return
        }
        if (performance.now() - began > 60_000) failures = 0
        const why = error instanceof Error ? error.message : String(error)
        this.#messages.warn(
          `${place.topic}, partition ${place.partition}: ${why}. Its work begins again with what was committed.`,
        )
        const isFenced = error instanceof Error && "code" in error && error.code === fenced
        const pause = isFenced ? fencedPause : Math.min(longestPause, firstPause * 2 ** failures)
        await wait(pause, undefined, { signal }).catch(() => {})
      }
    }
  }

  async #stop(places: readonly PartitionPlace[]): Promise<void> {
    const found = places.flatMap((place) => this.#leases.get(keyOf(place)) ?? [])
    for (const { stop } of found) stop.abort()
    // If the brokers do not answer, a worker may not end for minutes. The next owner cuts it off.
    await Promise.race([Promise.all(found.map(({ ended }) => ended)), wait(stopMilliseconds)])
    for (const lease of found)
      if (this.#leases.get(keyOf(lease.place)) === lease) this.#leases.delete(keyOf(lease.place))
  }
}

/** The name of a partition among those of several topics. */
export const keyOf = ({ topic, partition }: PartitionPlace) => `${topic} ${partition}`

/** The library throws if the membership ended meanwhile. Then there is nothing to do. */
function attempt(step: () => void): void {
  try {
    step()
  } catch {
    // the member has left the group
  }
}
