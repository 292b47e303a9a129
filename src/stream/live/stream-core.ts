import type { PairSeeds } from "../../kernels/pair-hash.ts"
import { rejectReasons } from "../../log/formats/parsed-block.ts"
import { CellCounts } from "../../swapper/cell-counts.ts"
import { createSwapper } from "../../swapper/create-swapper.ts"
import { keyedCells } from "../../swapper/keyed-cells.ts"
import {
  mostWarmed,
  type Swapper,
  type SwapperOptions,
  type SwapSink,
  type WaitingPart,
  waitingParts,
} from "../../swapper/swapper.ts"
import type { Frame, StoredRecords } from "../store/frame.ts"
import type { WaitingRecords } from "../store/store.ts"
import { seeTime } from "./arrival-order.ts"
import { ClickJoins } from "./click-joins.ts"
import { ClosingCell } from "./closing-cell.ts"
import type { CoreChanges } from "./core-changes.ts"
import type { CoreOptions, WithheldReason } from "./core-options.ts"
import { type EncodedRecords, ReleaseEncoder } from "./encode-releases.ts"
import { FrameBuilder } from "./frame-builder.ts"
import { IncomingRecord } from "./incoming-record.ts"
import { LiveRecords, pairHighAt, pairLowAt, partsAt, stride, timeAt, topicAt } from "./live-records.ts"
import type { OfferedRecord } from "./offered-record.ts"
import type { PreparedBlock } from "./prepare-block.ts"
import { ReleaseWatch } from "./release-watch.ts"
import { ReleasedPairs } from "./released-pairs.ts"
import { type StreamSettings, settingsFrom, settingsText } from "./settings.ts"
import { TopicCut } from "./topic-cut.ts"
import { topicOfRow, whyNoTopic } from "./topic-of-row.ts"
import { warmRows, warmSlots } from "./warm-rows.ts"

/** Maximum number of records of one unit, so that a user who repeats a query endlessly cannot fill the memory. */
const mostRepeats = 1000

/**
 * The state of the stream, and what happens when records arrive: they wait, change users and become bytes. It does no
 * I/O. `commit` returns what happened since the last one, as a frame for the journal and bytes for the output.
 */
export class StreamCore {
  settings: StreamSettings
  readonly totals: Record<string, number> = { lines: 0, taken: 0, cells: 0 }
  nextRecord = 0
  nextRelease = 0
  /** How long records waited, and what the running attack sees of them. */
  readonly watch: ReleaseWatch
  /** Number of waiting records, by category. */
  readonly waiting: Int32Array
  /** Number of closed cells, by category, since the store was created. */
  readonly cellCounts = new CellCounts()
  readonly #options: CoreOptions
  readonly #records = new LiveRecords()
  readonly #encoder: ReleaseEncoder
  readonly #pairs: ReleasedPairs
  readonly #seeds: PairSeeds
  readonly #joins = new ClickJoins()
  readonly #frame: FrameBuilder
  readonly #changes: CoreChanges
  #randomOfCell: SwapperOptions["randomOfCell"]
  readonly #incoming: IncomingRecord
  readonly #offered: OfferedRecord = { number: -1, now: 0, arrived: 0, refusal: undefined }
  readonly #cell = new ClosingCell()
  #topics: TopicCut
  #swapper: Swapper
  /** Slots of records that left since the last commit. */
  #left: number[] = []
  /** What was read only to have it in the cache. */
  #warmed = 0

