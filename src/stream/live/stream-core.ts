import { hashBytes } from "../../kernels/dictionary.ts"
import type { RandomSource } from "../../kernels/random.ts"
import { rejectReasons } from "../../log/formats/parsed-block.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { cutTopics } from "../categories.ts"
import type { Frame, StoredRecords } from "../store/frame.ts"
import { mixPair, type PairSeeds, pairSeeds } from "../store/pair-hash.ts"
import type { WaitingRecords } from "../store/store.ts"
import { createSwapper, type Swapper, type SwapSink, type WaitingPart, waitingParts } from "../swapper.ts"
import { ClickJoins } from "./click-joins.ts"
import { RecentQuantiles } from "./delays.ts"
import { ReleaseEncoder } from "./encode-releases.ts"
import { FrameBuilder } from "./frame-builder.ts"
import { LiveRecords } from "./live-records.ts"
import { identifying, type PreparedBlock } from "./prepare-block.ts"
import { ReleasedPairs } from "./released-pairs.ts"
import type { RiskWindow } from "./risk-window.ts"
import { type StreamSettings, settingsFrom, settingsText } from "./settings.ts"

/** Why a record that could be read does not leave. */
const withheldReasons = ["no topic", "identifier", "repeated", "backlog", "withheld topic", "click", "no user"] as const
export type WithheldReason = (typeof withheldReasons)[number]

export interface CoreOptions {
  taxonomy: Taxonomy
  /** Topics whose surroundings are one category. */
  sensitive: readonly number[]
  settings: StreamSettings
  backlog: number
  repeats: "keep" | "once"
  remember: number
  key: Buffer
  random: RandomSource
  window: RiskWindow
  now: () => number
}

/** Records that one unit may have: who repeats a query without end must not fill the memory. */
const mostRepeats = 1000

/**
 * Everything that the stream knows, and what happens when records come: they wait, change users and become bytes. It does
 * no I/O; what happened since the last `commit` is given as a frame for the journal and bytes for the output.
 */
export class StreamCore {
  settings: StreamSettings
  readonly totals: Record<string, number> = { lines: 0, taken: 0, cells: 0 }
  nextRecord = 0
  nextRelease = 0
  readonly delayRecords = new RecentQuantiles({ whole: true })
  readonly delaySeconds = new RecentQuantiles()
  /** Records that wait, by category. */
  readonly waiting: Int32Array
  readonly #options: CoreOptions
  readonly #records = new LiveRecords()
  readonly #encoder: ReleaseEncoder
  readonly #pairs: ReleasedPairs
  readonly #seeds: PairSeeds
  readonly #joins = new ClickJoins()
  readonly #frame: FrameBuilder
  #swapper: Swapper
  #cut: Int32Array
  #gated: Uint8Array
  #left: number[] = []
  /** Of the record that is offered: what cells show that it closes, and what its refusal says. */
  #time = 0
  #refused = false
  #user = -1
  #text = -1
  #pairHigh = 0
  #pairLow = 0
  #now = 0
  #cell = -1

  constructor(options: CoreOptions) {
    const { taxonomy, key, remember } = options
    this.#options = options
    this.settings = options.settings
    this.#seeds = pairSeeds(key)
    this.#pairs = new ReleasedPairs({ most: remember })
    this.#encoder = new ReleaseEncoder(this.#records, { key })
    this.#frame = new FrameBuilder(this.#records)
    this.waiting = new Int32Array(taxonomy.size)
    this.#cut = this.#cutTopics()
    this.#gated = this.#markGated()
    this.#swapper = this.#openSwapper()
    this.#encoder.use(this.settings)
  }

  /** The seeds under which blocks hash their texts. */
  get seeds(): PairSeeds {
    return this.#seeds
  }

  /** Records of which something waits. */
  get held(): number {
    return this.#swapper.waiting
  }

  usersIn(category: number): number {
    return this.#swapper.usersIn(category)
  }

