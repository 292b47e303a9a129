import { readBlock } from "#dist/log/formats/read-block.js"
import { bulkAnswer, readBulk } from "#dist/server/http/bulk-body.js"
import { elementLines, plainLines } from "#dist/server/http/element-lines.js"
import { BadBody, RecordPlans } from "#dist/stream/inputs/record-plans.js"
import { ensure, type FuzzTarget } from "../target.ts"

const choice = {
  format: "auto" as const,
  columns: undefined,
  jsonPath: undefined,
  encoding: undefined,
  unit: "user" as const,
}

/** Bodies of HTTP requests: arrays are split as JSON.parse splits them, and records become rows or are refused. */
export const target: FuzzTarget = {
  covers: [
    "server/http/bulk-body",
    "server/http/element-lines",
    "stream/inputs/record-plans",
    "server/inputs/line-format",
    "log/formats/",
  ],
  words: [
    '{"user":"ann"',
    '"query":"lamp"',
    '"time":1577934245',
    "[",
    "]",
    "{",
    "}",
    ",",
    '\\"',
    "\\\\",
    "\n",
    "null",
    "[[",
    '"_source":{',
    '{"index":{"_index":"ubi_queries"}}\n',
    '{"delete":{}}\n',
  ],
  seeds: () => [
    '[{"user":"ann","query":"a, [b] \\"c\\"","time":1577934245},{"user":"bob","query":"lamp","time":1577934246}]',
    '{"user":"ann","query":"lamp","time":"2020-01-02T03:04:05Z"}\n{"uid":"bob","q":"hat","ts":1577934245}\n',
    "[]",
    '{"a":{"b":[1,{"c":2}]}}',
    '{"index":{}}\n{"query_id":"q","user_query":"lamp","client_id":"c","timestamp":1577934245}\n{"delete":{}}\n',
  ],
  check: (input) => {
    const body = Buffer.from(input)
    checkBulk(body)
    const cut = elementLines(body)
    const value = parse(body.toString("utf8"))
    if (typeof value === "object" && value !== null && body.equals(Buffer.from(body.toString("utf8")))) {
      const wanted = Array.isArray(value) ? value : [value]
      ensure(cut !== undefined, "an array or an object is split")
      const lines = Buffer.from(cut.bytes).toString("utf8").split("\n").slice(0, -1)
      ensure(cut.lines === wanted.length && lines.length === cut.lines, "each element is a line")
      for (const [i, line] of lines.entries())
        ensure(JSON.stringify(parse(line)) === JSON.stringify(wanted[i]), "an element does not change")
    }
    for (const { bytes, lines } of [plainLines(body), ...(cut === undefined ? [] : [cut])]) {
      for (const plans of [new RecordPlans(choice), new RecordPlans(choice, "ubi")]) readRecords(plans, bytes, lines)
    }
  },
}

function checkBulk(body: Buffer): void {
  const bulk = readBulk(body, "ubi_queries")
  if (bulk === undefined) return
  const taken = bulk.items.filter(({ line }) => line > 0)
  ensure(taken.length === bulk.lines.lines, "each document that is taken is a line")
  ensure(
    taken.every(({ line }, i) => line === i + 1),
    "documents are numbered in order",
  )
  ensure(plainLines(bulk.lines.bytes).lines === bulk.lines.lines, "a document is one line")
  const rejected = taken.slice(0, 100).map(({ line }) => ({ line, reason: "syntax" }))
  const answer = bulkAnswer(bulk, { taken: 0, withheld: 0, rejected, rejectedTotal: taken.length })
  ensure("items" in answer && Array.isArray(answer.items), "an answer lists items")
  ensure(answer.items.length === bulk.items.length, "each action has an answer")
}

function readRecords(plans: RecordPlans, body: Uint8Array, lines: number): void {
  try {
    const plan = plans.planOf(body)
    const bytes = new Uint8Array(body.length + 1)
    bytes.set(body)
    const read = readBlock({ bytes, length: body.length, plan, skipLines: 0, seed: 7 })
    ensure(read.lines === lines, "a body has as many lines as were counted")
  } catch (error) {
    if (!(error instanceof BadBody)) throw error
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
