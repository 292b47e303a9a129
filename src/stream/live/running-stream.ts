import { setImmediate as nextTurn } from "node:timers/promises"
import type { RunContext } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { type InputPositions, positionsFrom, positionsText, withPosition } from "../store/positions.ts"
import type { Boundary, StreamStore } from "../store/store.ts"
import { storeName } from "../store/store-name.ts"
import { AnsweredRequests } from "./answered-requests.ts"
import { Backpressure } from "./backpressure.ts"
import { rejectsOf, rowEnd, splitRejects } from "./batch-receipts.ts"
import { changeSettings } from "./change-settings.ts"
import { RecentQuantiles } from "./delays.ts"
import type { EncodedRecords } from "./encode-releases.ts"
import { gatherFigures } from "./gather-figures.ts"
import type { LiveStream, Offer, StreamChange } from "./live-stream.ts"
import type { Offered, Pending } from "./pending-batch.ts"
import type { Preparation } from "./prepare.ts"
import { RecordWarnings } from "./record-warnings.ts"
import { type StreamSettings, settingsFrom, settingsText } from "./settings.ts"
import type { StreamCore } from "./stream-core.ts"
import type { InputLag, StreamFigures } from "./stream-figures.ts"
import type { BatchReceipt, InputBatch, RequestReceipt, StreamOutput } from "./transport.ts"
import type { RiskWatch } from "./watch-risk.ts"

/** Rows that are taken before other tasks get a turn. */
const sliceRows = 1 << 13
/** Interval of the periodic checks, and how many new releases make another risk assessment worthwhile. */
const everyMilliseconds = 10_000
const fewReleases = 1000

export interface RunningParts {
  core: StreamCore
  store: StreamStore
  output: StreamOutput
  taxonomy: Taxonomy
  preparation: Preparation
  risk: RiskWatch
  /** True if categories in which the running attack is right too often are withheld. */
  gate: boolean
  isFull(): boolean
  warn(text: string): void
  context: RunContext
}

/** A running stream: the queue before the core, and the path of its results to journal and output. */
export class RunningStream implements LiveStream {
  readonly store: string
  readonly requests: AnsweredRequests
  resumed: LiveStream["resumed"] = { positions: {}, waiting: 0, repeated: 0, cut: 0 }
  readonly #parts: RunningParts
  readonly #startedAt: number
  readonly #commits = new RecentQuantiles()
  #state: StreamFigures["state"] = "running"
  #failure: unknown
  #closed = false
  readonly #queue: Pending[] = []
  #pump: Promise<void> | undefined
  readonly #room: Backpressure
  /** Positions of the inputs after the last frame, and the size of the output after it in bytes. */
  #positions: InputPositions = {}
  #outputBytes = 0
  /** Resolves when everything appended so far is durable and was handed to the output. */
  #emitted: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #assessed = 0
  readonly #lags = new Map<string, InputLag>()
  readonly #warnings: RecordWarnings

  constructor(parts: RunningParts) {
    this.#parts = parts
    this.#startedAt = parts.context.now()
    this.store = storeName(parts.store.key)
    this.requests = new AnsweredRequests(parts.store.key)
    this.#room = new Backpressure({ now: parts.context.now, isOver: () => this.#failure !== undefined })
    this.#warnings = new RecordWarnings(parts.core.totals, parts.warn)
  }