  isGated(category: number): boolean {
    return this.#gated[category] === 1
  }

  header(): Buffer {
    return this.#encoder.header()
  }

  /** Takes the rows [from, to) of a block. Gives how many of them wait or left. */
  take(block: PreparedBlock, from: number, to: number): number {
    const { now } = this.#options
    this.#now = now()
    const before = this.nextRecord
    const withheld: Partial<Record<WithheldReason, number>> = {}
    for (let row = from; row < to; row++) {
      const reason = this.#takeRow(block, row)
      if (reason !== undefined) withheld[reason] = (withheld[reason] ?? 0) + 1
    }
    for (const [reason, count] of Object.entries(withheld)) this.#count(`withheld ${reason}`, count)
    const taken = this.nextRecord - before
    this.totals.taken += taken
    return taken
  }

  /** Counts the lines of a block, and those that are no rows. */
  countLines({ lines, rejectReason }: PreparedBlock): void {
    this.totals.lines += lines
    for (const code of rejectReason) this.#count(`rejected ${rejectReasons[code]}`)
  }

  change(settings: StreamSettings): void {
    const before = this.settings
    this.settings = settings
    this.#encoder.use(settings)
    this.#gated = this.#markGated()
    this.#swapper.setK(settings.k)
    if (settings.depth === before.depth) return
    this.#cut = this.#cutTopics()
    this.#swapper = this.#openSwapper()
    this.waiting.fill(0)
    for (const slot of this.#records.inOrder()) this.#putBack(slot)
  }

  /** What happened since the last time, as a frame and as bytes of the output. */
  commit({ input, changed }: { input: string; changed: boolean }): { frame: Frame; bytes: Uint8Array } {
    const frame = this.#frame.take({
      nextRecord: this.nextRecord,
      nextRelease: this.nextRelease,
      input,
      change: changed ? settingsText(this.settings) : "",
      totals: { ...this.totals },
    })
    for (const slot of this.#left) this.#records.free(slot)
    this.#left = []
    return { frame, bytes: this.#encoder.take() }
  }

  /** Before anything else: what waited at the last checkpoint, in order. */
  restore({ records, number, parts }: WaitingRecords): void {
    for (let i = 0; i < number.length; i++) this.#place(records, i, { number: number[i], part: parts[i] })
  }

  /** Then what was released until then, two words each. */
  remember(pairs: Uint32Array): void {
    for (let i = 0; i < pairs.length; i += 2) this.#pairs.add(pairs[i], pairs[i + 1])
  }

  /** Then the frames behind it, in order: what they released as bytes, the same as when it happened. */
  replay({ firstRecord, records, deals, change, totals }: Frame): Uint8Array {
    const settings = settingsFrom(change)
    if (settings !== undefined) {
      this.settings = settings
      this.#encoder.use(settings)
    }
    for (let i = 0; i < records.count; i++)
      this.#place(records, i, { number: firstRecord + i, part: waitingParts.both })
    this.nextRecord = firstRecord + records.count
    for (let cell = 0, i = 0; cell < deals.cellEnd.length; cell++) {
      this.#time = deals.cellTime[cell]
      for (; i < deals.cellEnd[cell]; i++) this.#release(this.#find(deals.record[i]), this.#find(deals.as[i]))
    }
    Object.assign(this.totals, totals)
    return this.#encoder.take()
  }

  /** At last: the swapper takes up what waits, under the settings in force. */
  resume(): void {
    this.#cut = this.#cutTopics()
    this.#gated = this.#markGated()
    this.#swapper = this.#openSwapper()
    this.#left = []
    for (let slot = 0; slot < this.#records.slots; slot++)
      if (this.#records.parts[slot] === 0) this.#records.free(slot)
      else this.#putBack(slot)
  }

  #takeRow(block: PreparedBlock, row: number): WithheldReason | undefined {
    const query = block.query[row]
    if (query < 0) return this.#takeClick(block, row)
    const topic = block.topic[query]
    if (block.joins !== undefined && this.settings.urls === "keep") this.#joins.keep(block, row)
    if (topic < 0) return topic === identifying ? "identifier" : "no topic"
    if (this.#gated[this.#cut[topic]] === 1) return "withheld topic"
    const { users, queries } = block
    const user = block.user[row]
    if (user < 0) return "no user"
    const { users: knownUsers, texts } = this.#records
    this.#pairHigh = mixPair(users.hashes[user], queries.hashes[query])
    this.#pairLow = mixPair(block.users.low[user], block.queries.low[query])
    if (this.#isRepeated()) return "repeated"
    this.#user = knownUsers.hold(users.arena, users.offsets[user], users.offsets[user + 1], users.hashes[user])
    this.#text = texts.hold(queries.arena, queries.offsets[query], queries.offsets[query + 1], queries.hashes[query])
    return this.#admit(block, row, topic)
  }

  /** A click that came apart from its search is a record like the search, with rank and url. */
  #takeClick(block: PreparedBlock, row: number): WithheldReason | undefined {
    const search = this.settings.urls === "keep" ? this.#joins.find(block, row) : undefined
    if (search === undefined) return "click"
    if (this.#gated[this.#cut[search.topic]] === 1) return "withheld topic"
    const { users, texts } = this.#records
    this.#pairHigh = mixPair(search.userHash, search.queryHash)
    this.#pairLow = mixPair(search.userLow, search.queryLow)
    if (this.#isRepeated()) return "repeated"
    this.#user = users.hold(search.user, 0, search.user.length, search.userHash)
    this.#text = texts.hold(search.query, 0, search.query.length, search.queryHash)
    return this.#admit(block, row, search.topic)
  }

  /** A row whose user and text are held already, as `#user` and `#text`. */
  #admit(block: PreparedBlock, row: number, topic: number): WithheldReason | undefined {
    const records = this.#records
    const category = this.#cut[topic]
    const slot = records.allocate()
    records.user[slot] = this.#user
    records.text[slot] = this.#text
    records.url[slot] = this.#holdUrl(block, row)
    records.pairHigh[slot] = this.#pairHigh
    records.pairLow[slot] = this.#pairLow
    records.rank[slot] = block.rank[row]
    records.time[slot] = block.time[row]
    records.arrival[slot] = this.#now / 1000
    records.topic[slot] = topic
    records.category[slot] = category
    records.number[slot] = this.nextRecord
    records.parts[slot] = waitingParts.both
    this.#time = block.time[row]
    this.#refused = false
    this.waiting[category]++
    this.nextRecord++
    this.#swapper.offer(slot)
    if (!this.#refused) {
      this.#frame.add(slot)
      return undefined
    }
    this.nextRecord--
    this.waiting[category]--
    records.free(slot)
    return "backlog"
  }

  #isRepeated(): boolean {
    return this.#options.repeats === "once" && this.#pairs.has(this.#pairHigh, this.#pairLow)
  }

  #holdUrl({ url, urls }: PreparedBlock, row: number): number {
    const id = url[row]
    if (id < 0 || this.settings.urls !== "keep") return -1
    return this.#records.texts.hold(urls.arena, urls.offsets[id], urls.offsets[id + 1], urls.hashes[id])
  }

  /** A record leaves under the user of another, at `#time`. */
  #release(slot: number, as: number): void {
    const records = this.#records
    const { settings } = this
    const time = settings.time === "own" ? records.time[slot] : this.#time
    this.#encoder.put(slot, as, time, this.nextRelease)
    this.nextRelease++
    if (this.#options.repeats === "once") this.#pairs.add(records.pairHigh[slot], records.pairLow[slot])
    if (settings.mode === "strict") records.parts[slot] = 0
    else {
      records.parts[slot] &= ~waitingParts.text
      records.parts[as] &= ~waitingParts.user
      if (as !== slot && records.parts[as] === 0) this.#left.push(as)
    }
    if (records.parts[slot] === 0) this.#left.push(slot)
  }

  readonly #sink: SwapSink = {
    release: (slot, as, cell, there) => {
      const records = this.#records
      const category = records.category[slot]
      if (cell !== this.#cell) {
        this.#cell = cell
        this.totals.cells++
        this.#frame.openCell(this.#time, there)
      }
      this.#frame.deal(slot, as)
      this.#release(slot, as)
      this.waiting[category]--
      this.delayRecords.add(this.nextRecord - 1 - records.number[slot], this.#now)
      this.delaySeconds.add(this.#now / 1000 - records.arrival[slot], this.#now)
      this.#options.window.add(
        records.users.hash[records.user[as]],
        records.users.hash[records.user[slot]],
        records.texts.hash[records.text[slot]],
        category,
        this.#time,
        this.totals.cells,
      )
    },
    withhold: () => {
      this.#refused = true
    },
  }

  #openSwapper(): Swapper {
    const { backlog, random } = this.#options
    const { k, mode } = this.settings
    this.#cell = -1
    return createSwapper(this.#records, { k, mode, backlog, mostRepeats, random, sink: this.#sink })
  }

  #putBack(slot: number): void {
    const records = this.#records
    records.category[slot] = this.#cut[records.topic[slot]]
    const part = records.parts[slot]
    if ((part & waitingParts.text) !== 0) this.waiting[records.category[slot]]++
    this.#swapper.restore(slot, part as WaitingPart)
  }

  /** Puts a stored record in the next slot, so that slots are in the order of numbers. */
  #place(stored: StoredRecords, i: number, { number, part }: { number: number; part: number }): void {
    const records = this.#records
    const { ends, arena } = stored
    const slot = records.allocate()
    const start = i === 0 ? 0 : ends[3 * i - 1]
    const [user, query, url] = [ends[3 * i], ends[3 * i + 1], ends[3 * i + 2]]
    const { high, low } = this.#seeds
    const userHash = hashBytes(arena, start, user, high)
    const queryHash = hashBytes(arena, user, query, high)
    records.user[slot] = records.users.hold(arena, start, user, userHash)
    records.text[slot] = records.texts.hold(arena, user, query, queryHash)
    records.pairHigh[slot] = mixPair(userHash, queryHash)
    records.pairLow[slot] = mixPair(hashBytes(arena, start, user, low), hashBytes(arena, user, query, low))
    records.url[slot] = url === query ? -1 : records.texts.hold(arena, query, url, hashBytes(arena, query, url, high))
    records.rank[slot] = stored.rank[i]
    records.time[slot] = stored.time[i]
    records.arrival[slot] = stored.arrival[i]
    records.topic[slot] = stored.topic[i]
    records.number[slot] = number
    records.parts[slot] = part
  }

  /** The slot of a record, while slots are in the order of numbers. */
  #find(number: number): number {
    let low = 0
    for (let high = this.#records.slots - 1; low < high; ) {
      const middle = (low + high) >>> 1
      if (this.#records.number[middle] < number) low = middle + 1
      else high = middle
    }
    return low
  }

  #cutTopics(): Int32Array {
    const { taxonomy, sensitive } = this.#options
    return cutTopics(taxonomy, { depth: this.settings.depth, sensitive })
  }

  /** Categories that are withheld, or lie below one that is. */
  #markGated(): Uint8Array {
    const { taxonomy } = this.#options
    const gated = new Uint8Array(taxonomy.size)
    for (const path of this.settings.gated) {
      const node = taxonomy.find(path)
      if (node >= 0) gated.fill(1, node, taxonomy.end[node])
    }
    return gated
  }

  #count(key: string, more = 1): void {
    this.totals[key] = (this.totals[key] ?? 0) + more
  }
}
