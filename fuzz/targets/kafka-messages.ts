import { readBlock } from "#dist/log/formats/read-block.js"
import { MessagePlans, type MessageRun } from "#dist/stream/kafka/message-plans.js"
import { ensure, type FuzzTarget } from "../target.ts"

const choice = { jsonPath: undefined, encoding: undefined, unit: "user" as const }
const columns = { user: "1", query: "2", time: "3" }

/** Values of Kafka messages, separated by a zero byte: each is one line, and a record or rejected. */
export const target: FuzzTarget = {
  covers: ["stream/kafka/message-", "stream/inputs/record-plans", "log/formats/"],
  words: [
    '{"user":"ann"',
    '"query":"lamp"',
    '"time":1577934245',
    "{",
    "}",
    ",",
    "\0",
    "\n",
    "\r\n",
    "\t",
    '"user_query"',
  ],
  seeds: () => [
    '{"user":"ann","query":"lamp","time":1577934245}\0hello\0\0{"user":"bob",\n"query":"hat","time":1577934246}',
    "ann\tlamp\t2020-01-02 03:04:05\0bob\that\t2020-01-02\n\0bob\that\n2020-01-02",
    '{"query_id":"q","client_id":"c","user_query":"lamp","timestamp":"2020-01-02T03:04:05Z"}',
  ],
  check: (input) => {
    const messages = split(Buffer.from(input)).map((value) => ({ value }))
    const records = new MessagePlans({ ...choice, format: "auto", columns: undefined }, "kafka:t")
    const rows = new MessagePlans({ ...choice, format: "aol", columns: undefined }, "kafka:t")
    const numbered = new MessagePlans({ ...choice, format: "delimited", columns }, "kafka:t")
    for (const plans of [records, rows, numbered]) {
      const read = readMessages(plans, messages)
      ensure(read === undefined || read === messages.length, "each message is a line")
    }
  },
}

/** The number of lines; undefined if the columns of the rows cannot be found. */
function readMessages(plans: MessagePlans, messages: readonly { value: Buffer | null }[]): number | undefined {
  let read: MessageRun<{ value: Buffer | null }>[]
  try {
    read = plans.read(messages)
  } catch (error) {
    if (error instanceof Error && error.name === "QueryveilError") return undefined
    throw error
  }
  return read.reduce((sum, { messages: own, ...run }) => {
    const { lines, line, rejectLine } = readBlock({ ...run, skipLines: 0, seed: 7 })
    ensure(lines === own.length, "each message of a run is a line")
    ensure(line.length + rejectLine.length <= lines, "a line is a record or rejected, once")
    return sum + lines
  }, 0)
}

/** An empty value stands for none. */
function split(bytes: Buffer): (Buffer | null)[] {
  const values: (Buffer | null)[] = []
  for (let from = 0; from <= bytes.length; ) {
    const end = bytes.indexOf(0, from)
    const value = bytes.subarray(from, end < 0 ? bytes.length : end)
    values.push(value.length === 0 ? null : value)
    from = end < 0 ? bytes.length + 1 : end + 1
  }
  return values
}