  /** `noting` makes what notes the changes of records (default: the frames of a journal). */
  constructor(options: CoreOptions, noting?: (records: LiveRecords) => CoreChanges) {
    const { taxonomy, key, secrets, remember, cellScope } = options
    const pathOf = (topic: number) => taxonomy.path(topic)
    this.#options = options
    this.settings = options.settings
    this.#seeds = secrets.seeds
    this.#frame = new FrameBuilder(this.#records)
    this.#changes = noting?.(this.#records) ?? this.#frame
    this.#pairs = new ReleasedPairs({ most: remember, log: this.#changes })
    this.#incoming = new IncomingRecord(this.#records, this.#seeds)
    this.#encoder = new ReleaseEncoder(this.#records, { key, cellScope, pathOf })
    this.waiting = new Int32Array(taxonomy.size)
    this.watch = new ReleaseWatch(this.#records, options)
    this.#topics = new TopicCut(taxonomy, this.settings)
    this.#useSettings(this.settings)
    this.#swapper = this.#openSwapper()
  }

  /** The seeds under which blocks hash their texts. */
  get seeds(): PairSeeds {
    return this.#seeds
  }

  /** Number of records of which some part waits. */
  get held(): number {
    return this.#swapper.waiting
  }

  usersIn(category: number): number {
    return this.#swapper.usersIn(category)
  }

  isGated(category: number): boolean {
    return this.#topics.isWithheld(category)
  }

  header(): Buffer {
    return this.#encoder.header()
  }

  /** Takes the rows [from, to) of a block. Returns how many of them wait or left. */
  take(block: PreparedBlock, from: number, to: number): number {
    this.#offered.arrived = this.#options.now() / 1000
    let taken = 0
    for (let at = from; at < to; at += mostWarmed) {
      const rows = { from: at, to: Math.min(to, at + mostWarmed) }
      const tables = { records: this.#records, pairs: this.#pairs, swapper: this.#swapper, ...this.#topics }
      this.#warmed ^= warmRows(block, rows, tables)
      taken += this.#takeEach(rows.from, rows.to, (row) => this.#takeRow(block, row))
    }
    return taken
  }

  /** Takes records that were read and classified elsewhere. Returns how many of them wait or left. */
  takeClassified(records: StoredRecords): number {
    this.totals.lines += records.count
    return this.#takeEach(0, records.count, (i) => {
      const topic = records.topic[i]
      if (this.#topics.isWithheld(topic)) return "withheld topic"
      this.#offered.arrived = records.arrival[i]
      this.#incoming.readStored(records, i)
      return this.#admit(records, i, topic)
    })
  }

  #takeEach(from: number, to: number, take: (row: number) => WithheldReason | undefined): number {
    this.#offered.now = this.#options.now()
    const before = this.nextRecord
    const withheld: Partial<Record<WithheldReason, number>> = {}
    for (let row = from; row < to; row++) {
      const reason = take(row)
      if (reason !== undefined) withheld[reason] = (withheld[reason] ?? 0) + 1
    }
    for (const [reason, count] of Object.entries(withheld)) this.#count(`withheld ${reason}`, count)
    const taken = this.nextRecord - before
    this.totals.taken += taken
    return taken
  }

  /** Counts the lines of a block, and those that are not rows. */
  countLines({ lines, rejectReason }: PreparedBlock): void {
    this.totals.lines += lines
    for (const code of rejectReason) this.#count(`rejected ${rejectReasons[code]}`)
  }

  change(settings: StreamSettings): void {
    const before = this.settings
    this.#useSettings(settings)
    this.#swapper.setK(settings.k)
    const isSame = (key: "gated" | "sensitive" | "branches") => settings[key]?.join("\n") === before[key]?.join("\n")
    const isSameCut = settings.depth === before.depth && settings.secret === before.secret
    if (isSameCut && isSame("gated") && isSame("sensitive") && isSame("branches")) return
    this.#topics = new TopicCut(this.#options.taxonomy, settings)
    this.#putAllBack()
  }

