import { type RunContext, yieldAndReport } from "./context.ts"
import { PairTable } from "./pair-table.ts"

/** Queries as runs of word ids: query q is tokens[offsets[q], offsets[q + 1]). Words are 0 … words - 1. */
export interface TokenRuns {
  offsets: Uint32Array
  tokens: Int32Array
  words: number
}

/**
 * The n-grams of one length, numbered in order of first appearance. An n-gram is its first n - 1 words, which are the
 * (n - 1)-gram `prefix`, and the word `last`. For single words `prefix` is -1.
 */
export interface NgramIndex {
  n: number
  size: number
  /** The n-gram that starts at each token; -1 if its query ends before the n-gram does. */
  at: Int32Array
  prefix: Int32Array
  last: Int32Array
  /**
   * Over events: how often it occurs, and in how many events (an event counts once, even if it occurs twice). Below
   * 2^32.
   */
  occurrences: Uint32Array
  events: Uint32Array
  /** 1 if it occurs at more than one token of the distinct queries, 0 if at only one. */
  repeated: Uint8Array
}

const slice = 1 << 18
const [occurrencesAt, eventsAt, tokensAt, queryAt] = [0, 1, 2, 3]

/**
 * The n-grams of length `shorter.n` + 1, or the single words. If one of the two (n - 1)-grams of an n-gram occurs at
 * only one token, the n-gram is new without a look-up. This is the case for most.
 */
export async function indexNgrams(
  runs: TokenRuns,
  options: { queryEvents: Uint32Array; shorter?: NgramIndex },
  context: RunContext,
): Promise<NgramIndex> {
  const { queryEvents, shorter } = options
  const queries = runs.offsets.length - 1
  const work = shorter === undefined ? openWords(runs) : openLonger(runs, shorter)
  for (let from = 0; from < queries; from += slice) {
    await yieldAndReport(context, { stage: "counting n-grams", done: from, total: queries })
    const to = Math.min(queries, from + slice)
    if (shorter !== undefined) number(runs, shorter, work, { from, to })
    tally(runs, work, { queryEvents, from, to })
  }
  return close(work)
}

/**
 * An index under construction. `counts` has four numbers per n-gram, next to each other because they are used together.
 */
interface Work {
  n: number
  size: number
  at: Int32Array
  prefix: Int32Array
  last: Int32Array
  table: PairTable
  counts: Uint32Array
}

function openWords({ tokens, words }: TokenRuns): Work {
  const prefix = new Int32Array(words).fill(-1)
  const last = new Int32Array(words)
  for (let word = 0; word < words; word++) last[word] = word
  const table = new PairTable({ expected: 0 })
  return { n: 1, size: words, at: tokens, prefix, last, table, counts: new Uint32Array(words * 4) }
}

/** Sized for the worst case, in which every n-gram is new. Memory that is never touched costs nothing. */
function openLonger({ offsets, tokens }: TokenRuns, { n }: NgramIndex): Work {
  let most = 0
  for (let query = 0; query + 1 < offsets.length; query++) {
    most += Math.max(0, offsets[query + 1] - offsets[query] - n)
  }
  return {
    n: n + 1,
    size: 0,
    at: new Int32Array(new SharedArrayBuffer(tokens.length * 4)),
    prefix: new Int32Array(most),
    last: new Int32Array(most),
    table: new PairTable({ expected: most >>> 2 }),
    counts: new Uint32Array(most * 4),
  }
}

/** Pairs to look up together: prefix, last word, the token they start at, and whether they may be known. */
const batch = 512
const pairs = { prefix: new Int32Array(batch), last: new Int32Array(batch), token: new Uint32Array(batch) }
const known = new Uint8Array(batch)

function number(runs: TokenRuns, shorter: NgramIndex, work: Work, range: { from: number; to: number }): void {
  const { offsets, tokens } = runs
  const { at: starts, repeated } = shorter
  const ahead = work.n - 1
  let held = 0
  for (let query = range.from; query < range.to; query++) {
    const end = offsets[query + 1]
    const stop = Math.max(offsets[query], end - ahead)
    for (let i = offsets[query]; i < stop; i++) {
      if (held === batch) held = settle(work, held)
      pairs.prefix[held] = starts[i]
      pairs.last[held] = tokens[i + ahead]
      pairs.token[held] = i
      known[held++] = repeated[starts[i]] & repeated[starts[i + 1]]
    }
    for (let i = stop; i < end; i++) work.at[i] = -1
  }
  settle(work, held)
}

/** Numbers the waiting pairs, in their order. Returns 0: no pair waits any more. */
function settle(work: Work, held: number): number {
  const { at, prefix, last, table } = work
  let { size } = work
  table.warm(pairs.prefix, pairs.last, held)
  for (let i = 0; i < held; i++) {
    const [first, word] = [pairs.prefix[i], pairs.last[i]]
    const id = known[i] === 0 ? size : table.intern(first, word, size)
    if (id === size) {
      prefix[size] = first
      last[size] = word
      size++
    }
    at[pairs.token[i]] = id
  }
  work.size = size
  return 0
}

function tally(
  { offsets }: TokenRuns,
  { n, at, counts }: Work,
  { queryEvents, from, to }: { queryEvents: Uint32Array; from: number; to: number },
): void {
  for (let query = from; query < to; query++) {
    const events = queryEvents[query]
    const stop = offsets[query + 1] - n
    for (let i = offsets[query]; i <= stop; i++) {
      const count = at[i] * 4
      counts[count + occurrencesAt] += events
      counts[count + tokensAt]++
      if (counts[count + queryAt] !== query + 1) {
        counts[count + queryAt] = query + 1
        counts[count + eventsAt] += events
      }
    }
  }
}

function close({ n, size, at, prefix, last, counts }: Work): NgramIndex {
  const occurrences = new Uint32Array(size)
  const events = new Uint32Array(size)
  const repeated = new Uint8Array(size)
  for (let id = 0; id < size; id++) {
    occurrences[id] = counts[id * 4 + occurrencesAt]
    events[id] = counts[id * 4 + eventsAt]
    repeated[id] = counts[id * 4 + tokensAt] > 1 ? 1 : 0
  }
  return { n, size, at, prefix: prefix.slice(0, size), last: last.slice(0, size), occurrences, events, repeated }
}
