import type { ClusterAddress } from "../../cluster/cluster-address.ts"
import { AnswerTooLarge, badAnswer, type ClusterAnswer, memberOf } from "../../cluster/cluster-errors.ts"
import type { JsonObject } from "../formats/json-record.ts"

/** A document as one line of JSON, and its place in the order of the index. */
export interface IndexDocument {
  /** Time in milliseconds; 0 if documents are not ordered by time. */
  time: number
  /** Sequence number: unique within a shard, not among shards. */
  sequence: number
  index: string
  id: string
  line: string
}

/** The order of documents: by time, sequence number, index and id. It is the same in every run, however it is read. */
export function compareDocuments(a: IndexDocument, b: IndexDocument): number {
  return a.time - b.time || a.sequence - b.sequence || compareTexts(a.index, b.index) || compareTexts(a.id, b.id)
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Searches under one point in time. */
export interface PageSearch {
  search(search: JsonObject, options: { mostBytes: number }): Promise<ClusterAnswer>
}

export interface SliceOptions {
  address: ClusterAddress
  timeField: string | undefined
  /** The fields of a document to ask for; undefined for all. */
  fields: readonly string[] | undefined
  slice: { id: number; max: number }
  /** Documents on a page. */
  size: number
}

/** The most documents that a cluster gives at once (`index.max_result_window`). */
const largestPage = 10_000
/** Bytes of the largest answer, and of the answer to aim at. */
const mostBytes = 64 << 20
const aimedBytes = 8 << 20

/**
 * The documents of one slice, page by page, in order.
 *
 * Pages are ordered by time and sequence number, and each is asked for after the last key of the one before. Documents
 * of several shards can have the same key (a tie), and a page may end within a tie: the rest of it would be skipped. So
 * the last tie of a full page is not delivered but asked for again, whole, with the next page. A page that is one
 * single tie is asked for again with twice the size. A tie has at most one document of each shard, so this ends.
 */
export async function* slicePages(point: PageSearch, options: SliceOptions): AsyncGenerator<IndexDocument[]> {
  const { address, timeField, fields, slice } = options
  let { size } = options
  let after: readonly unknown[] | undefined
  for (;;) {
    const page = await askPage(point, { ...options, size, after, body: bodyOf({ timeField, fields, slice }) })
    const { hits, bytes } = page
    size = page.size
    const isLast = hits.length < size
    const last = hits.at(-1)
    const whole = isLast || last === undefined ? hits : hits.filter((hit) => !isTie(hit, last))
    if (whole.length === 0 && !isLast) {
      if (size >= largestPage) throw badAnswer(address, `over ${largestPage} documents have one sequence number.`)
      size = Math.min(largestPage, 2 * size)
      continue
    }
    // Only as many documents next time as fit into an answer of a good size.
    const fitting = bytes > aimedBytes ? Math.max(2, Math.floor((aimedBytes / bytes) * hits.length)) : size
    size = Math.min(fitting, size, options.size)
    after = whole.at(-1)?.sort
    yield whole.map(({ document }) => document).sort(compareDocuments)
    if (isLast) return
  }
}

interface Hit {
  document: IndexDocument
  /** As the cluster wants it back. It may have more parts than the key. */
  sort: readonly unknown[]
}

const isTie = ({ document: a }: Hit, { document: b }: Hit) => a.time === b.time && a.sequence === b.sequence

function bodyOf({ timeField, fields, slice }: Pick<SliceOptions, "timeField" | "fields" | "slice">): JsonObject {
  // The sequence number decides the slice, so that a document stays in its slice if the point in time is renewed.
  // Milliseconds are exact in JSON, nanoseconds are not.
  const byTime =
    timeField === undefined ? [] : [{ [timeField]: { order: "asc", numeric_type: "date", unmapped_type: "date" } }]
  return {
    sort: [...byTime, { _seq_no: { order: "asc" } }],
    track_total_hits: false,
    ...(slice.max > 1 && { slice: { field: "_seq_no", ...slice } }),
    ...(fields !== undefined && { _source: fields }),
  }
}

/** Asks for a page. If the answer is too large, it asks for half as many documents. */
async function askPage(
  point: PageSearch,
  options: SliceOptions & { after: readonly unknown[] | undefined; body: JsonObject },
): Promise<{ hits: Hit[]; bytes: number; size: number }> {
  const { address, after, body } = options
  for (let { size } = options; ; size = Math.ceil(size / 2)) {
    try {
      const search = { ...body, size, ...(after !== undefined && { search_after: after }) }
      const answer = await point.search(search, { mostBytes })
      return { hits: readHits(answer.body, options), bytes: answer.bytes, size }
    } catch (error) {
      if (!(error instanceof AnswerTooLarge)) throw error
      if (size === 1) throw badAnswer(address, `a document is over ${mostBytes >> 20} MiB. Leave it out with --filter.`)
    }
  }
}

function readHits(body: unknown, { address, timeField }: SliceOptions): Hit[] {
  const hits = memberOf(memberOf(body, "hits"), "hits")
  if (!Array.isArray(hits)) throw badAnswer(address, "its answer has no documents. Is this a cluster?")
  return hits.map((hit: unknown) => {
    const sort = memberOf(hit, "sort")
    const source = memberOf(hit, "_source")
    const [first, second] = Array.isArray(sort) ? sort : []
    const [time, sequence] = timeField === undefined ? [0, first] : [first, second]
    const index = memberOf(hit, "_index")
    const id = memberOf(hit, "_id")
    const isWhole = typeof index === "string" && typeof id === "string" && Array.isArray(sort)
    if (!isWhole || typeof time !== "number" || typeof sequence !== "number")
      throw badAnswer(address, "a document in its answer has no place in the order. Is this a cluster?")
    if (typeof source !== "object" || source === null)
      throw badAnswer(address, `the documents of ${index} have no _source, so they cannot be read.`)
    return { document: { time, sequence, index, id, line: JSON.stringify(source) }, sort }
  })
}
