import type { LinePlan } from "../../log/formats/parsed-block.ts"
import type { RequestIdentity } from "../../stream/live/answered-requests.ts"
import type { LiveStream, Offer } from "../../stream/live/live-stream.ts"
import type { InputBatch, RequestReceipt } from "../../stream/live/transport.ts"
import type { Lines } from "./element-lines.ts"

/** Nothing of the request was accepted: there was no room in time. */
export class NoRoom extends Error {}

interface Waiting extends Lines {
  plan: LinePlan
  identity: RequestIdentity | undefined
  since: number
  resolve(receipt: RequestReceipt): void
  reject(error: unknown): void
}

const lineFeed = 10
const batchBytes = 4 << 20
const lookEvery = 250
/**
 * Maximum number of unanswered batches. When the stream is busy, the requests that arrive meanwhile form larger
 * batches, which cost less.
 */
const mostUnderWay = 4

/**
 * Requests that arrive in one turn of the event loop go into one batch for each plan, and the receipt is split again.
 * So a request with one record costs little more than its bytes. Requests wait while the stream has no room, but not
 * for ever.
 */
export class Collector {
  readonly #stream: LiveStream
  readonly #patience: number
  readonly #maxBytes: number
  readonly #timer: NodeJS.Timeout
  #queue: Waiting[] = []
  #queued = 0
  #running = false
  #closed = false // true if the store's disk is full, or the output accepts nothing
  /** Batches that the stream has not answered yet. */
  readonly #handed = new Set<{ withdraw(): boolean }>()
  #open = 0
  #whenIdle: (() => void) | undefined
  #underWay = 0
  #whenAnswered: (() => void) | undefined

  constructor(stream: LiveStream, options: { patience?: number; maxBytes?: number } = {}) {
    this.#stream = stream
    this.#patience = options.patience ?? 5000
    this.#maxBytes = options.maxBytes ?? 64 << 20
    this.#timer = setInterval(() => this.#look(), lookEvery)
    this.#timer.unref()
  }

  /** Resolves when the lines are durable. Rejects with `NoRoom` if none of them was accepted. */
  submit(
    { bytes, lines }: Lines,
    { plan, identity }: { plan: LinePlan; identity?: RequestIdentity | undefined },
  ): Promise<RequestReceipt> {
    return new Promise((resolve, reject) => {
      if (this.#closed || (this.#queued + bytes.length > this.#maxBytes && this.#queued > 0)) {
        reject(new NoRoom())
        return
      }
      this.#queue.push({ bytes, lines, plan, identity, since: performance.now(), resolve, reject })
      this.#queued += bytes.length
      this.#open++
      if (this.#running) return
      this.#running = true
      setImmediate(() => this.#run())
    })
  }

  /** Resolves when every request has its answer. */
  async idle(): Promise<void> {
    if (this.#open > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve
      })
    }
    clearInterval(this.#timer)
  }

  #look(): void {
    if (this.#open === 0 && !this.#closed) return
    const { state } = this.#stream
    this.#closed = state === "full" || state === "blocked"
    const before = this.#closed ? Number.POSITIVE_INFINITY : performance.now() - this.#patience
    this.#dismiss(before)
    if (state === "blocked") for (const { withdraw } of this.#handed) withdraw()
  }

  /** Rejects the requests that have waited since before this time. */
  #dismiss(before: number): void {
    while (this.#queue[0] !== undefined && this.#queue[0].since <= before) {
      const late = this.#queue.shift()
      if (late === undefined) return
      this.#queued -= late.bytes.length
      late.reject(new NoRoom())
      this.#close(1)
    }
  }

  #close(requests: number): void {
    this.#open -= requests
    if (this.#open === 0) this.#whenIdle?.()
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      const group = this.#nextGroup()
      const { room, receipt, withdraw } = this.#offer(group)
      this.#answer(group, { receipt, withdraw })
      await room.catch(() => {}) // the waiting requests see the error in their receipts
      while (this.#underWay >= mostUnderWay) await this.#answered()
    }
    this.#running = false
  }

  #offer(group: readonly Waiting[]): Offer {
    try {
      return this.#stream.offer(batchOf(group))
    } catch (error) {
      return { room: Promise.resolve(), receipt: Promise.reject(error), withdraw: () => false }
    }
  }

  #answered(): Promise<void> {
    return new Promise((resolve) => {
      this.#whenAnswered = resolve
    })
  }

  async #answer(group: readonly Waiting[], { receipt, withdraw }: Omit<Offer, "room">): Promise<void> {
    this.#underWay++
    let isWithdrawn = false
    const handed = { withdraw: () => (isWithdrawn ||= withdraw()) }
    this.#handed.add(handed)
    try {
      const { parts = [] } = await receipt
      for (const [i, { resolve, reject }] of group.entries()) {
        const part = parts[i]
        if (part === undefined) reject(new Error("the receipt has no entry for a part of the batch"))
        else resolve(part)
      }
    } catch (error) {
      for (const { reject } of group) reject(isWithdrawn ? new NoRoom() : error)
    }
    this.#handed.delete(handed)
    this.#underWay--
    this.#whenAnswered?.()
    this.#close(group.length)
  }

  /** The requests at the head of the queue that have the same plan, as many as fit in one batch. */
  #nextGroup(): Waiting[] {
    const plan = this.#queue[0]?.plan
    const group: Waiting[] = []
    const rest: Waiting[] = []
    let bytes = 0
    for (const waiting of this.#queue) {
      const fits = waiting.plan === plan && (bytes === 0 || bytes + waiting.bytes.length <= batchBytes)
      if (fits) bytes += waiting.bytes.length
      ;(fits ? group : rest).push(waiting)
    }
    this.#queue = rest
    this.#queued -= bytes
    return group
  }
}

function batchOf(group: readonly Waiting[]): InputBatch {
  const size = group.reduce((sum, { bytes }) => sum + bytes.length + 1, 0)
  const all = new Uint8Array(size + 1)
  const parts = new Uint32Array(group.length)
  let length = 0
  let lines = 0
  for (const [i, { bytes, lines: own }] of group.entries()) {
    all.set(bytes, length)
    length += bytes.length
    if (bytes.length > 0 && bytes[bytes.length - 1] !== lineFeed) all[length++] = lineFeed
    lines += own
    parts[i] = lines
  }
  const [first] = group
  if (first === undefined) throw new Error("an empty group")
  const requests = group.map(({ identity }) => identity)
  return { bytes: all, length, plan: first.plan, skipLines: 0, parts, requests }
}