  /** Resumes what an earlier run left behind: writes its last releases again, byte for byte. */
  async recover(accept: (settings: StreamSettings) => void): Promise<void> {
    const { core, store, output, risk } = this.#parts
    const { boundary, records, waiting, released, frames } = store.recovered
    const isNew = boundary.settings === "" && store.journalBytes === 0
    // A damaged store, or one with other settings, is refused before the output is touched.
    let due = 0
    let arrived = 0
    let settings = settingsFrom(boundary.settings)
    for await (const { records: more, deals, change } of frames()) {
      arrived += more.count
      due += deals.record.length
      settings = settingsFrom(change) ?? settings
    }
    if (settings !== undefined) accept(settings)
    core.expect(records + arrived)
    for await (const batch of waiting()) core.restore(batch)
    for await (const pairs of released()) core.remember(pairs)
    const { time } = settings ?? core.settings
    output.onFailure?.((error) => this.#fail(error))
    await output.open({ ...boundary.output, isNew, due, store: this.store, time })
    // From here on the store records that it has an output and the output's format.
    if (isNew) await store.append(core.commit({ input: "", changed: true }).frame)
    this.#outputBytes = boundary.output.bytes
    this.#positions = positionsFrom(boundary.input)
    core.nextRecord = boundary.record
    core.nextRelease = boundary.output.releases
    Object.assign(core.totals, boundary.totals)
    core.cellCounts.restore(boundary.cells ?? [])
    for (const request of boundary.answered ?? []) this.requests.add(request)
    const before = core.nextRelease
    for await (const frame of frames()) {
      this.#positions = positionsFrom(frame.input)
      const released = core.replay(frame)
      if (frame.answered !== "") for (const request of JSON.parse(frame.answered)) this.requests.add(request)
      await this.#writeHeader()
      this.#outputBytes += released.bytes.length
      await this.#write(released, { last: core.nextRelease - 1, positions: this.#positions })
    }
    await this.#writeHeader()
    output.recovered?.(core.nextRelease - 1)
    core.resume()
    risk.restart()
    this.#assessed = core.nextRelease
    this.#warnings.begin()
    this.resumed = {
      positions: this.#positions,
      waiting: core.held,
      repeated: core.nextRelease - before,
      cut: store.recovered.cut,
    }
    // Not earlier: a checkpoint in the middle of the replay would lose the frames after it.
    this.#timer = setInterval(() => this.#maintain(), everyMilliseconds)
    this.#timer.unref()
  }

  offer(batch: InputBatch): Offer {
    const { core, preparation, context } = this.#parts
    const { position, parts, requests, ...block } = batch
    const prepared = preparation.prepare({ ...block, seed: core.seeds.high, low: core.seeds.low })
    prepared.catch(() => {}) // awaited later, in order
    const bytes = batch.length
    this.#room.input += bytes
    const offered = { prepared, bytes, position, parts, requests, arrived: context.now() }
    const receipt = this.#enqueue(offered)
    const room = this.#awaitRoom()
    room.catch(() => {}) // the caller may look only at the receipt
    return { room, receipt, withdraw: () => this.#withdraw(offered) }
  }

  /** Removes a batch from the queue if the core has not started on it; false if it has. */
  #withdraw(offered: Offered): boolean {
    const at = this.#queue.findIndex((pending) => "prepared" in pending && pending.prepared === offered.prepared)
    const [pending] = at < 0 ? [] : this.#queue.splice(at, 1)
    if (pending === undefined) return false
    this.#room.input -= offered.bytes
    pending.reject(new QueryveilError("stream-stopped", "The batch was withdrawn."))
    this.#room.notify()
    return true
  }

  async configure(change: StreamChange): Promise<void> {
    changeSettings(this.#parts.core.settings, change, this.#parts.taxonomy) // throws before anything changes
    await this.#enqueue({ change })
  }

  get state(): StreamFigures["state"] {
    if (this.#state !== "running") return this.#state
    if (this.#parts.isFull()) return "full"
    return this.#room.isBlocked ? "blocked" : "running"
  }

  get checkpoint(): StreamFigures["checkpoint"] {
    const { store, context } = this.#parts
    const { at, isStalled } = store.checkpointed
    return { age: Math.max(0, context.now() - at) / 1000, isStalled }
  }

  noteLag(lag: InputLag): void {
    this.#lags.set(lag.input, lag)
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
      inputs: [...this.#lags.values()],
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
    receipt.catch(() => {}) // the caller may look only at room
    return receipt
  }

  async #takeAll(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#room.forOutput()
      const next = this.#queue.shift()
      if (next === undefined) return
      try {
        if (this.#failure !== undefined) throw this.#failure
        await this.#takeNext(next)
      } catch (error) {
        this.#fail(error)
        next.reject(error)
      }
      if ("bytes" in next) this.#room.input -= next.bytes
      this.#room.notify()
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
    this.#warnings.look()
    if (next.position !== undefined) this.#positions = withPosition(this.#positions, next.position)
    const taken = parts.reduce((sum, part) => sum + part.taken, 0)
    const withheld = parts.reduce((sum, part) => sum + part.withheld, 0)
    const receipt = { taken, withheld, rejected, parts }
    const { arrived } = next
    this.#append({
      changed: false,
      answered: this.requests.answer(next.requests ?? [], { answers: parts, at: this.#parts.context.now() }),
    }).then(
      () => {
        const { context } = this.#parts
        this.#commits.add(context.now() - arrived, context.now())
        next.resolve(receipt)
      },
      (error) => {
        // The batch is not durable: a sender that repeats it must not be told that it was accepted.
        for (const identity of next.requests ?? []) if (identity !== undefined) this.requests.forget(identity.id)
        next.reject(error)
      },
    )
  }

  /** Journals what the core did, then releases it. Resolves when it is durable. */
  #append(frameOf: { changed: boolean; answered?: string }): Promise<void> {
    const { core, store } = this.#parts
    const positions = this.#positions
    const { frame, released } = core.commit({ input: positionsText(positions), ...frameOf })
    const { length } = released.bytes
    this.#outputBytes += length
    const durable = store.append(frame)
    this.#room.output += length
    const last = core.nextRelease - 1
    const earlier = this.#emitted
    this.#emitted = Promise.all([durable, earlier])
      .then(() => this.#write(released, { last, positions }))
      .finally(() => {
        this.#room.output -= length
        this.#room.notify()
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
      input: positionsText(this.#positions),
      settings: settingsText(core.settings),
      totals: { ...core.totals },
      cells: core.cellCounts.list(),
      answered: this.requests.list(),
    }
    const emitted = this.#emitted
    store.checkpoint(boundary, async () => {
      await emitted
      await output.settle()
    })
  }

  /** Writes the header before the first release, once the format is known. */
  async #writeHeader(): Promise<void> {
    if (this.#outputBytes > 0) return
    const header = this.#parts.core.header()
    this.#outputBytes = header.length
    await this.#write({ bytes: header, ends: new Uint32Array(0) }, { last: -1, positions: this.#positions })
  }

  async #write({ bytes, ends }: EncodedRecords, of: { last: number; positions: InputPositions }): Promise<void> {
    if (bytes.length > 0) await this.#parts.output.write(bytes, { ends, ...of })
  }

  #fail(error: unknown): void {
    this.#failure ??= error
    this.#state = "stopped"
    this.#room.notify()
  }

  async #awaitRoom(): Promise<void> {
    await this.#room.forInput()
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Makes due checkpoints even while nothing arrives, and assesses the risk. */
  async #maintain(): Promise<void> {
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
        [
          `The running attack (${found.attacker}) names more than 1/${k} of the users correctly:`,
          `at least ${found.lower.toFixed(3)}.`,
        ].join(" "),
      )
      if (gate && named.length > 0) await this.configure({ withhold: named })
    } catch (error) {
      if (this.#closed) return // its thread was ended
      warn(`The running attack failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}
