import { createHash } from "node:crypto"
import { QueryveilError } from "../../kernels/error.ts"
import { detectFormat, hasJsonRecords, planLines } from "../../log/formats/detect-format.ts"
import type { FormatName } from "../../log/formats/format-registry.ts"
import { type JsonObject, parseRecord } from "../../log/formats/json-record.ts"
import { type LinePlan, maxLineBytes } from "../../log/formats/parsed-block.ts"
import { type LineChoice, withOptional } from "./line-format.ts"

const lineFeed = 10
const looksAt = 1000 // lines
const tries = 50 // records that lack a column
const keeps = 256 // plans

/** A problem with a body as a whole. */
export class BadBody extends Error {}

/**
 * How the records of a body become rows: by `--columns`, else by the member names of its first record. Bodies with the
 * same columns get the identical plan object, so that they can share a batch.
 */
export class RecordPlans {
  readonly #choice: LineChoice
  readonly #format: FormatName
  readonly #byMembers = new Map<string, LinePlan>()
  readonly #byColumns = new Map<string, LinePlan>()

  constructor(choice: LineChoice, format?: FormatName) {
    this.#format = format ?? (choice.format !== "auto" && hasJsonRecords(choice.format) ? choice.format : "jsonl")
    this.#choice = { ...choice, ...(format === "ubi" ? { columns: undefined, jsonPath: undefined } : {}) }
    detectFormat(new Uint8Array(0), { ...this.#choice, format: this.#format }) // refuses options that do not fit it
  }

  planOf(body: Uint8Array): LinePlan {
    let refusal: unknown
    for (let start = 0, line = 0, refused = 0; start < body.length && line < looksAt && refused < tries; line++) {
      const end = body.indexOf(lineFeed, start)
      const text = Buffer.from(body.buffer, body.byteOffset + start, (end < 0 ? body.length : end) - start)
      start = end < 0 ? body.length : end + 1
      const record = text.length > maxLineBytes ? undefined : parseRecord(text.toString("utf8"))
      if (record === undefined) continue
      try {
        return this.#planOfRecord(record, text)
      } catch (error) {
        if (!(error instanceof QueryveilError)) throw error
        refusal ??= error // another record may have what this one lacks
        refused++
      }
    }
    const missing = refusal instanceof QueryveilError ? refusal.message.replace(/^[^:]*: /, "") : undefined
    throw new BadBody(missing ?? "No line of the body is a JSON object in UTF-8.")
  }

  #planOfRecord(record: JsonObject, text: Uint8Array): LinePlan {
    if (this.#format !== "jsonl") return this.#planOfText("", text)
    // No two lists of names have the same text. The digest is short, however long the names are.
    const members = createHash("sha256")
      .update(JSON.stringify(Object.keys(record)))
      .digest("base64")
    return this.#byMembers.get(members) ?? this.#planOfText(members, text)
  }

  #planOfText(members: string, text: Uint8Array): LinePlan {
    const known = this.#byMembers.get(members)
    if (known !== undefined) return known
    const made = withOptional(planLines(this.#format, text, { ...this.#choice, path: "the body" }))
    const columns = JSON.stringify(made.conversion?.columns ?? {})
    const plan = this.#byColumns.get(columns) ?? made
    if (this.#byMembers.size >= keeps) this.#byMembers.clear()
    if (this.#byColumns.size >= keeps) this.#byColumns.clear()
    this.#byColumns.set(columns, plan)
    this.#byMembers.set(members, plan)
    return plan
  }
}
