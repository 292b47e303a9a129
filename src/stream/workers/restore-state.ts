import { QueryveilError } from "../../kernels/error.ts"
import { waitingParts } from "../../swapper/swapper.ts"
import { settingsFrom } from "../live/settings.ts"
import type { StreamCore } from "../live/stream-core.ts"
import type { MovedState } from "./hand-over.ts"
import { inBlocks } from "./record-blocks.ts"
import { addRestored, RestoredRecords } from "./restored-records.ts"
import {
  chunkOf,
  decodeChunk,
  decodeFrame,
  decodePairs,
  headKey,
  type MovedFacts,
  movedKey,
  movedPairsKey,
  movedRecordsKey,
  pairWords,
  type StateFacts,
  stateVersion,
} from "./state-messages.ts"
import type { StateSeal } from "./state-seal.ts"
import type { RestoredCounts } from "./worker-figures.ts"

/** A block of remembered pairs. It is stale if it is encrypted under another secret than the present one. */
export interface RestoredBlock {
  key: string
  generation: number
  words: Uint32Array
  isStale: boolean
}

/** What the changelog of a partition holds. */
export interface RestoredState {
  /** Undefined if the partition is new. */
  facts: StateFacts | undefined
  waiting: RestoredRecords
  blocks: RestoredBlock[]
  /** Pairs that are in frames only, `pairWords` words each. */
  framedPairs: Uint32Array[]
  /** The numbers of the next pair, and of the first that is in frames only. */
  nextPair: number
  keptPairs: number
  /** By chunk: the number of its parts. */
  chunks: Map<number, number>
  /** Chunks that frames have changed, or that are encrypted under another secret than the present one. */
  dirty: Set<number>
  /** True if any message is. */
  isStale: boolean
  firstFrame: number
  nextFrame: number
  /** What partitions of the plan before handed over and this one has not taken yet, by partition. */
  moved: Map<number, MovedState>
}

const keyForm = /^(?:h|([fwpm])(\d+)(?:\.([rp]?)(\d+))?)$/

/** Collects the messages of a changelog, and makes the state of them. */
export class StateReader {
  readonly #values = new Map<string, Buffer>()
  readonly #seal: Pick<StateSeal, "open" | "versionOf">
  readonly #place: string
  /** By key: the version of the secret under which the value was encrypted. */
  readonly #versions = new Map<string, number>()
  readonly #movers = new Set<string>()
  /** The frame after the last that was seen, also among those that were deleted. */
  #nextFrame = 0

  /** `place` names the partition. */
  constructor(seal: Pick<StateSeal, "open" | "versionOf">, place: string) {
    this.#seal = seal
    this.#place = place
  }

  add(key: string, value: Buffer | null): void {
    const [, kind, number, moved] = keyForm.exec(key) ?? this.#refuse("a message has an unknown key")
    if (kind === "m" && moved === undefined) this.#movers.add(key) // it is the last message of a handover
    if (kind === "f") this.#nextFrame = Math.max(this.#nextFrame, Number(number) + 1)
    if (value === null || value.length === 0) this.#values.delete(key)
    else this.#values.set(key, value)
  }

  /** True if there was no message with a value. */
  get isEmpty(): boolean {
    return this.#values.size === 0
  }

  /** True if the partition has a state of its own. */
  get hasBegun(): boolean {
    return this.#nextFrame > 0
  }

  /** Number of partitions of the plan before that have handed over all they had. */
  get movers(): number {
    return this.#movers.size
  }