  /**
   * Returns what happened since the last commit, as a frame and as records of the output. `input` is the text of the
   * positions.
   */
  commit({ input, changed, answered = "" }: { input: string; changed: boolean; answered?: string }): {
    frame: Frame
    released: EncodedRecords
  } {
    const frame = this.#frame.take({
      nextRecord: this.nextRecord,
      nextRelease: this.nextRelease,
      input,
      change: changed ? settingsText(this.settings) : "",
      totals: { ...this.totals },
      answered,
    })
    return { frame, released: this.finish() }
  }

  /** Frees the records that left since the last time, and returns the records of the output. */
  finish(): EncodedRecords {
    for (const slot of this.#left) this.#records.free(slot)
    this.#left = []
    return this.#encoder.take()
  }

  /** Recovery: sets the settings, before records are given to the swapper. */
  use(settings: StreamSettings): void {
    this.#useSettings(settings)
    this.#topics = new TopicCut(this.#options.taxonomy, settings)
  }

  /** First step of recovery: makes room for this many records. */
  expect(records: number): void {
    this.#records.reserve(records)
  }

  /** Second step of recovery: restores the records that waited at the last checkpoint, in order. */
  restore({ records, number, parts }: WaitingRecords): void {
    for (let from = 0; from < number.length; from += mostWarmed) {
      const to = Math.min(number.length, from + mostWarmed)
      this.#warmed ^= this.#incoming.warm(records, from, to)
      for (let i = from; i < to; i++) this.#place(records, i, { number: number[i], part: parts[i] })
    }
  }

  /** Third step of recovery: restores the pairs that were released until then, two words each. */
  remember(pairs: Uint32Array): void {
    for (let i = 0; i < pairs.length; i += 2) this.#pairs.add(pairs[i], pairs[i + 1])
  }

  /** As `remember`, for pairs that were remembered in this generation. Generations must come in order. */
  rememberIn(generation: number, pairs: Uint32Array): void {
    this.#pairs.restore(generation, pairs)
  }

  /**
   * Fourth step of recovery: replays the frames after the checkpoint, in order. Returns their releases, byte for byte
   * as they were.
   */
  replay({ firstRecord, records, deals, change, totals }: Frame): EncodedRecords {
    const settings = settingsFrom(change)
    if (settings !== undefined) this.use(settings)
    for (let i = 0; i < records.count; i++)
      this.#place(records, i, { number: firstRecord + i, part: waitingParts.both })
    this.nextRecord = firstRecord + records.count
    for (let cell = 0, i = 0; cell < deals.cellEnd.length; cell++) {
      const time = deals.cellTime[cell]
      this.#encoder.openCell(++this.totals.cells)
      if (this.settings.mode === "strict" && i < deals.cellEnd[cell])
        this.cellCounts.add(this.#categoryOf(deals.record[i]))
      for (; i < deals.cellEnd[cell]; i++)
        this.#release(this.#records.find(deals.record[i]), this.#records.find(deals.as[i]), time)
    }
    Object.assign(this.totals, totals)
    return this.#encoder.take()
  }

  /** Last step of recovery: gives the waiting records to the swapper, under the current settings. */
  resume(): void {
    this.#topics = new TopicCut(this.#options.taxonomy, this.settings)
    this.#left = []
    for (let slot = 0; slot < this.#records.slots; slot++)
      if (this.#records.words[slot * stride + partsAt] === 0) this.#records.free(slot)
    this.#putAllBack()
  }

  #takeRow(block: PreparedBlock, row: number): WithheldReason | undefined {
    const query = block.query[row]
    if (query < 0) return this.#takeClick(block, row)
    const topic = topicOfRow(block, row)
    const keepsUrl = this.settings.urls === "keep"
    if (block.joins !== undefined && keepsUrl) this.#joins.keep(block, row, topic)
    if (topic < 0) return whyNoTopic(topic)
    if (this.#topics.isWithheld(topic)) return "withheld topic"
    if (block.user[row] < 0) return "no user"
    this.#incoming.readRow(block, row, keepsUrl)
    return this.#admit(block, row, topic)
  }

  /** A click that arrived separately from its search is a record like the search, with rank and url. */
  #takeClick(block: PreparedBlock, row: number): WithheldReason | undefined {
    const search = this.settings.urls === "keep" ? this.#joins.find(block, row) : undefined
    if (search === undefined) return "click"
    if (this.#topics.isWithheld(search.topic)) return "withheld topic"
    this.#incoming.readClick(search, block, row)
    return this.#admit(block, row, search.topic)
  }

  /** Offers the incoming record to the swapper. */
  #admit({ rank, time }: Pick<StoredRecords, "rank" | "time">, row: number, topic: number): WithheldReason | undefined {
    if (this.#isRepeated()) return "repeated"
    const records = this.#records
    const offered = this.#offered
    const category = this.#topics.category[topic]
    const slot = records.allocate()
    this.#incoming.place(slot, { rank: rank[row], time: time[row], arrival: offered.arrived, topic })
    records.category[slot * stride] = category
    records.setNumber(slot, this.nextRecord)
    records.words[slot * stride + partsAt] = waitingParts.both
    offered.number = this.nextRecord
    offered.refusal = undefined
    this.#cell.begin(time[row])
    this.waiting[category]++
    this.nextRecord++
    this.#swapper.offer(slot)
    if (offered.refusal === undefined) {
      seeTime(this.totals, time[row])
      this.#changes.add(slot)
      return undefined
    }
    this.nextRecord--
    this.waiting[category]--
    records.free(slot)
    return offered.refusal
  }

  #isRepeated(): boolean {
    return this.#options.repeats === "once" && this.#pairs.has(this.#incoming.pairHigh, this.#incoming.pairLow)
  }

  /** Releases a record under the user of another, with a cell that shows this time. */
  #release(slot: number, as: number, cellTime: number): void {
    const { words } = this.#records
    const { settings } = this
    const at = slot * stride
    const time = settings.time === "own" ? words[at + timeAt] : cellTime
    this.#encoder.put(slot, as, time, this.nextRelease, this.#topics.category[words[at + topicAt]])
    this.nextRelease++
    if (this.#options.repeats === "once") this.#pairs.add(words[at + pairHighAt], words[at + pairLowAt])
    if (settings.mode === "strict") words[at + partsAt] = 0
    else {
      words[at + partsAt] &= ~waitingParts.text
      words[as * stride + partsAt] &= ~waitingParts.user
      if (as !== slot && words[as * stride + partsAt] === 0) this.#left.push(as)
    }
    if (words[at + partsAt] === 0) this.#left.push(slot)
  }

  readonly #sink: SwapSink = {
    gather: (slot) => {
      this.#cell.gather(this.#records.words[slot * stride + timeAt])
      this.#warmed ^= this.#records.peek(slot)
    },
    release: (slot, as, ofSwapper, users) => {
      const cell = this.#cell
      if (cell.enter(ofSwapper)) {
        cell.number = ++this.totals.cells
        this.#encoder.openCell(cell.number)
        this.#changes.openCell(cell.time, users)
      }
      this.#changes.deal(slot, as)
      this.#release(slot, as, cell.time)
      this.waiting[this.#records.category[slot * stride]]--
      this.watch.see(slot, as, cell, this.#offered)
    },
    withhold: (_slot, reason) => {
      this.#offered.refusal = reason === "same-text" ? "same text" : reason
    },
  }

  #useSettings(settings: StreamSettings): void {
    const { taxonomy, secrets, dealingOf } = this.#options
    this.settings = settings
    this.watch.names = settings.users
    this.#encoder.use(settings)
    const secret = dealingOf?.(settings.secret ?? 1) ?? secrets.dealing
    this.#randomOfCell = keyedCells({ secret, pathOf: (category) => taxonomy.path(category) })
  }

  #openSwapper(expected = 0): Swapper {
    const { backlog, distinctTexts, random } = this.#options
    const { k, mode } = this.settings
    this.#cell.restart()
    const chance = { random, randomOfCell: this.#randomOfCell, counts: this.cellCounts }
    const limits = { backlog, distinctTexts, mostRepeats, expected }
    return createSwapper(this.#records, { k, mode, ...limits, ...chance, sink: this.#sink })
  }

  /** Gives all waiting records to a new swapper, under the current topics. */
  #putAllBack(): void {
    this.#swapper = this.#openSwapper(this.#records.slots)
    this.waiting.fill(0)
    const { words, category } = this.#records
    const slots = this.#records.inOrder()
    for (const slot of slots) category[slot * stride] = this.#topics.waitingPlace(words[slot * stride + topicAt])
    for (let from = 0; from < slots.length; from += mostWarmed) {
      const some = slots.subarray(from, from + mostWarmed)
      this.#warmed ^= warmSlots(some, this.#records, this.#swapper)
      for (const slot of some) this.#putBack(slot)
    }
  }

  #putBack(slot: number): void {
    const { words, category } = this.#records
    const at = slot * stride
    const part = words[at + partsAt]
    if ((part & waitingParts.text) !== 0) this.waiting[category[at]]++
    this.#swapper.restore(slot, part as WaitingPart)
  }

  /** Puts a stored record in the next slot, so that slots are in order of record numbers. */
  #place(stored: StoredRecords, i: number, { number, part }: { number: number; part: number }): void {
    const records = this.#records
    const { rank, time, arrival, topic } = stored
    const slot = records.allocate()
    this.#incoming.readStored(stored, i)
    this.#incoming.place(slot, { rank: rank[i], time: time[i], arrival: arrival[i], topic: topic[i] })
    records.setNumber(slot, number)
    records.words[slot * stride + partsAt] = part
  }

  /** The category with which a record left, while slots are in order of record numbers. */
  #categoryOf(number: number): number {
    return this.#topics.category[this.#records.words[this.#records.find(number) * stride + topicAt]]
  }

  #count(key: string, more = 1): void {
    this.totals[key] = (this.totals[key] ?? 0) + more
  }
}
