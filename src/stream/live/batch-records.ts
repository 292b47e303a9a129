import { planLines } from "../../log/formats/detect-format.ts"
import type { InputBatch } from "./transport.ts"

/** A search as a program provides it. A time is text as in a log (UTC unless it has a zone) or seconds since 1970. */
export interface StreamRecord {
  user: string
  query: string
  time: string | number
  rank?: number
  url?: string
  /** A path of the taxonomy, used instead of a classifier. Either all records of a batch have one, or none. */
  category?: string
}

const sample = '{"user":"u","query":"q","time":0,"rank":1,"url":"x"}\n'
const choice = { format: "jsonl", columns: undefined, jsonPath: undefined, unit: "user", path: "records" } as const
const plan = planLines("jsonl", Buffer.from(sample), choice)
const classifiedPlan = planLines("jsonl", Buffer.from(sample.replace("}", ',"category":"c"}')), choice)

/** Packs searches into one batch for `LiveStream.offer`. The searches of a batch become durable together. */
export function batchRecords(records: Iterable<StreamRecord>): InputBatch {
  let isClassified = false
  const lines = Array.from(records, ({ user, query, time, rank, url, category }) => {
    isClassified ||= category !== undefined
    return JSON.stringify({ user, query, time, rank, url, category })
  })
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(""))
  const bytes = new Uint8Array(text.length + 1)
  bytes.set(text)
  return { bytes, length: text.length, plan: isClassified ? classifiedPlan : plan, skipLines: 0 }
}
