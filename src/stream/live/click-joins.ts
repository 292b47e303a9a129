import type { ParsedTexts } from "../../log/formats/parsed-block.ts"
import type { PreparedBlock } from "./prepare-block.ts"

/** A search that clicks may refer to. */
export interface KnownSearch {
  user: Uint8Array
  query: Uint8Array
  userHash: number
  queryHash: number
  userLow: number
  queryLow: number
  topic: number
}

/** Searches remembered for their clicks: at least this many, at most twice as many. */
const most = 100_000

/**
 * Finds the search that a click belongs to, in formats that log the two separately. Its content is lost at the end of a
 * run.
 */
export class ClickJoins {
  #young = new Map<string, KnownSearch>()
  #old = new Map<string, KnownSearch>()

  keep(block: PreparedBlock, row: number, topic: number): void {
    const key = keyOf(block, row)
    const [user, query] = [block.user[row], block.query[row]]
    if (key === undefined || user < 0 || topic < 0) return
    if (this.#young.size >= most) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(key, {
      user: textOf(block.users, user),
      query: textOf(block.queries, query),
      userHash: block.users.hashes[user],
      queryHash: block.queries.hashes[query],
      userLow: block.users.low[user],
      queryLow: block.queries.low[query],
      topic,
    })
  }

  find(block: PreparedBlock, row: number): KnownSearch | undefined {
    const key = keyOf(block, row)
    return key === undefined ? undefined : (this.#young.get(key) ?? this.#old.get(key))
  }
}

const textOf = ({ arena, offsets }: ParsedTexts, id: number) => arena.slice(offsets[id], offsets[id + 1])

function keyOf({ joins }: PreparedBlock, row: number): string | undefined {
  if (joins === undefined || joins.key[row] < 0) return undefined
  return Buffer.from(textOf(joins.keys, joins.key[row])).toString("latin1")
}