  /** The state, once all messages were added. */
  read(): RestoredState {
    const state: RestoredState = {
      facts: undefined,
      waiting: new RestoredRecords(),
      blocks: [],
      framedPairs: [],
      nextPair: 0,
      keptPairs: 0,
      chunks: new Map(),
      dirty: new Set(),
      isStale: false,
      firstFrame: this.#nextFrame,
      nextFrame: this.#nextFrame,
      moved: new Map(),
    }
    for (const { number: from } of this.#keysOf("m")) state.moved.set(from, this.#readMoved(from))
    const head = this.#take(headKey, (bytes): StateFacts => JSON.parse(bytes.toString("utf8")))
    if (head !== undefined) state.facts = this.#accept(head)
    const chunks = this.#keysOf("w")
    for (const { key, number: chunk, part } of chunks) {
      state.waiting.add(this.#need(key, decodeChunk))
      state.chunks.set(chunk, part + 1)
    }
    for (const { key, number: generation } of this.#keysOf("p"))
      state.blocks.push({ key, generation, words: this.#need(key, decodePairs), isStale: false })
    this.#applyFrames(state)
    const { secret = 1 } = settingsFrom(state.facts?.settings ?? "") ?? {}
    const isStale = (key: string) => this.#versions.get(key) !== secret
    for (const { key, number: chunk } of chunks) if (isStale(key)) state.dirty.add(chunk)
    for (const block of state.blocks) block.isStale = isStale(block.key)
    state.isStale = [...this.#versions.keys()].some(isStale)
    this.#values.clear()
    return state
  }

  #applyFrames(state: RestoredState): void {
    const cells = new Map(state.facts?.cells)
    const framed: { first: number; pairs: Uint32Array }[] = []
    for (const { key, number } of this.#keysOf("f")) {
      state.firstFrame = Math.min(state.firstFrame, number)
      const expected = state.firstFrame + framed.length
      if (number !== expected) this.#refuse(`frame ${expected} is missing`)
      const frame = this.#need(key, decodeFrame)
      const { firstPair: first, keptPairs, ...facts } = this.#accept(frame.facts)
      for (const [category, count] of facts.cells) cells.set(category, count)
      state.facts = { ...facts, settings: facts.settings || (state.facts?.settings ?? "") }
      state.waiting.add(frame)
      for (const entered of frame.number) state.dirty.add(chunkOf(entered))
      for (const left of frame.left) {
        state.waiting.delete(left)
        state.dirty.add(chunkOf(left))
      }
      state.nextPair = first + frame.pairs.length / pairWords
      state.keptPairs = keptPairs
      framed.push({ first, pairs: frame.pairs.slice() }) // they outlive the frame
    }
    if (state.facts !== undefined) state.facts.cells = [...cells]
    for (const { first, pairs } of framed) {
      const rest = pairs.subarray(Math.max(0, state.keptPairs - first) * pairWords)
      if (rest.length > 0) state.framedPairs.push(rest)
    }
  }

  #readMoved(from: number): MovedState {
    const facts = this.#need(movedKey(from), (bytes): MovedFacts => JSON.parse(bytes.toString("utf8")))
    const { records, pairs } = this.#accept(facts).blocks
    return {
      facts,
      records: Array.from({ length: records }, (_, i) => this.#need(movedRecordsKey(from, i), decodeChunk)),
      pairs: Array.from({ length: pairs }, (_, i) => this.#need(movedPairsKey(from, i), decodePairs)),
    }
  }

  #accept<F extends { version: number }>(facts: F): F {
    if (facts.version > stateVersion)
      this.#refuse(`it was written by a later version of queryveil (form ${facts.version}, here ${stateVersion})`)
    return facts
  }

  /** The keys of a kind by number and part, but for those of the records and pairs that a partition handed over. */
  #keysOf(wanted: "f" | "w" | "p" | "m"): { key: string; number: number; part: number }[] {
    const found: { key: string; number: number; part: number }[] = []
    for (const key of this.#values.keys()) {
      const [, kind, number, moved, part = 0] = keyForm.exec(key) ?? []
      if (kind === wanted && !moved) found.push({ key, number: Number(number), part: Number(part) })
    }
    return found.sort((a, b) => a.number - b.number || a.part - b.part)
  }

  #need<T>(key: string, decode: (bytes: Buffer) => T): T {
    return this.#take(key, decode) ?? this.#refuse("a message is missing")
  }

  #take<T>(key: string, decode: (bytes: Buffer) => T): T | undefined {
    const sealed = this.#values.get(key)
    if (sealed === undefined) return undefined
    this.#values.delete(key)
    const bytes = this.#seal.open(key, sealed)
    this.#versions.set(key, this.#seal.versionOf(sealed))
    try {
      return decode(bytes)
    } catch (error) {
      if (error instanceof RangeError) this.#refuse(error.message)
      if (error instanceof SyntaxError) this.#refuse("a message is damaged") // its own text quotes the message
      throw error
    }
  }

  #refuse(what: string): never {
    throw new QueryveilError(
      "kafka-state",
      `${this.#place}: cannot be read (${what}). Do not write or delete messages of this topic. See docs/workers.md.`,
    )
  }
}

/** How much a changelog brings back. */
export function countRestored({ waiting, blocks, framedPairs }: RestoredState): RestoredCounts {
  const inBlocks = blocks.reduce((sum, { words }) => sum + words.length, 0) / (pairWords - 1)
  const inFrames = framedPairs.reduce((sum, { length }) => sum + length, 0) / pairWords
  return { waiting: waiting.size, pairs: inBlocks + inFrames }
}

/** Gives a core the state of a partition. */
export function restoreCore(core: StreamCore, { facts, waiting, blocks, framedPairs }: RestoredState): void {
  if (facts === undefined) return
  const settings = settingsFrom(facts.settings)
  if (settings !== undefined) core.use(settings)
  for (const { number, records } of inBlocks(waiting.inOrder(), { add: addRestored }))
    core.restore({ records, number, parts: new Uint8Array(number.length).fill(waitingParts.both) })
  for (const { generation, words } of blocks) core.rememberIn(generation, hashesOf(words, pairWords - 1))
  for (const words of framedPairs)
    for (let at = 0; at < words.length; at += pairWords) core.rememberIn(words[at], words.subarray(at + 1, at + 3))
  core.nextRecord = facts.nextRecord
  core.nextRelease = facts.nextRelease
  Object.assign(core.totals, facts.totals)
  core.cellCounts.restore(facts.cells)
  core.resume()
}

/** The two words of the hash of each pair. */
function hashesOf(pairs: Uint32Array, words: number): Uint32Array {
  return Uint32Array.from({ length: (pairs.length / words) * 2 }, (_, i) => pairs[(i >> 1) * words + (i & 1)])
}
