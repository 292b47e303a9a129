import { type ClusterAddress, isPlainRemote, parseClusterAddress } from "../../cluster/cluster-address.ts"
import { ClusterClient } from "../../cluster/cluster-client.ts"
import { readClusterSecrets } from "../../cluster/credentials.ts"
import type { Notice } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { ColumnChoice } from "../formats/columns.ts"
import type { InputFile, RemoteInput } from "../inputs.ts"
import type { IndexIntake } from "../intake.ts"
import { fieldsToRead, findTimeField, readIndexFields } from "./index-fields.ts"
import { type IndexRange, rangeQuery } from "./index-query.ts"
import { PointInTime } from "./point-in-time.ts"
import { cutSlices, readAhead } from "./read-ahead.ts"
import { type IndexDocument, type PageOptions, sequencePages } from "./sequence-pages.ts"

/** How the documents of an index are read. */
export interface IndexOptions {
  /** The range that the caller asks for. */
  range: IndexRange
  /** The start of the run, in milliseconds: where the range ends if the caller does not say. */
  now: number
  columns: ColumnChoice | undefined
  format: string
  notify?: ((notice: Notice) => void) | undefined
  /** Slices that are read at once, documents on a page, and milliseconds to survive a lost connection. */
  slices?: number
  pageSize?: number
  patience?: number
}

export { parseMoment, readFilter } from "./index-query.ts"

const lineFeed = 10

/** The indices at an address, as a file whose lines are documents. Nothing is asked before it is read. */
export function indexInput(text: string, options: IndexOptions): InputFile {
  const address = parseClusterAddress(text)
  return { path: address.name, remote: new IndexInput(address, options) }
}

class IndexInput implements RemoteInput {
  readonly #address: ClusterAddress
  readonly #options: IndexOptions
  #intake: IndexIntake | undefined
  #done = 0

  constructor(address: ClusterAddress, options: IndexOptions) {
    this.#address = address
    this.#options = options
  }

  extent(): { done: number; total: number } | undefined {
    return this.#intake && { done: this.#done, total: this.#intake.documents }
  }

  describe(): IndexIntake | undefined {
    return this.#intake
  }

  /** The documents as lines of JSON, in the order of `compareDocuments`. */
  async *read(signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
    const { slices = 4, pageSize = 2000, patience = 120_000, format, columns } = this.#options
    const address = this.#address
    const client = new ClusterClient(address, await readClusterSecrets(address))
    try {
      if (isPlainRemote(address)) this.#warn("searches travel in plain text, because the address says +http.")
      const fields = await readIndexFields(client, signal)
      const timeField = findTimeField(fields, { columns, format, name: address.name })
      const range = this.#rangeOf(timeField)
      const condition = rangeQuery(timeField, range)
      const point = await PointInTime.open({
        client,
        range: condition,
        filter: range.filter,
        timeField,
        signal,
        patience,
      })
      try {
        this.#begin(point, range, timeField)
        const asked = { address, fields: fieldsToRead(fields, format), size: pageSize }
        yield* this.#lines(readAhead(this.#slices(point, asked), slices))
        this.#checkCount(point.figures.documents)
      } finally {
        await point.close()
      }
    } finally {
      client.close()
    }
  }

  *#slices(point: PointInTime, asked: Omit<PageOptions, "slice">): Generator<AsyncGenerator<IndexDocument[]>> {
    for (const slice of cutSlices(point.figures, asked.size)) yield sequencePages(point, { ...asked, slice })
  }

  async *#lines(pages: AsyncIterable<IndexDocument[]>): AsyncGenerator<Buffer> {
    for await (const page of pages) {
      const bytes = Buffer.allocUnsafe(page.reduce((sum, { line }) => sum + line.length + 1, 0))
      let at = 0
      for (const { line } of page) {
        bytes.set(line, at)
        at += line.length
        bytes[at++] = lineFeed
      }
      this.#done += page.length
      yield bytes
    }
  }

  /** The range with its end. Without a field of times there is no range, and the point in time is the end. */
  #rangeOf(timeField: string | undefined): IndexRange {
    const { range, now } = this.#options
    if (timeField !== undefined) return { ...range, until: range.until ?? new Date(now).toISOString() }
    const flag = range.since !== undefined ? "--since" : range.until !== undefined ? "--until" : undefined
    if (flag === undefined) return range
    throw new QueryveilError(
      "option-value",
      `${flag}: ${this.#address.name} has no field of times that is mapped as a date. Name it with --columns time=…`,
      { flag },
    )
  }

  #begin({ figures }: PointInTime, range: IndexRange, timeField: string | undefined): void {
    const { documents, matching, untimed } = figures
    this.#done = 0
    this.#intake = { ...range, ...(timeField !== undefined && { timeField }), documents }
    const number = (count: number) => count.toLocaleString("en")
    const bounds = [range.since && `since ${range.since}`, range.until && `until ${range.until}`].filter(Boolean)
    const within = timeField === undefined ? "" : ` (${timeField} ${bounds.join(" ")})`
    const of = documents === matching ? "" : ` of ${number(matching)}`
    const text = `${this.#address.name}: reading ${number(documents)}${of} documents${within}`
    this.#options.notify?.({ kind: "note", text })
    if (untimed > 0) this.#warn(`${number(untimed)} documents have no ${timeField} and were not read.`)
  }

  #warn(what: string): void {
    this.#options.notify?.({ kind: "warning", text: `${this.#address.name}: ${what}` })
  }

  #checkCount(documents: number): void {
    if (this.#done === documents) return
    throw new QueryveilError(
      "input-incomplete",
      `${this.#address.name}: read ${this.#done} documents, but the cluster counts ${documents}. Read it again.`,
      { file: this.#address.name },
    )
  }
}
