import type { RunContext } from "../../kernels/context.ts"
import { dictionaryOf } from "../../kernels/dictionary.ts"
import { keyedRandom } from "../../kernels/keyed-random.ts"
import {
  numberEvents,
  type SearchLog,
  sharedInt32,
  sharedUint16,
  sharedUint32,
  unknownRank,
} from "../../log/search-log.ts"
import { boundOf } from "./approximate.ts"
import type { CountsOptions, TableName } from "./options.ts"
import { shippedParts } from "./parts.ts"
import type { Plan } from "./plan-mechanisms.ts"
import { transitionRule } from "./transition-rule.ts"

/** A search, or one click of a search. Rows come sorted by user, time, query and url. */
export interface UserRow {
  user: string
  query: string
  /** UTC seconds. */
  time: number
  /** Absent: no click. */
  url?: string | undefined
}

/** What the bounded users of one batch add to a key. A query has an empty second text. */
export interface BoundedKey {
  table: TableName
  first: string
  second: string
  users: number
  total: number
}

/** Rows after which a batch ends, with its last user. */
const usualRows = 1 << 18

/**
 * Bounds the users of a log that comes as a stream of rows, with the code that bounds a log in memory. A batch has
 * whole users, so the counts of all batches add up to the counts of the log.
 *
 * The random choice of a user's keys (`--bound random`) is a function of the secret and of the batch. So a part of the
 * log that is read a second time gives the same keys, and no user counts for more than their bound.
 */
export class BoundBatches {
  readonly #options: CountsOptions
  readonly #plan: Plan
  readonly #context: RunContext
  readonly #size: number
  readonly #random: ReturnType<typeof keyedRandom> | undefined
  #users = 0
  #user = ""
  #firstUser = ""
  #queries = new Map<string, number>()
  #urls = new Map<string, number>()
  #rows: { user: number[]; query: number[]; time: number[]; url: number[] } = noRows()

  constructor(
    { options, plan, secret }: { options: CountsOptions; plan: Plan; secret: Uint8Array | undefined },
    { context, size = usualRows }: { context: RunContext; size?: number },
  ) {
    this.#options = options
    this.#plan = plan
    this.#context = context
    this.#size = size
    this.#random = secret && keyedRandom(secret, { label: "queryveil bounds 1", seeded: context.random.seeded })
  }

  /** True if `flush` must be called before this row is added. */
  isDue({ user }: UserRow): boolean {
    return this.#rows.user.length >= this.#size && user !== this.#user
  }

  add({ user, query, time, url }: UserRow): void {
    if (this.#users === 0) this.#firstUser = user
    if (this.#users === 0 || user !== this.#user) this.#users++
    this.#user = user
    this.#rows.user.push(this.#users - 1)
    this.#rows.query.push(idOf(this.#queries, query))
    this.#rows.time.push(time)
    this.#rows.url.push(url === undefined ? -1 : idOf(this.#urls, url))
  }

  /** The keys of the batch. Then the next batch begins. */
  async flush(): Promise<BoundedKey[]> {
    const log = this.#closeLog()
    this.#random?.reseed(Buffer.from(this.#firstUser))
    const context = { ...this.#context, ...(this.#random && { random: this.#random }) }
    const among = new Uint8Array(log.queries.size).fill(1)
    const [queries, urls] = [[...this.#queries.keys()], [...this.#urls.keys()]]
    this.#users = 0
    this.#queries = new Map()
    this.#urls = new Map()
    const found: BoundedKey[] = []
    for (const mechanism of this.#plan.mechanisms) {
      const { table } = mechanism
      const bound = boundOf(mechanism, this.#options)
      if (table === "queries") {
        const { users, total } = await shippedParts.countQueries(log, bound, context)
        for (const [id, first] of queries.entries())
          if (users[id] > 0) found.push({ table, first, second: "", users: users[id], total: total[id] })
        continue
      }
      const rule = transitionRule(this.#options)
      const isClicks = table === "clicks"
      const { size, a, b, users, total } = isClicks
        ? await shippedParts.countClicks(log, bound, { among }, context)
        : await shippedParts.countTransitions(log, bound, { among, rule }, context)
      const seconds = isClicks ? urls : queries
      for (let key = 0; key < size; key++)
        found.push({ table, first: queries[a[key]], second: seconds[b[key]], users: users[key], total: total[key] })
    }
    return found
  }

  /** The rows of the batch as a log. Rows of a cluster have no lines. */
  #closeLog(): SearchLog {
    const rows = this.#rows
    this.#rows = noRows()
    const columns = {
      user: sharedInt32(rows.user.length),
      query: sharedInt32(rows.user.length),
      time: sharedInt32(rows.user.length),
      url: sharedInt32(rows.user.length),
      rank: sharedUint16(rows.user.length).fill(unknownRank),
      line: sharedUint32(rows.user.length),
    }
    columns.user.set(rows.user)
    columns.query.set(rows.query)
    columns.time.set(rows.time)
    columns.url.set(rows.url)
    const event = numberEvents(columns)
    return {
      unit: "user",
      rows: event.length,
      events: event.length === 0 ? 0 : event[event.length - 1] + 1,
      users: dictionaryOf([]),
      queries: dictionaryOf([...this.#queries.keys()]),
      urls: dictionaryOf([...this.#urls.keys()]),
      ...columns,
      event,
    }
  }
}

const noRows = () => ({ user: [], query: [], time: [], url: [] })

/** The number of a text. A new text gets the next number. */
function idOf(ids: Map<string, number>, text: string): number {
  const known = ids.get(text)
  if (known !== undefined) return known
  ids.set(text, ids.size)
  return ids.size - 1
}
