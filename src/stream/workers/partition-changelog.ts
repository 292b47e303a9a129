import type { CellCounts } from "../../swapper/cell-counts.ts"
import type { CoreChanges } from "../live/core-changes.ts"
import { type LiveRecords, partsAt, stride, topicAt } from "../live/live-records.ts"
import { RecordCollector } from "../live/record-collector.ts"
import { PairBlocks } from "./pair-blocks.ts"
import { PairList } from "./pair-list.ts"
import { blockBytes, inBlocks } from "./record-blocks.ts"
import type { RestoredState } from "./restore-state.ts"
import type { NumberedRecords, StateFacts } from "./state-messages.ts"
import {
  chunkKey,
  chunkOf,
  encodeChunk,
  encodeFrame,
  frameKey,
  headKey,
  pairWords,
  stateVersion,
} from "./state-messages.ts"

/** A message of the changelog. Without a value it deletes the one before with this key. */
export interface StateMessage {
  key: string
  value: Buffer | null
}

export interface ChangelogLimits {
  /** What a checkpoint may add to a transaction, about, so that none takes long. */
  checkpointBytes: number
  /** Pairs in a block or a frame. It must not change: a block with fewer is not full. */
  blockPairs: number
  /** Numbers of records that left, in a frame. */
  frameLeft: number
  /** See `inBlocks`. */
  blockBytes: number
}

const defaultLimits: ChangelogLimits = {
  checkpointBytes: 1 << 20,
  blockPairs: 1 << 15,
  frameLeft: 1 << 18,
  blockBytes,
}

/** What a message costs besides its value, about: its key, and its place in the topic. */
const messageOverhead = 100

/**
 * What a worker writes to the changelog of a partition. Each transaction adds a frame with what it changed. From time
 * to time a checkpoint writes the chunks that have changed and deletes the frames, so that what was released is deleted
 * from the topic soon.
 *
 * Chunks are written as they are at that moment. Frames after the checkpoint began stay, and applying one of them again
 * changes nothing, so a checkpoint may take several transactions.
 */
export class PartitionChangelog implements CoreChanges {
  readonly #records: LiveRecords
  readonly #limits: ChangelogLimits
  readonly #blocks: PairBlocks
  /** Chunks that the topic has, with the number of their parts, and those that are not as it has them. */
  readonly #chunks = new Map<number, number>()
  readonly #dirty = new Set<number>()
  /** True if the topic has messages that are encrypted under an earlier secret. */
  #isStale = false
  #firstFrame = 0
  #nextFrame = 0
  /** Pairs that are in frames only, but for those that the checkpoint is about to write. */
  #framedPairs: Uint32Array[] = []
  /** The numbers of the next pair, and of the first that is in frames only. */
  #nextPair = 0
  #keptPairs = 0
  /** The rest of the checkpoint that is being written, over as many transactions as it takes. */
  #checkpoint: Iterator<StateMessage> | undefined
  /** The state as of this transaction but for its records and pairs. */
  #head: (() => StateFacts) | undefined
  // Since the last transaction.
  #entered: number[] = []
  #firstEntered = 0
  #left: number[] = []
  readonly #pairs: PairList
  readonly #closedIn = new Set<number>()
  #topic = 0

  constructor(records: LiveRecords, limits: Partial<ChangelogLimits> = {}) {
    this.#records = records
    this.#limits = { ...defaultLimits, ...limits }
    this.#blocks = new PairBlocks(this.#limits.blockPairs)
    this.#pairs = new PairList(this.#limits.blockPairs)
  }

  /** Goes on with what the topic has. */
  restore(state: RestoredState): void {
    const { chunks, firstFrame, nextFrame, dirty, blocks, framedPairs, nextPair, keptPairs, isStale, facts } = state
    for (const [chunk, parts] of chunks) this.#chunks.set(chunk, parts)
    for (const chunk of dirty) this.#dirty.add(chunk)
    for (const block of blocks) this.#blocks.restore(block)
    this.#isStale = isStale
    this.#framedPairs = [...framedPairs]
    this.#nextPair = nextPair
    this.#keptPairs = keptPairs
    this.#firstFrame = firstFrame
    this.#nextFrame = nextFrame
    this.#firstEntered = facts?.nextRecord ?? 0
  }

  add(slot: number): void {
    this.#entered.push(slot)
  }

  openCell(): void {}

