import { hashBytes } from "../../kernels/dictionary.ts"
import { mixPair, type PairSeeds } from "../../kernels/pair-hash.ts"
import type { StoredRecords } from "../store/frame.ts"
import type { KnownSearch } from "./click-joins.ts"
import {
  arrivalAt,
  type LiveRecords,
  pairHighAt,
  pairLowAt,
  rankAt,
  stride,
  type TextSpan,
  timeAt,
  topicAt,
  userHashAt,
} from "./live-records.ts"
import type { PreparedBlock } from "./prepare-block.ts"

const noText = (): TextSpan => ({ bytes: new Uint8Array(0), start: 0, end: 0 })

/**
 * The texts of a record that is being accepted, and their hashes, whatever its source. One object is reused for all
 * records, because there are millions.
 */
export class IncomingRecord {
  /** Hash of user and query together. It tells whether the pair was released before, and is part of the position. */
  pairHigh = 0
  pairLow = 0
  readonly #records: LiveRecords
  readonly #seeds: PairSeeds
  readonly #user = noText()
  readonly #query = noText()
  readonly #url = noText()
  #userHash = 0
  #queryHash = 0

  constructor(records: LiveRecords, seeds: PairSeeds) {
    this.#records = records
    this.#seeds = seeds
  }

  /** Reads a row of a block that has a user and a query. */
  readRow(block: PreparedBlock, row: number, keepsUrl: boolean): void {
    const { users, queries } = block
    const user = block.user[row]
    const query = block.query[row]
    setSpan(this.#user, users.arena, users.offsets[user], users.offsets[user + 1])
    setSpan(this.#query, queries.arena, queries.offsets[query], queries.offsets[query + 1])
    this.#userHash = users.hashes[user]
    this.#queryHash = queries.hashes[query]
    this.#mix(users.low[user], queries.low[query])
    this.#readUrl(block, row, keepsUrl)
  }

  /** Reads a click that arrived separately from its search: the search, with the rank and url of the click. */
  readClick(search: KnownSearch, block: PreparedBlock, row: number): void {
    setSpan(this.#user, search.user, 0, search.user.length)
    setSpan(this.#query, search.query, 0, search.query.length)
    this.#userHash = search.userHash
    this.#queryHash = search.queryHash
    this.#mix(search.userLow, search.queryLow)
    this.#readUrl(block, row, true)
  }

  /** Reads record i of the store. */
  readStored({ ends, arena }: StoredRecords, i: number): void {
    const start = i === 0 ? 0 : ends[3 * i - 1]
    const [user, query, url] = [ends[3 * i], ends[3 * i + 1], ends[3 * i + 2]]
    const { high, low } = this.#seeds
    setSpan(this.#user, arena, start, user)
    setSpan(this.#query, arena, user, query)
    setSpan(this.#url, arena, query, url)
    this.#userHash = hashBytes(arena, start, user, high)
    this.#queryHash = hashBytes(arena, user, query, high)
    this.#mix(hashBytes(arena, start, user, low), hashBytes(arena, user, query, low))
  }

  /** Reads the memory that `place` will need for the users of the records [from, to) of the store. */
  warm({ ends, arena }: StoredRecords, from: number, to: number): number {
    const hashes = new Uint32Array(to - from)
    for (let i = from; i < to; i++)
      hashes[i - from] = hashBytes(arena, i === 0 ? 0 : ends[3 * i - 1], ends[3 * i], this.#seeds.high)
    return this.#records.users.warm(hashes, { count: hashes.length, ids: new Int32Array(hashes.length) })
  }

  /** Writes texts and numbers into a slot. The user is held until the slot is free again. */
  place(slot: number, { rank, time, arrival, topic }: Record<"rank" | "time" | "arrival" | "topic", number>): void {
    const records = this.#records
    const at = slot * stride
    const { bytes, start, end } = this.#user
    records.setTexts(slot, this.#query, this.#url.end > this.#url.start ? this.#url : undefined)
    const held = records.users.hold(bytes, start, end, this.#userHash)
    const { words, user, text } = records
    user[at] = held
    // If two queries of one user wait at the same time and have the same hash, the swapper takes them for one unit. The
    // chance is 1 in 2³².
    text[at] = this.#queryHash
    words[at + userHashAt] = this.#userHash
    words[at + pairHighAt] = this.pairHigh
    words[at + pairLowAt] = this.pairLow
    words[at + rankAt] = rank
    words[at + timeAt] = time
    words[at + arrivalAt] = arrival
    words[at + topicAt] = topic
  }

  #mix(userLow: number, queryLow: number): void {
    this.pairHigh = mixPair(this.#userHash, this.#queryHash)
    this.pairLow = mixPair(userLow, queryLow)
  }

  #readUrl({ url, urls }: Pick<PreparedBlock, "url" | "urls">, row: number, keeps: boolean): void {
    const id = keeps ? url[row] : -1
    if (id < 0) this.#url.end = this.#url.start
    else setSpan(this.#url, urls.arena, urls.offsets[id], urls.offsets[id + 1])
  }
}

function setSpan(span: TextSpan, bytes: Uint8Array, start: number, end: number): void {
  span.bytes = bytes
  span.start = start
  span.end = end
}
