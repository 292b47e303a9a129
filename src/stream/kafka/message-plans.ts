import { QueryveilError } from "../../kernels/error.ts"
import { detectFormat, hasJsonRecords, planLines } from "../../log/formats/detect-format.ts"
import type { FormatName } from "../../log/formats/format-registry.ts"
import { parseRecord } from "../../log/formats/json-record.ts"
import type { LinePlan } from "../../log/formats/parsed-block.ts"
import type { LineChoice } from "../inputs/line-format.ts"
import { BadBody, RecordPlans } from "../inputs/record-plans.ts"
import { hashMemberNames } from "./member-names.ts"
import { type MessageLines, messageLines } from "./message-lines.ts"

interface Valued {
  value: Buffer | null
}

/** Messages one after another that become rows in the same way, one line for each. */
export interface MessageRun<M extends Valued> extends MessageLines {
  messages: readonly M[]
  plan: LinePlan
}

/** The columns of messages that are not records: their lines are rejected and counted. */
const anyRecord = Buffer.from('{"user":"","query":"","time":""}')
const mostPlans = 1000

/**
 * How the messages of a topic become rows. A message is one JSON record (also of UBI), or, with `--format aol` or
 * `delimited`, one row. A topic has no header, so the columns of rows are named by number.
 *
 * The columns of a JSON message depend on the names of its own members alone, so that one sender's messages do not
 * decide how another's are read.
 */
export class MessagePlans {
  readonly #choice: LineChoice
  readonly #path: string
  readonly #records = new Map<FormatName, RecordPlans>()
  /** By hash of member names; undefined for names without the needed columns. */
  readonly #plans = new Map<number, LinePlan | undefined>()
  #rows: LinePlan | undefined
  #unread: LinePlan | undefined

  constructor(choice: LineChoice, path: string) {
    this.#choice = choice
    this.#path = path
    if (choice.encoding !== undefined && !/^utf-?8$/i.test(choice.encoding))
      throw new QueryveilError("option-value", `${path}: messages must be UTF-8. Leave out --encoding.`, {
        flag: "--encoding",
      })
  }

  /** Cuts messages into runs. Messages that are not records belong to the run before them. */
  read<M extends Valued>(messages: readonly M[]): MessageRun<M>[] {
    const { format } = this.#choice
    if (format !== "auto" && !hasJsonRecords(format)) {
      const lines = messageLines(messages, "row")
      this.#rows ??= this.#planRows(lines)
      return [{ ...lines, messages, plan: this.#rows }]
    }
    const runs: MessageRun<M>[] = []
    let plan: LinePlan | undefined
    let from = 0
    const end = (to: number) => {
      const own = messages.slice(from, to)
      if (own.length > 0) runs.push({ ...messageLines(own, "json"), messages: own, plan: plan ?? this.anyPlan() })
      from = to
    }
    for (const [at, { value }] of messages.entries()) {
      const found = value === null || value.length === 0 ? undefined : this.#planOf(value)
      if (found === undefined || found === plan) continue
      if (plan !== undefined) end(at)
      plan = found
    }
    end(messages.length)
    return runs
  }

  /** The plan of messages that are not records. */
  anyPlan(): LinePlan {
    this.#unread ??= new RecordPlans({ ...this.#choice, format: "jsonl", columns: undefined }).planOf(anyRecord)
    return this.#unread
  }

  #planOf(value: Buffer): LinePlan | undefined {
    const names = hashMemberNames(value)
    if (this.#plans.has(names)) return this.#plans.get(names)
    if (parseRecord(value.toString("utf8")) === undefined) return undefined // another value with this hash may be one
    if (this.#plans.size >= mostPlans) this.#plans.clear()
    const plan = this.#planRecord(value)
    this.#plans.set(names, plan)
    return plan
  }

  #planRecord(value: Buffer): LinePlan | undefined {
    const { bytes, length } = messageLines([{ value }], "json")
    const line = bytes.subarray(0, length)
    const format = this.#choice.format === "auto" ? recordFormat(line, this.#choice) : this.#choice.format
    const known = this.#records.get(format) ?? new RecordPlans({ ...this.#choice, format })
    this.#records.set(format, known)
    try {
      return known.planOf(line)
    } catch (error) {
      if (error instanceof BadBody) return undefined
      throw error
    }
  }

  #planRows({ bytes, length }: MessageLines): LinePlan {
    const { format } = this.#choice
    const refuse = (what: string) =>
      new QueryveilError("input-columns", `${this.#path}: ${what}`, { flag: "--columns" })
    if (format === "auto" || format === "parquet") throw refuse("messages cannot be of this format.")
    const plan = planLines(format, bytes.subarray(0, length), { ...this.#choice, path: this.#path })
    if (plan.headerLines > 0)
      throw refuse("a topic has no header line. Name the columns by number: --columns user=1,query=2,time=3.")
    if (plan.quotedBy !== undefined)
      throw refuse("rows with quotes cannot be read from a topic. Send JSON, or rows that are separated by tabs.")
    return plan
  }
}

/** The format of one JSON record. Columns that are named belong to JSON without a known form. */
function recordFormat(line: Uint8Array, choice: LineChoice): FormatName {
  if (choice.columns !== undefined) return "jsonl"
  const format = detectFormat(line, choice)
  return hasJsonRecords(format) ? format : "jsonl"
}
