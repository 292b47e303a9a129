import { setImmediate as nextTurn } from "node:timers/promises"
import type { RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { firstAtLeast } from "../../kernels/search-sorted.ts"
import { rejectReasons } from "../../log/formats/parsed-block.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { Boundary, StreamStore } from "../store/store.ts"
import { AnsweredRequests } from "./answered-requests.ts"
import { lateRecords, muchLater } from "./arrival-order.ts"
import { changeSettings } from "./change-settings.ts"
import { RecentQuantiles } from "./delays.ts"
import type { StreamFigures } from "./figures.ts"
import { gatherFigures } from "./gather-figures.ts"
import type { LiveStream, Offer, StreamChange } from "./live-stream.ts"
import type { Preparation } from "./prepare.ts"
import type { PreparedBlock } from "./prepare-block.ts"
import { type StreamSettings, settingsFrom, settingsText } from "./settings.ts"
import type { StreamCore } from "./stream-core.ts"
import type { BatchReceipt, InputBatch, RequestReceipt, StreamOutput } from "./transport.ts"
import type { RiskWatch } from "./watch-risk.ts"

/** Bytes of input, and of output, that are under way at most before more input has to wait. */
const mostPending = 16 << 20
/** An output that makes no room for so long is blocked. */
const blockedMilliseconds = 2000
/** Rows that are taken before others have their turn. */
const sliceRows = 1 << 13
/** Between two looks at what is due; releases that make another look at the risk worth while. */
const everyMilliseconds = 10_000
const fewReleases = 1000

export interface RunningParts {
  core: StreamCore
  store: StreamStore
  output: StreamOutput
  taxonomy: Taxonomy
  preparation: Preparation
  risk: RiskWatch
  /** Whether categories are withheld in which the running attack is right too often. */
  gate: boolean
  isFull(): boolean
  warn(text: string): void
  context: RunContext
}

/** What was offered and is not taken yet. */
type Pending = {
  resolve(receipt: BatchReceipt): void
  reject(error: unknown): void
} & (Offered | { change: StreamChange })

interface Offered {
  prepared: Promise<PreparedBlock>
  bytes: number
  position: string
  parts: Uint32Array | undefined
  requests: InputBatch["requests"]
  arrived: number
}

/** A stream in motion: the queue before the core, and the way of what it gives to journal and output. */
export class RunningStream implements LiveStream {
  readonly requests: AnsweredRequests
  resumed = { input: "", waiting: 0, repeated: 0, cut: 0 }
  readonly #parts: RunningParts
  readonly #startedAt: number
  readonly #commits = new RecentQuantiles()
  #state: StreamFigures["state"] = "running"
  #failure: unknown
  #closed = false
  readonly #queue: Pending[] = []
  #pump: Promise<void> | undefined
  #pendingInput = 0
  #pendingOutput = 0
  #awaitingRoom: (() => void)[] = []
  /** Since when the output has not taken enough for more input; undefined while it does. */
  #blockedSince: number | undefined
  /** Where the input stands behind the last frame, and how many bytes the output will have behind it. */
  #input = ""
  #outputBytes = 0
  /** Resolves when everything appended so far is durable and was handed to the output. */
  #emitted: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #assessed = 0
  #lateBefore = 0
  #saidLate = false
  #saidUnknown = false

  constructor(parts: RunningParts) {
    this.#parts = parts
    this.#startedAt = parts.context.now()
    this.requests = new AnsweredRequests(parts.store.key)
  }

  /** Takes up what an earlier run left behind: writes its last releases again, byte for byte. */
  async recover(accept: (settings: StreamSettings) => void): Promise<void> {
    const { core, store, output, risk } = this.#parts
    const { boundary, waiting, released, frames } = store.recovered
    const isNew = boundary.settings === "" && store.journalBytes === 0
    // What is damaged, or was begun with other settings, is refused before the output is touched.
    let due = 0
    let settings = settingsFrom(boundary.settings)
    for await (const { deals, change } of frames()) {
      due += deals.record.length
      settings = settingsFrom(change) ?? settings
    }
    if (settings !== undefined) accept(settings)
    for await (const batch of waiting()) core.restore(batch)
    for await (const pairs of released()) core.remember(pairs)
    await output.open({ ...boundary.output, isNew, due })
    // From here on the store knows of the output, and how it looks.
    if (isNew) await store.append(core.commit({ input: "", changed: true }).frame)
    this.#outputBytes = boundary.output.bytes
    this.#input = boundary.input
    core.nextRecord = boundary.record
    core.nextRelease = boundary.output.releases
    Object.assign(core.totals, boundary.totals)
    for (const request of boundary.answered ?? []) this.requests.add(request)
    const before = core.nextRelease
    for await (const frame of frames()) {
      this.#input = frame.input
      const bytes = core.replay(frame)
      if (frame.answered !== "") for (const request of JSON.parse(frame.answered)) this.requests.add(request)
      await this.#writeHeader()
      this.#outputBytes += bytes.length
      if (bytes.length > 0) await output.write(bytes, core.nextRelease - 1)
    }
    await this.#writeHeader()
    output.recovered?.(core.nextRelease - 1)
    core.resume()
    risk.restart()
    this.#assessed = core.nextRelease
    this.#lateBefore = lateRecords(core.totals).records
    this.resumed = {
      input: this.#input,
      waiting: core.held,
      repeated: core.nextRelease - before,
      cut: store.recovered.cut,
    }
    // Not before: a checkpoint in the middle of the replay would lose what is behind it.
    this.#timer = setInterval(() => this.#lookAfter(), everyMilliseconds)
    this.#timer.unref()
  }

  offer(batch: InputBatch): Offer {
    const { core, preparation, context } = this.#parts
    const { position, parts, requests, ...block } = batch
    const prepared = preparation.prepare({ ...block, seed: core.seeds.high, low: core.seeds.low })
    prepared.catch(() => {}) // awaited in its turn
    const bytes = batch.length
    this.#pendingInput += bytes
    const offered = { prepared, bytes, position, parts, requests, arrived: context.now() }
    const receipt = this.#enqueue(offered)
    const room = this.#room()
    room.catch(() => {}) // who offers may look at the receipt alone
    return { room, receipt, withdraw: () => this.#withdraw(offered) }
  }

  /** Takes a batch out of the queue that the core has not begun with; false if it has. */
  #withdraw(offered: Offered): boolean {
    const at = this.#queue.findIndex((pending) => "prepared" in pending && pending.prepared === offered.prepared)
    const [pending] = at < 0 ? [] : this.#queue.splice(at, 1)
    if (pending === undefined) return false
    this.#pendingInput -= offered.bytes
    pending.reject(new QueryveilError("stream-stopped", "The batch was withdrawn."))
    this.#giveRoom()
    return true
  }

  async configure(change: StreamChange): Promise<void> {
    changeSettings(this.#parts.core.settings, change, this.#parts.taxonomy) // throws where it must, before anything changes
    await this.#enqueue({ change })
  }

  get state(): StreamFigures["state"] {
    if (this.#state !== "running") return this.#state
    if (this.#parts.isFull()) return "full"
    const { now } = this.#parts.context
    return this.#blockedSince !== undefined && now() - this.#blockedSince >= blockedMilliseconds ? "blocked" : "running"
  }

  get checkpoint(): StreamFigures["checkpoint"] {
    const { store, context } = this.#parts
    const { at, isStalled } = store.checkpointed
    return { age: Math.max(0, context.now() - at) / 1000, isStalled }
  }

  figures(): StreamFigures {
    const { core, taxonomy, risk, context, store } = this.#parts
    const now = context.now()
    const about = {
      state: this.state,
      now,
      startedAt: this.#startedAt,
      taxonomy,
      risk: risk.latest,
      journalBytes: store.journalBytes,
      checkpoint: this.checkpoint,
    }
    return gatherFigures(core, { ...about, commit: this.#commits.quantiles(now) })
  }

  async drain(): Promise<void> {
    while (this.#pump !== undefined) await this.#pump
    await this.#emitted
    if (this.#failure !== undefined) throw this.#failure
  }

  async close(): Promise<void> {
    const { store, output, preparation, risk } = this.#parts
    if (this.#closed) return
    this.#closed = true
    if (this.#failure === undefined) this.#state = "draining"
    clearInterval(this.#timer)
    try {
      await this.drain()
      await store.settled()
      if (store.journalBytes > 0) this.#checkpoint()
    } finally {
      this.#state = "stopped"
      await Promise.allSettled([risk.close(), preparation.close()])
      const [stored] = await Promise.allSettled([store.close()]) // the last checkpoint settles the output
      const [ended] = await Promise.allSettled([output.close()])
      const failed = [stored, ended].find((end) => end.status === "rejected")
      if (failed !== undefined) this.#fail(failed.reason)
    }
    if (this.#failure !== undefined) throw this.#failure
  }

  #enqueue(what: Offered | { change: StreamChange }) {
    const receipt = new Promise<BatchReceipt>((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure)
      if (this.#state === "stopped") return reject(new QueryveilError("stream-stopped", "The stream has stopped."))
      this.#queue.push({ ...what, resolve, reject })
      this.#pump ??= this.#takeAll().finally(() => {
        this.#pump = undefined
      })
    })
    receipt.catch(() => {}) // who offers may look at room alone
    return receipt
  }

  async #takeAll(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#outputRoom()
      const next = this.#queue.shift()
      if (next === undefined) return
      try {
        if (this.#failure !== undefined) throw this.#failure
        await this.#takeNext(next)
      } catch (error) {
        this.#fail(error)
        next.reject(error)
      }
      if ("bytes" in next) this.#pendingInput -= next.bytes
      this.#giveRoom()
    }
  }

  async #takeNext(next: Pending): Promise<void> {
    const { core, taxonomy, risk } = this.#parts
    if ("change" in next) {
      core.change(changeSettings(core.settings, next.change, taxonomy))
      risk.restart()
      this.#assessed = core.nextRelease
      const durable = this.#append({ changed: true })
      durable.then(() => next.resolve({ taken: 0, withheld: 0, rejected: [] }), next.reject)
      return
    }
    const block = await next.prepared
    core.countLines(block)
    let untilTurn = sliceRows
    const rejected = rejectsOf(block)
    const rejects = splitRejects(rejected, next.parts ?? [Number.POSITIVE_INFINITY])
    const parts: RequestReceipt[] = []
    for (let from = 0; parts.length < (next.parts?.length ?? 1); ) {
      const end = rowEnd(block, next.parts?.[parts.length])
      const rows = end - from
      let taken = 0
      while (from < end) {
        if (untilTurn === 0) {
          await nextTurn()
          untilTurn = sliceRows
        }
        const to = Math.min(end, from + untilTurn)
        taken += core.take(block, from, to)
        untilTurn -= to - from
        from = to
      }
      parts.push({ taken, withheld: rows - taken, ...rejects[parts.length] })
    }
    this.#warnLate()
    this.#warnUnknown()
    if (next.position !== "") this.#input = next.position // what came by another way leaves the place in a file alone
    const taken = parts.reduce((sum, part) => sum + part.taken, 0)
    const withheld = parts.reduce((sum, part) => sum + part.withheld, 0)
    const receipt = { taken, withheld, rejected, parts }
    const { arrived } = next
    this.#append({ changed: false, answered: this.#remember(next.requests ?? [], parts) }).then(
      () => {
        const { context } = this.#parts
        this.#commits.add(context.now() - arrived, context.now())
        next.resolve(receipt)
      },
      (error) => {
        // It is not durable: whoever sends it again must not hear that it was taken.
        for (const identity of next.requests ?? []) if (identity !== undefined) this.requests.forget(identity.id)
        next.reject(error)
      },
    )
  }

  /** Notes the answers of requests with a key, for a checkpoint; gives them as the journal has them. */
  #remember(requests: NonNullable<InputBatch["requests"]>, parts: readonly RequestReceipt[]): string {
    const at = this.#parts.context.now()
    const answered = requests.flatMap((identity, i) => {
      const answer = parts[i]
      return identity === undefined || answer === undefined ? [] : [{ ...identity, at, answer }]
    })
    for (const request of answered) this.requests.add(request)
    return answered.length === 0 ? "" : JSON.stringify(answered)
  }

  /** Once a run: a cell waits for times that were long ago. */
  #warnLate(): void {
    const { core, warn } = this.#parts
    const { records, seconds } = lateRecords(core.totals)
    if (this.#saidLate || records === this.#lateBefore || seconds < muchLater) return
    this.#saidLate = true
    warn(
      `Searches come out of the order of their times, by ${Math.floor(seconds / 3600)} hours and more. A cell shows the latest time of its searches, which may be long after most of them. Send searches in the order of their times, or give a whole file as --input: it is sorted.`,
    )
  }

  /** Once a run: a log that was classified with another taxonomy would be withheld whole. */
  #warnUnknown(): void {
    const { core, warn } = this.#parts
    if (this.#saidUnknown || core.totals["withheld unknown category"] === undefined) return
    this.#saidUnknown = true
    warn(
      "Some searches have a category that the taxonomy does not have, and are withheld. Give the --taxonomy that they were classified with, or --columns category=none to classify them here.",
    )
  }

  /** Journals what the core did, then releases it. Resolves when it is durable. */
  #append(frameOf: { changed: boolean; answered?: string }): Promise<void> {
    const { core, store } = this.#parts
    const { frame, bytes } = core.commit({ input: this.#input, ...frameOf })
    this.#outputBytes += bytes.length
    const durable = store.append(frame)
    this.#pendingOutput += bytes.length
    const last = core.nextRelease - 1
    const earlier = this.#emitted
    this.#emitted = Promise.all([durable, earlier])
      .then(() => (bytes.length > 0 ? this.#parts.output.write(bytes, last) : undefined))
      .finally(() => {
        this.#pendingOutput -= bytes.length
        this.#giveRoom()
      })
    this.#emitted.catch((error) => this.#fail(error))
    if (store.due) this.#checkpoint()
    return durable
  }

  #checkpoint(): void {
    const { core, store, output } = this.#parts
    const boundary: Boundary = {
      record: core.nextRecord,
      output: { releases: core.nextRelease, bytes: this.#outputBytes },
      input: this.#input,
      settings: settingsText(core.settings),
      totals: { ...core.totals },
      answered: this.requests.list(),
    }
    const emitted = this.#emitted
    store.checkpoint(boundary, async () => {
      await emitted
      await output.settle()
    })
  }

  /** Before the first release, once it is known how they look. */
  async #writeHeader(): Promise<void> {
    if (this.#outputBytes > 0) return
    const header = this.#parts.core.header()
    this.#outputBytes = header.length
    if (header.length > 0) await this.#parts.output.write(header, -1)
  }

  #fail(error: unknown): void {
    this.#failure ??= error
    this.#state = "stopped"
    this.#giveRoom()
  }

  /** Resolves when the queue is short enough for another batch. */
  async #room(): Promise<void> {
    while (this.#pendingInput >= mostPending && this.#failure === undefined)
      await new Promise<void>((resolve) => this.#awaitingRoom.push(resolve))
    if (this.#failure !== undefined) throw this.#failure
  }

  async #outputRoom(): Promise<void> {
    while (this.#pendingOutput >= mostPending && this.#failure === undefined) {
      this.#blockedSince ??= this.#parts.context.now()
      await new Promise<void>((resolve) => this.#awaitingRoom.push(resolve))
    }
    this.#blockedSince = undefined
  }

  #giveRoom(): void {
    const waiting = this.#awaitingRoom
    this.#awaitingRoom = []
    for (const resolve of waiting) resolve()
  }

  /** Checkpoints also come when nothing else does. */
  async #lookAfter(): Promise<void> {
    const { core, risk, store, context, gate, warn } = this.#parts
    if (this.#state !== "running") return
    if (this.#pump === undefined && store.due) this.#checkpoint()
    if (core.nextRelease - this.#assessed < fewReleases) return
    this.#assessed = core.nextRelease
    const { k, mode, repeats } = core.settings
    try {
      const found = await risk.assess({ k, cells: mode === "strict", once: repeats === "once", now: context.now() })
      if (found === undefined || !found.alarm) return
      const named = found.alarmed.map(({ path }) => path)
      warn(
        `The running attack (${found.attacker}) names more than 1/${k} of the users: at least ${found.lower.toFixed(3)}.`,
      )
      if (gate && named.length > 0) await this.configure({ withhold: named })
    } catch (error) {
      if (this.#closed) return // its thread was ended
      warn(`The running attack failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

function rejectsOf({ rejectLine, rejectReason }: PreparedBlock): BatchReceipt["rejected"] {
  return Array.from(rejectLine, (line, i) => ({ line, reason: rejectReasons[rejectReason[i]] }))
}

const listed = 100

/** The rejected lines of each part, by its last line, numbered from 1 within it: the first hundred, and how many there are. */
function splitRejects(
  rejected: BatchReceipt["rejected"],
  ends: ArrayLike<number>,
): Pick<RequestReceipt, "rejected" | "rejectedTotal">[] {
  let at = 0
  let before = 0
  return Array.from(ends, (end) => {
    const from = at
    while (at < rejected.length && rejected[at].line <= end) at++
    const own = rejected.slice(from, Math.min(at, from + listed))
    const start = before
    before = end
    return {
      rejected: own.map(({ line, reason }) => ({ line: line - start, reason })),
      rejectedTotal: at - from,
    }
  })
}

/** Behind the last row of the first so many lines; of all, where it is not said. Rows are in the order of their lines. */
function rowEnd({ line }: PreparedBlock, lines: number | undefined): number {
  return lines === undefined ? line.length : firstAtLeast(line, lines + 1)
}