  deal(slot: number): void {
    const { words, category } = this.#records
    const number = this.#records.number(slot)
    this.#topic = words[slot * stride + topicAt]
    this.#closedIn.add(category[slot * stride])
    if (number >= this.#firstEntered) return
    this.#left.push(number)
    this.#dirty.add(chunkOf(number))
  }

  /** The numbers of cells have come from elsewhere: the next transaction has all of them. */
  noteCells(counts: CellCounts): void {
    for (const [category] of counts.list()) this.#closedIn.add(category)
  }

  /** The pairs that are remembered next belong to searches of this topic. */
  setTopic(topic: number): void {
    this.#topic = topic
  }

  pair(high: number, low: number, generation: number): void {
    this.#pairs.push(generation, high, low, this.#topic)
  }

  /** True if a checkpoint is being written. */
  get isCheckpointing(): boolean {
    return this.#checkpoint !== undefined
  }

  /** True if something was released or taken that no checkpoint has, or must be encrypted under a new secret. */
  get hasNews(): boolean {
    return this.#isStale || this.#dirty.size > 0
  }

  /** Begins a checkpoint, if there is anything to write and none is being written. */
  beginCheckpoint(): void {
    if (this.#checkpoint !== undefined || this.#firstFrame === this.#nextFrame) return
    const slots = new Map<number, number[]>()
    for (const chunk of this.#dirty) slots.set(chunk, [])
    for (const slot of this.#records.inOrder()) slots.get(chunkOf(this.#records.number(slot)))?.push(slot)
    this.#dirty.clear()
    this.#isStale = false
    this.#blocks.add(this.#framedPairs)
    this.#framedPairs = []
    this.#checkpoint = this.#write(slots, this.#nextFrame - 1)
  }

  /** The messages of a transaction. Call it before the records that left are freed. */
  take(facts: Omit<StateFacts, "version" | "cells">, { counts, settings }: { counts: CellCounts; settings: string }) {
    const waiting = this.#stillWaiting()
    this.#head = () => ({ version: stateVersion, ...facts, settings, cells: counts.list() })
    const ofCheckpoint = this.#goOn()
    const cells = [...this.#closedIn].map((category): [number, number] => [category, counts.of(category)])
    const messages = this.#frames({ version: stateVersion, ...facts, cells }, waiting)
    this.#closedIn.clear()
    this.#firstEntered = facts.nextRecord
    return messages.concat(ofCheckpoint)
  }

  /** The frames of a transaction, most often one. All appear together. */
  #frames(facts: StateFacts, waiting: readonly number[]): StateMessage[] {
    const { frameLeft } = this.#limits
    const pairs = this.#pairs.take()
    const left = Float64Array.from(this.#left)
    this.#left = []
    const messages: StateMessage[] = []
    const blocks = this.#inBlocks(waiting)
    for (let i = 0, from = 0; ; i++, from += frameLeft) {
      const { value: entered = none } = blocks.next()
      if (i > 0 && entered === none && i >= pairs.length && from >= left.length) break
      const frame = {
        ...entered,
        facts: { ...facts, firstPair: this.#nextPair, keptPairs: this.#keptPairs },
        left: left.subarray(from, from + frameLeft),
        pairs: pairs[i] ?? noPairs,
      }
      messages.push({ key: frameKey(this.#nextFrame++), value: encodeFrame(frame) })
      this.#nextPair += frame.pairs.length / pairWords
    }
    for (const some of pairs) this.#framedPairs.push(some)
    return messages
  }

  /** The slots of the records that entered and still wait. */
  #stillWaiting(): number[] {
    const { words } = this.#records
    const waiting = this.#entered.filter((slot) => words[slot * stride + partsAt] !== 0)
    this.#entered = []
    for (const slot of waiting) this.#dirty.add(chunkOf(this.#records.number(slot)))
    return waiting
  }

  #inBlocks(slots: readonly number[]) {
    const records = this.#records
    return inBlocks(slots, {
      bytes: this.#limits.blockBytes,
      add(collector, slot) {
        collector.addSlot(records, slot)
        return records.number(slot)
      },
    })
  }

  /** The next messages of the checkpoint. */
  #goOn(): StateMessage[] {
    const messages: StateMessage[] = []
    for (let bytes = 0; this.#checkpoint !== undefined && bytes < this.#limits.checkpointBytes; ) {
      const { value: message, done } = this.#checkpoint.next()
      if (done === true) this.#checkpoint = undefined
      else {
        messages.push(message)
        bytes += messageOverhead + (message.value?.length ?? 0)
      }
    }
    return messages
  }

  /**
   * Writes chunks, blocks of pairs and the head, and then deletes the frames up to `lastFrame`, oldest first. Whenever
   * it stops, the frames that are left lead from what it wrote to the present.
   */
  *#write(chunks: ReadonlyMap<number, readonly number[]>, lastFrame: number): Generator<StateMessage, undefined> {
    for (const [chunk, slots] of chunks) {
      const parts = Array.from(this.#inBlocks(this.#stillIn(chunk, slots)), (records) => encodeChunk(records))
      for (const [part, value] of parts.entries()) yield { key: chunkKey(chunk, part), value }
      const before = this.#chunks.get(chunk) ?? 0
      for (let part = parts.length; part < before; part++) yield { key: chunkKey(chunk, part), value: null }
      if (parts.length === 0) this.#chunks.delete(chunk)
      else this.#chunks.set(chunk, parts.length)
    }
    for (let block = this.#blocks.next(); block !== undefined; block = this.#blocks.next()) {
      this.#keptPairs += block.pairs
      yield { key: block.key, value: block.value }
    }
    yield { key: headKey, value: Buffer.from(JSON.stringify(this.#head?.())) }
    while (this.#firstFrame <= lastFrame) yield { key: frameKey(this.#firstFrame++), value: null }
    return undefined
  }

  /** Those of the slots whose records still wait. A record may have left, and its slot may have another. */
  #stillIn(chunk: number, slots: readonly number[]): number[] {
    const records = this.#records
    return slots.filter(
      (slot) => records.words[slot * stride + partsAt] !== 0 && chunkOf(records.number(slot)) === chunk,
    )
  }
}

const noPairs = new Uint32Array(0)
const none: NumberedRecords = { number: new Float64Array(0), records: new RecordCollector().take() }
