import { QueryveilError } from "../../kernels/error.ts"
import { type ColumnChoice, neededColumns } from "../../log/formats/columns.ts"
import { formatOfRecord, hasJsonRecords, planLines } from "../../log/formats/detect-format.ts"
import type { FormatName } from "../../log/formats/format-registry.ts"
import { type JsonObject, parseRecord } from "../../log/formats/json-record.ts"
import type { LinePlan } from "../../log/formats/parsed-block.ts"
import type { LineChoice } from "../inputs/line-format.ts"
import { BadBody, RecordPlans } from "../inputs/record-plans.ts"
import { MemberNames } from "./member-names.ts"
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
/** Rows may have more columns than are named. They are not read. */
const mostFields = 1000

/**
 * How the messages of a topic become rows. A message is one JSON record (also of UBI), or, with `--format aol` or
 * `delimited`, one row. A topic has no header, so the columns of rows are named by number.
 *
 * How a message is read depends on the names of its own members alone, or, if it is a row, on the options alone. So one
 * sender's messages do not decide how another's are read, and every worker reads a message in the same way.
 */
export class MessagePlans {
  readonly #choice: LineChoice
  readonly #path: string
  readonly #records = new Map<FormatName, RecordPlans>()
  /** By the names of members. Records with some names are refused: they lack a column, or have two accounts. */
  readonly #plans = new Map<string, LinePlan | "refused">()
  readonly #names = new MemberNames()
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
      this.#rows ??= this.#planRows()
      return [{ ...lines, messages, plan: this.#rows }]
    }
    const runs: MessageRun<M>[] = []
    let plan: LinePlan | undefined
    let from = 0
    const refused = new Set<M>()
    const end = (to: number) => {
      const own = messages.slice(from, to)
      const lines = () => messageLines(refused.size === 0 ? own : own.map((one) => emptied(one, refused)), "json")
      if (own.length > 0) runs.push({ ...lines(), messages: own, plan: plan ?? this.anyPlan() })
      from = to
    }
    for (const [at, message] of messages.entries()) {
      const { value } = message
      const found = value === null || value.length === 0 ? undefined : this.#planOf(value)
      // The plan of the messages around it might accept it.
      if (found === "refused") refused.add(message)
      if (found === undefined || found === "refused" || found === plan) continue
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

  #planOf(value: Buffer): LinePlan | "refused" | undefined {
    const names = this.#names.read(value)
    const known = this.#plans.get(names)
    if (known !== undefined) return known
    const record = parseRecord(value.toString("utf8"))
    if (record === undefined) return undefined // what is not JSON may have the names of what is
    if (this.#plans.size >= mostPlans) this.#plans.clear()
    const plan = this.#planRecord(value, record)
    this.#plans.set(names, plan)
    return plan
  }

  #planRecord(value: Buffer, record: JsonObject): LinePlan | "refused" {
    const { bytes, length } = messageLines([{ value }], "json")
    const line = bytes.subarray(0, length)
    const format = this.#choice.format === "auto" ? recordFormat(record, this.#choice) : this.#choice.format
    const known = this.#records.get(format) ?? new RecordPlans({ ...this.#choice, format })
    this.#records.set(format, known)
    try {
      return known.planOf(line)
    } catch (error) {
      if (error instanceof BadBody) return "refused"
      throw error
    }
  }

  #planRows(): LinePlan {
    const { format, columns = {} } = this.#choice
    const refuse = (what: string) =>
      new QueryveilError("input-columns", `${this.#path}: ${what}`, { flag: "--columns" })
    if (format !== "aol" && format !== "delimited") throw refuse("messages cannot be of this format.")
    const isNumbered = neededColumns.every((name) => /^[1-9]\d{0,2}$/.test(columns[name] ?? ""))
    if (format === "delimited" && !isNumbered)
      throw refuse("a topic has no header line. Name the columns by number: --columns user=1,query=2,time=3.")
    const plan = planLines(format, rowLike(columns), { ...this.#choice, path: this.#path })
    return { ...plan, maxFields: Math.max(plan.maxFields, mostFields) }
  }
}

/** A message without its value, if it is refused. */
const emptied = <M extends Valued>(message: M, refused: ReadonlySet<M>): Valued =>
  refused.has(message) ? { value: null } : message

/** A row of a topic with these columns, separated by tabs. Any other row is read in the same way. */
function rowLike(columns: ColumnChoice): Buffer {
  const time = Number(columns.time ?? 3)
  const last = Math.max(time, ...Object.values(columns).map((place) => Number(place) || 0))
  const cells = Array.from({ length: last }, (_, i) => (i + 1 === time ? "2026-01-01 00:00:00" : "cell"))
  return Buffer.from(`${cells.join("\t")}\n`)
}

/** The format of one JSON record. Columns that are named belong to JSON without a known form. */
function recordFormat(record: JsonObject, choice: LineChoice): FormatName {
  if (choice.columns !== undefined) return "jsonl"
  return formatOfRecord(record)
}
