import { QueryveilError } from "../../kernels/error.ts"
import { detectFormat, hasJsonRecords, planLines } from "../../log/formats/detect-format.ts"
import { parseRecord } from "../../log/formats/json-record.ts"
import type { LinePlan } from "../../log/formats/parsed-block.ts"
import type { LineChoice } from "../inputs/line-format.ts"
import { BadBody, RecordPlans } from "../inputs/record-plans.ts"
import type { KafkaMessage } from "./kafka-library.ts"
import { type MessageLines, messageLines } from "./message-lines.ts"

/** The columns of a batch in which no message is a record: all its lines are rejected and counted. */
const anyRecord = Buffer.from('{"user":"","query":"","time":""}')

/**
 * How the messages of a topic become rows. A message is one JSON record (also of UBI), or, with `--format aol` or
 * `delimited`, one row. A topic has no header, so the columns of rows are named by number.
 */
export class MessagePlans {
  readonly #choice: LineChoice
  readonly #path: string
  #records: RecordPlans | undefined
  #rows: LinePlan | undefined

  constructor(choice: LineChoice, path: string) {
    this.#choice = choice
    this.#path = path
    if (choice.encoding !== undefined && !/^utf-?8$/i.test(choice.encoding))
      throw new QueryveilError("option-value", `${path}: messages must be UTF-8. Leave out --encoding.`, {
        flag: "--encoding",
      })
  }

  /** The lines of messages, one for each, and how they become rows. */
  read(messages: readonly Pick<KafkaMessage, "value">[]): MessageLines & { plan: LinePlan } {
    const { format } = this.#choice
    if (format !== "auto" && !hasJsonRecords(format)) {
      const lines = messageLines(messages, "row")
      this.#rows ??= this.#planRows(lines)
      return { ...lines, plan: this.#rows }
    }
    const lines = messageLines(messages, "json")
    return { ...lines, plan: this.#planRecords(lines, messages) }
  }

  #planRecords({ bytes, length }: MessageLines, messages: readonly Pick<KafkaMessage, "value">[]): LinePlan {
    this.#records ??= this.#detect(messages)
    try {
      if (this.#records !== undefined) return this.#records.planOf(bytes.subarray(0, length))
    } catch (error) {
      if (!(error instanceof BadBody)) throw error
    }
    return new RecordPlans({ ...this.#choice, format: "jsonl", columns: undefined }).planOf(anyRecord)
  }

  /** Recognises the format by the first message that is a JSON object; undefined if there is none yet. */
  #detect(messages: readonly Pick<KafkaMessage, "value">[]): RecordPlans | undefined {
    if (this.#choice.format !== "auto") return new RecordPlans(this.#choice)
    const first = messages.find(({ value }) => value !== null && parseRecord(value.toString("utf8")) !== undefined)
    if (first === undefined) return undefined
    const { bytes, length } = messageLines([first], "json")
    const format = detectFormat(bytes.subarray(0, length), this.#choice)
    return new RecordPlans({ ...this.#choice, format: hasJsonRecords(format) ? format : "jsonl" })
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
