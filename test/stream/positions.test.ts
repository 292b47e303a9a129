import { expect, test } from "vitest"
import { batchRecords } from "#dist/stream/live/batch-records.js"
import type { StreamOutput, WrittenRecords } from "#dist/stream/live/transport.js"
import { positionsFrom, positionsText, withPosition } from "#dist/stream/store/positions.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { memoryOutput, openRun, queryPaths, topicsFile } from "./live-run.ts"

const { write, fresh } = scratchFolder()

test("positions are read back unchanged, by the name of the input", () => {
  const positions = { "/logs/a.tsv": '{"bytes":1}', "topic:q": "0=17,1=4" }
  expect(positionsFrom(positionsText(positions))).toEqual(positions)
  expect(positionsText({})).toBe("")
  expect(positionsFrom("")).toEqual({})
})

test("the position in a store of version 0.1 gets a name when its input has one", () => {
  const old = positionsFrom('{"bytes":12,"headLength":12,"head":"00"}')
  expect(old).toEqual({ "": '{"bytes":12,"headLength":12,"head":"00"}' })
  expect(withPosition(old, { input: "a", at: "13" })).toEqual({ a: "13" })
})

test("positions of a later version are refused", () => {
  expect(() => positionsFrom('{"inputPositions":2}')).toThrow(/another version/)
})

/** An output that keeps what it is given, record by record, as a broker would. */
function recordOutput() {
  const records: { text: string; number: number; positions: WrittenRecords["positions"] }[] = []
  const output: StreamOutput = {
    ...memoryOutput(),
    async write(bytes, { ends, last, positions }) {
      ends.forEach((end, i) => {
        const text = Buffer.from(bytes.subarray(ends[i - 1] ?? 0, end)).toString()
        records.push({ text, number: last - ends.length + 1 + i, positions })
      })
    },
  }
  return { output, records }
}

test("an output receives whole records with their numbers, and the positions of all their inputs", async () => {
  const [taxonomy, classifier, store] = [
    write(topicsFile, "topics.tsv"),
    write(queryPaths(40), "paths.tsv"),
    fresh("store"),
  ]
  const first = recordOutput()
  const stream = await openRun({ store, taxonomy, classifier, output: first.output })
  const offer = (input: string, at: string, users: string[]) => {
    const records = users.map((user, i) => ({
      user,
      query: `w${4 * i + (input === "a" ? 0 : 1)}`,
      time: "2026-03-01 10:20:30",
    }))
    return stream.offer({ ...batchRecords(records), position: { input, at } }).receipt
  }
  await offer("a", "1", ["u1", "u2", "u3", "u4"])
  await offer("b", "x", ["v1", "v2", "v3", "v4"])
  await stream.drain()
  const { records } = first
  expect(records.length).toBeGreaterThan(3)
  for (const [i, { text, number }] of records.entries()) {
    expect(number).toBe(i)
    expect(JSON.parse(text)).toMatchObject({ seq: i })
    expect(text.endsWith("\n")).toBe(true)
  }
  expect(records[0]?.positions).toEqual({ a: "1" })
  expect(records.at(-1)?.positions).toEqual({ a: "1", b: "x" })
  await stream.close()
  const again = await openRun({ store, taxonomy, classifier, output: recordOutput().output })
  expect(again.resumed.positions).toEqual({ a: "1", b: "x" })
  await again.close()
})
