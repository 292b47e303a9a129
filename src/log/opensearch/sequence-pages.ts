import type { ClusterAddress } from "../../cluster/cluster-address.ts"
import { AnswerTooLarge, badAnswer } from "../../cluster/cluster-errors.ts"
import { type JsonObject, parseJson } from "../formats/json-record.ts"
import type { RawHit } from "./cut-hits.ts"
import type { FoundPage, SearchOptions } from "./point-in-time.ts"

/** A document as one line of JSON without its line feed, and its place in the order of the index. */
export interface IndexDocument {
  /** Sequence number: unique within a shard, not among shards. It grows as documents are written. */
  sequence: number
  index: string
  id: string
  line: Uint8Array
}

/**
 * The order of documents: by sequence number, index and id. It is the same in every run, however it is read. It is also
 * about the order in which a shard stores documents, so it is faster than an order by time.
 */
function compareDocuments(a: IndexDocument, b: IndexDocument): number {
  return a.sequence - b.sequence || compareTexts(a.index, b.index) || compareTexts(a.id, b.id)
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Searches under one point in time. */
export interface PageSearch {
  search(search: JsonObject, options: SearchOptions): Promise<FoundPage>
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
      return { hits: answer.hits.map((hit) => readHit(hit, address)), bytes: answer.bytes, size }
    } catch (error) {
      if (!(error instanceof AnswerTooLarge)) throw error
      if (size === 1) throw badAnswer(address, `a document is over ${mostBytes >> 20} MiB. Leave it out with --filter.`)
    }
  }
}

function readHit({ index, id, sort, source }: RawHit, address: ClusterAddress): Hit {
  const [sequence] = sort
  if (typeof sequence !== "number")
    throw badAnswer(address, "a document in its answer has no place in the order. Is this a cluster?")
  if (source === undefined || source[0] !== openObject)
    throw badAnswer(address, `the documents of ${index} have no _source, so they cannot be read.`)
  return { document: { sequence, index, id, line: oneLine(source) }, sort }
}

const [openObject, lineFeed] = [123, 10]

/** A document may be kept as it was sent, over several lines. */
const oneLine = (source: Buffer) =>
  source.includes(lineFeed) ? Buffer.from(JSON.stringify(parseJson(source.toString("utf8")) ?? {})) : source
