import type { ClusterClient } from "../../cluster/cluster-client.ts"
import { badAnswer, type ClusterAnswer, errorType, memberOf } from "../../cluster/cluster-errors.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { JsonObject } from "../formats/json-record.ts"
import { cutHits, type RawHit } from "./cut-hits.ts"
import { indexPath } from "./index-fields.ts"
import { filterQuery } from "./index-query.ts"

/** How long the cluster keeps a point in time after each request. */
const keepAlive = "5m"

/** Figures of the documents to read. Equal figures under two points in time mean that nothing changed between them. */
export interface IndexFigures {
  /** Documents in the range that match the filter. */
  documents: number
  /** Documents that match the filter, whatever their time. */
  matching: number
  /** Documents that match the filter and have no time. They are in no range. */
  untimed: number
  /** Sequence numbers of the documents to read. A document that was written again has a new one. */
  sequence: { first: number; last: number; sum: number }
}

/** The documents of an answer, and its size. */
export interface FoundPage {
  hits: RawHit[]
  bytes: number
}

/** How a search is limited. */
export interface SearchOptions {
  /** Bytes of the largest answer. */
  mostBytes: number
  /** A condition besides the range of time and the filter. */
  within: JsonObject
}

/** What a point in time is opened for. */
export interface PointInTimeOptions {
  client: ClusterClient
  /** The condition of time, and the filter of the owner. */
  range: JsonObject
  filter: JsonObject | undefined
  timeField: string | undefined
  signal: AbortSignal | undefined
  /** Milliseconds to try again if the connection is lost. */
  patience: number
}

/**
 * A point in time: searches see the indices as they were when it was opened. If it expires, because the reader was
 * stopped or a node was restarted, a new one is opened. The reading goes on only if the figures are the same.
 */
export class PointInTime {
  readonly #options: PointInTimeOptions
  #id: string
  #figures: IndexFigures | undefined
  #renewal: Promise<void> | undefined

  private constructor(options: PointInTimeOptions, id: string) {
    this.#options = options
    this.#id = id
  }

  static async open(options: PointInTimeOptions): Promise<PointInTime> {
    const point = new PointInTime(options, await openPoint(options))
    try {
      point.#figures = await point.#count()
    } catch (error) {
      await point.close()
      throw error
    }
    return point
  }

  get figures(): IndexFigures {
    if (this.#figures === undefined) throw new Error("the point in time is not open")
    return this.#figures
  }

  /** Searches those of the documents to read that meet one more condition. */
  async search(search: JsonObject, { mostBytes, within }: SearchOptions): Promise<FoundPage> {
    const { range, filter, client } = this.#options
    for (let lost = 0; ; lost++) {
      const id = this.#id
      const answer = await this.#ask({ ...search, query: filterQuery(within, range, filter) }, { mostBytes, raw: true })
      if (answer.status === 404) {
        if (lost > 2) throw badAnswer(client.address, "it forgets each point in time at once. Look at its log.")
        await this.#renew(id)
        continue
      }
      const cut = answer.raw && cutHits(answer.raw)
      if (cut === undefined) throw badAnswer(client.address, "its answer has no documents. Is this a cluster?")
      this.#checkWhole(cut.rest)
      const next = memberOf(cut.rest, "pit_id")
      if (typeof next === "string" && id === this.#id) this.#id = next // the newest id is the one to use
      return { hits: cut.hits, bytes: answer.raw?.length ?? 0 }
    }
  }

  async #ask(search: JsonObject, options: { mostBytes?: number; raw?: boolean } = {}): Promise<ClusterAnswer> {
    const { client, signal, patience } = this.#options
    const answer = await client.ask({
      method: "POST",
      path: "/_search?allow_partial_search_results=false",
      body: { ...search, pit: { id: this.#id, keep_alive: keepAlive } },
      signal,
      patience,
      accepts: [404],
      ...options,
    })
    if (answer.status === 404 && errorType(answer.body) !== "search_context_missing_exception")
      throw badAnswer(client.address, "the index was deleted while it was read.")
    return answer
  }

  /** Refuses an answer that lacks documents of some shards. */
  #checkWhole(body: unknown): void {
    if (memberOf(memberOf(body, "_shards"), "failed") === 0 && memberOf(body, "timed_out") === false) return
    const { address } = this.#options.client
    throw badAnswer(address, "not all its shards answered. Look at the health of the cluster, then try again.")
  }

  async #count(): Promise<IndexFigures> {
    const { range, filter, timeField, client } = this.#options
    const answer = await this.#ask({
      size: 0,
      track_total_hits: true,
      query: filterQuery(filter),
      aggs: {
        read: { filter: range, aggs: { sequence: { stats: { field: "_seq_no" } } } },
        ...(timeField !== undefined && { untimed: { missing: { field: timeField } } }),
      },
    })
    this.#checkWhole(answer.body)
    const found = memberOf(answer.body, "aggregations")
    const read = memberOf(found, "read")
    const sequence = memberOf(read, "sequence")
    const [documents, matching, untimed, first, last, sum] = [
      memberOf(read, "doc_count"),
      memberOf(memberOf(memberOf(answer.body, "hits"), "total"), "value"),
      memberOf(memberOf(found, "untimed"), "doc_count") ?? 0,
      memberOf(sequence, "min") ?? 0, // null if there is no document
      memberOf(sequence, "max") ?? 0,
      memberOf(sequence, "sum") ?? 0,
    ].map(Number)
    const numbers = { documents, matching, untimed, sequence: { first, last, sum } }
    if ([documents, matching, untimed, first, last, sum].every((number) => Number.isFinite(number))) return numbers
    throw badAnswer(client.address, "it does not count documents. Is this a cluster?")
  }

  /** Opens another point in time in place of the one that expired. Slices that notice together share it. */
  async #renew(expired: string): Promise<void> {
    if (this.#id !== expired) return
    this.#renewal ??= this.#replace().finally(() => {
      this.#renewal = undefined
    })
    await this.#renewal
  }

  async #replace(): Promise<void> {
    const { client } = this.#options
    this.#id = await openPoint(this.#options)
    const { documents, sequence } = await this.#count()
    const before = this.figures
    if (documents === before.documents && sequence.sum === before.sequence.sum) return
    throw new QueryveilError(
      "input-changed",
      `${client.address.name}: the point in time expired, and the index has changed since. Read it again.`,
      { file: client.address.name },
    )
  }

  /** Deletes the point in time. A failure is not reported: the cluster forgets it by itself after a few minutes. */
  async close(): Promise<void> {
    const { client } = this.#options
    const request =
      client.address.kind === "opensearch"
        ? { path: "/_search/point_in_time", body: { pit_id: [this.#id] } }
        : { path: "/_pit", body: { id: this.#id } }
    const signal = AbortSignal.timeout(5000)
    await client.ask({ method: "DELETE", ...request, signal, accepts: [404] }).catch(() => {})
  }
}

async function openPoint({ client, signal, patience }: PointInTimeOptions): Promise<string> {
  const { kind, index } = client.address
  const path =
    kind === "opensearch"
      ? `/${indexPath(index)}/_search/point_in_time?keep_alive=${keepAlive}&allow_partial_pit_creation=false`
      : `/${indexPath(index)}/_pit?keep_alive=${keepAlive}`
  const { body } = await client.ask({ method: "POST", path: `${path}&expand_wildcards=open`, signal, patience })
  const id = memberOf(body, kind === "opensearch" ? "pit_id" : "id")
  if (typeof id !== "string") throw badAnswer(client.address, "it opens no point in time. Is this a cluster?")
  return id
}
