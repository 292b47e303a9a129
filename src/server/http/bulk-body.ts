import { parseRecord } from "../../log/formats/json-record.ts"
import { BadBody } from "../../stream/inputs/record-plans.ts"
import type { RequestReceipt } from "../../stream/live/transport.ts"
import type { Lines } from "./element-lines.ts"

/** One action of a bulk request: where its document is among the lines, or why it is refused. */
interface BulkItem {
  action: string
  index: string
  /** Number of the document's line, from 1; 0 if the item is refused. */
  line: number
  refusal?: { status: number; type: string }
}

/** The documents of a bulk request as lines, and the actions in their order. */
export interface BulkBody {
  lines: Lines
  items: BulkItem[]
}

const lineFeed = 10
/** Actions of one request. The answer has an entry for each, and may be larger than the request. */
const mostItems = 100_000
const withDocument = ["index", "create", "update"]
/** `ubi_queries`, `ubi_events`, and such names with a suffix: `ubi_events-2026.03`. */
const takenIndex = /^ubi_(queries|events)([-_.].*)?$/

/**
 * Reads a body as OpenSearch's `_bulk` takes it: a line that says what to do, then the document. Documents of UBI that
 * are indexed or created are taken. An update, a deletion and another index are refused, each by itself. Undefined if
 * the body has not this form. What follows the first line that is wrong is not looked at.
 */
export function readBulk(body: Uint8Array, path?: string): BulkBody | undefined {
  const items: BulkItem[] = []
  const taken: Uint8Array[] = []
  const lines = linesOf(body)
  for (const line of lines) {
    const found = readAction(line, path)
    if (found === undefined) return undefined
    if (items.length === mostItems)
      throw new BadBody(`The body has over ${mostItems} actions. Send them in several requests.`)
    const { action, index } = found
    const document = withDocument.includes(action) ? lines.next().value : undefined
    if (withDocument.includes(action) && document === undefined) return undefined
    const refusal = refusalOf(action, index)
    if (refusal === undefined && document !== undefined) taken.push(document)
    items.push({ action, index, line: refusal === undefined ? taken.length : 0, ...(refusal && { refusal }) })
  }
  return { lines: { bytes: joinLines(taken), lines: taken.length }, items }
}

/** The lines that are not blank. */
function* linesOf(body: Uint8Array): Generator<Uint8Array, undefined> {
  for (let start = 0; start < body.length; ) {
    const end = body.indexOf(lineFeed, start)
    const line = body.subarray(start, end < 0 ? body.length : end)
    if (line.some((byte) => byte > 32)) yield line
    start = end < 0 ? body.length : end + 1
  }
}

function readAction(line: Uint8Array, path: string | undefined): { action: string; index: string } | undefined {
  const record = parseRecord(Buffer.from(line.buffer, line.byteOffset, line.length).toString("utf8"))
  const [action, ...more] = Object.keys(record ?? {})
  const given = action === undefined ? undefined : record?.[action]
  if (action === undefined || more.length > 0 || ![...withDocument, "delete"].includes(action)) return undefined
  if (typeof given !== "object" || given === null) return undefined
  const index = "_index" in given ? given._index : path
  return { action, index: typeof index === "string" ? index.slice(0, 255) : "" }
}

function refusalOf(action: string, index: string): BulkItem["refusal"] {
  if (!takenIndex.test(index)) return { status: 404, type: "index_not_found_exception" }
  return action === "update" || action === "delete" ? { status: 400, type: "queryveil_not_supported" } : undefined
}

function joinLines(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length + 1, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
    all[at++] = lineFeed
  }
  return all
}

/**
 * The answer as a client of OpenSearch expects it. A receipt lists a hundred rejected documents. If there are more,
 * what became of later ones is not known, and they have the status 202.
 */
export function bulkAnswer({ items }: BulkBody, receipt: RequestReceipt): object {
  const reasons = new Map(receipt.rejected.map(({ line, reason }) => [line, reason]))
  const isListed = receipt.rejectedTotal <= receipt.rejected.length
  const known = isListed ? Number.POSITIVE_INFINITY : (receipt.rejected.at(-1)?.line ?? 0)
  const answers = items.map(({ action, index, line, refusal }) => {
    const reason = reasons.get(line)
    const result = { _index: index }
    if (refusal !== undefined)
      return { [action]: { ...result, status: refusal.status, error: { type: refusal.type, reason: refusal.type } } }
    if (reason !== undefined)
      return { [action]: { ...result, status: 400, error: { type: "queryveil_rejected", reason } } }
    return { [action]: { ...result, status: line > known ? 202 : 201 } }
  })
  const errors = receipt.rejectedTotal > 0 || items.some(({ refusal }) => refusal !== undefined)
  return { took: 0, errors, items: answers }
}
