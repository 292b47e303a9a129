import type { ClusterAddress } from "../../cluster/cluster-address.ts"
import { AnswerTooLarge, badAnswer, type ClusterAnswer, memberOf } from "../../cluster/cluster-errors.ts"
import type { JsonObject } from "../formats/json-record.ts"
import type { SearchOptions } from "./point-in-time.ts"

/** A document as one line of JSON, and its place in the order of the index. */
export interface IndexDocument {
  /** Sequence number: unique within a shard, not among shards. It grows as documents are written. */
  sequence: number
  index: string
  id: string
  line: string
}

/**
 * The order of documents: by sequence number, index and id. It is the same in every run, however it is read. It is also
 * about the order in which a shard stores documents, so it is faster than an order by time.
 */
export function compareDocuments(a: IndexDocument, b: IndexDocument): number {
  return a.sequence - b.sequence || compareTexts(a.index, b.index) || compareTexts(a.id, b.id)
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Searches under one point in time. */
export interface PageSearch {
  search(search: JsonObject, options: SearchOptions): Promise<ClusterAnswer>
}

export interface PageOptions {
  address: ClusterAddress
  /** The fields of a document to ask for; undefined for all. */
  fields: readonly string[] | undefined
  /** The sequence numbers to read: from the first, up to but not including the second. */
  slice: readonly [from: number, to: number]
  /** Documents on a page. */
  size: number
}

/** The most documents that a cluster gives at once (`index.max_result_window`). */
const largestPage = 10_000
/** Bytes of the largest answer, and of the answer to aim at. */
const mostBytes = 64 << 20
const aimedBytes = 16 << 20

/**
 * The documents of one slice, page by page, in order. A slice is a range of sequence numbers, so a document stays in
 * its slice if the point in time is renewed.
 *
 * Each page is asked for after the last sequence number of the one before. Documents of several shards can have the
 * same number (a tie), and a page may end within a tie: the rest of it would be skipped. So the last tie of a full page
 * is not delivered but asked for again, whole, with the next page. A page that is one single tie is asked for again
 * with twice the size. A tie has at most one document of each shard, so this ends.
 */
export async function* sequencePages(point: PageSearch, options: PageOptions): AsyncGenerator<IndexDocument[]> {
  const { address } = options
  let { size } = options
  let after: readonly unknown[] | undefined
  for (;;) {
    const page = await askPage(point, { ...options, size, after })
    const { hits, bytes } = page
    size = page.size
    const isLast = hits.length < size
    const last = hits.at(-1)?.document.sequence
    const whole = isLast ? hits : hits.filter(({ document }) => document.sequence !== last)
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
  /** As the cluster wants it back. It may have more parts than the sequence number. */
  sort: readonly unknown[]
}

/** Asks for a page. If the answer is too large, it asks for half as many documents. */
async function askPage(
  point: PageSearch,
  options: PageOptions & { after: readonly unknown[] | undefined },
): Promise<{ hits: Hit[]; bytes: number; size: number }> {
  const { address, after, fields, slice } = options
  const within = { range: { _seq_no: { gte: slice[0], lt: slice[1] } } }
  for (let { size } = options; ; size = Math.ceil(size / 2)) {
    const search = {
      size,
      sort: [{ _seq_no: { order: "asc" } }],
      track_total_hits: false,
      ...(fields !== undefined && { _source: fields }),
      ...(after !== undefined && { search_after: after }),
    }
    try {
      const answer = await point.search(search, { mostBytes, within })
      return { hits: readHits(answer.body, address), bytes: answer.bytes, size }
    } catch (error) {
      if (!(error instanceof AnswerTooLarge)) throw error
      if (size === 1) throw badAnswer(address, `a document is over ${mostBytes >> 20} MiB. Leave it out with --filter.`)
    }
  }
}

function readHits(body: unknown, address: ClusterAddress): Hit[] {
  const hits = memberOf(memberOf(body, "hits"), "hits")
  if (!Array.isArray(hits)) throw badAnswer(address, "its answer has no documents. Is this a cluster?")
  return hits.map((hit: unknown) => {
    if (!isHit(hit)) throw badAnswer(address, "a document in its answer has no place in the order. Is this a cluster?")
    const { _index: index, _id: id, _source: source, sort } = hit
    if (typeof source !== "object" || source === null)
      throw badAnswer(address, `the documents of ${index} have no _source, so they cannot be read.`)
    return { document: { sequence: sort[0], index, id, line: JSON.stringify(source) }, sort }
  })
}

function isHit(hit: unknown): hit is { _index: string; _id: string; _source?: unknown; sort: [number] } {
  if (typeof hit !== "object" || hit === null || !("_index" in hit && "_id" in hit && "sort" in hit)) return false
  const { _index: index, _id: id, sort } = hit
  return typeof index === "string" && typeof id === "string" && Array.isArray(sort) && typeof sort[0] === "number"
}
