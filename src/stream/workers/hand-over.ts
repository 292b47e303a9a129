import { settingsFrom } from "../live/settings.ts"
import { PairList } from "./pair-list.ts"
import type { StateMessage } from "./partition-changelog.ts"
import { inBlocks } from "./record-blocks.ts"
import type { RestoredState } from "./restore-state.ts"
import { addRestored, type RestoredRecord } from "./restored-records.ts"
import {
  encodeChunk,
  encodePairs,
  type MovedFacts,
  movedKey,
  movedPairsKey,
  movedRecordsKey,
  type NumberedRecords,
  pairWords,
  stateVersion,
} from "./state-messages.ts"

/** Pairs in one message. */
const blockPairs = 1 << 15

/** What one partition of a plan hands over to one of the next plan. */
export interface MovedState {
  facts: MovedFacts
  records: NumberedRecords[]
  /** `pairWords` words each. */
  pairs: Uint32Array[]
}

/**
 * What a partition hands over when its plan ends: to each partition of the next plan, the searches that wait and the
 * pairs that are remembered of its categories, and how many cells each category has had. Returns the messages by
 * partition. Each partition gets some, so that it knows when it has everything.
 */
export function handOver(
  { facts, waiting, blocks, framedPairs }: RestoredState,
  { from, partitionOf, partitions }: { from: number; partitionOf: Int32Array; partitions: number },
): StateMessage[][] {
  const records = Array.from({ length: partitions }, (): RestoredRecord[] => [])
  for (const record of waiting.inOrder()) records[partitionOf[record.records.topic[record.index]]].push(record)
  const pairs = Array.from({ length: partitions }, () => new PairList(blockPairs))
  const generation = Math.max(0, blocks.at(-1)?.generation ?? 0, framedPairs.at(-1)?.at(-pairWords) ?? 0)
  const give = (of: number, words: Uint32Array, at: number) => {
    // What is older was forgotten.
    if (of >= generation - 1) pairs[partitionOf[words[at + 2]]].push(of, words[at], words[at + 1], words[at + 2])
  }
  for (const { generation: of, words } of blocks)
    for (let at = 0; at < words.length; at += pairWords - 1) give(of, words, at)
  for (const words of framedPairs) for (let at = 0; at < words.length; at += pairWords) give(words[at], words, at + 1)
  return Array.from({ length: partitions }, (_, partition) => {
    const messages: StateMessage[] = []
    for (const block of inBlocks(records[partition], { add: addRestored }))
      messages.push({ key: movedRecordsKey(from, messages.length), value: encodeChunk(block) })
    const recordBlocks = messages.length
    for (const [block, words] of pairs[partition].take().entries())
      messages.push({ key: movedPairsKey(from, block), value: encodePairs(words) })
    const moved: MovedFacts = {
      version: stateVersion,
      nextRelease: facts?.nextRelease ?? 0,
      generation,
      gated: settingsFrom(facts?.settings ?? "")?.gated ?? [],
      cells: facts?.cells ?? [],
      blocks: { records: recordBlocks, pairs: messages.length - recordBlocks },
    }
    return [...messages, { key: movedKey(from), value: Buffer.from(JSON.stringify(moved)) }]
  })
}

/** The messages that delete what was handed over, once it was taken. */
export function forgetMoved(moved: ReadonlyMap<number, MovedState>): StateMessage[] {
  return [...moved].flatMap(([from, { facts }]) => {
    const { records, pairs } = facts.blocks
    const keys = [
      movedKey(from),
      ...Array.from({ length: records }, (_, block) => movedRecordsKey(from, block)),
      ...Array.from({ length: pairs }, (_, block) => movedPairsKey(from, block)),
    ]
    return keys.map((key): StateMessage => ({ key, value: null }))
  })
}

/**
 * The pairs of all partitions that handed some over, without their generations, the oldest first: a partition forgets
 * those that it got first. Partitions count generations on their own, so they are counted back from the newest of each.
 */
export function* pairsMoved(moved: ReadonlyMap<number, MovedState>): Generator<Uint32Array, undefined> {
  const movers = [...moved].sort(([a], [b]) => a - b)
  for (const age of [1, 0])
    for (const [, { facts, pairs }] of movers)
      for (const words of pairs)
        for (let at = 0; at < words.length; at += pairWords)
          if (words[at] === facts.generation - age) yield words.subarray(at + 1, at + pairWords)
  return undefined
}

/**
 * The searches of all partitions that handed some over, in one order: by time, then by partition and number. It depends
 * on what was handed over alone, so it is the same whenever it is taken.
 */
export function orderMoved(moved: ReadonlyMap<number, MovedState>): { of: NumberedRecords; index: number }[] {
  const all = [...moved].flatMap(([from, { records }]) =>
    records.flatMap((of) =>
      Array.from(of.number, (number, index) => ({ from, number, of, index, time: of.records.time[index] })),
    ),
  )
  return all.sort((a, b) => a.time - b.time || a.from - b.from || a.number - b.number)
}
