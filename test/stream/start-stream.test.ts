import { expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { batchRecords } from "#dist/stream/live/batch-records.js"
import { startStream } from "#dist/stream/live/start-stream.js"
import { callbackOutput, type ReleasedRecord } from "#dist/stream/outputs/callback-output.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { queryPaths, topicsFile } from "./live-run.ts"

const { write, fresh } = scratchFolder()
const topics = { taxonomy: write(topicsFile, "topics.tsv"), classifier: write(queryPaths(40), "paths.tsv") }
const options = { k: 3, depth: 2, users: "keep", time: "drop", ...topics } as const
const context = () => createContext({ seed: 1, workers: 1 })

test("a program offers searches, with and without clicks, and receives each release once, in order", async () => {
  const store = fresh()
  const told: ReleasedRecord[] = []
  const output = callbackOutput((record) => told.push(record))
  const searches = Array.from({ length: 40 }, (_, i) => ({
    user: `user-${i}`,
    query: `w${i}`,
    time: i % 2 === 0 ? 1_772_400_000 + i : "2026-03-01 10:20:30",
    ...(i % 3 === 0 ? { rank: 1, url: "http://example.org/" } : {}),
  }))
  const stream = await startStream(store, options, { output }, context())
  const { taken, rejected } = await stream.offer(batchRecords(searches)).receipt
  await stream.drain()
  const { waiting } = stream.figures()
  await stream.close()
  expect({ taken, rejected }).toEqual({ taken: 40, rejected: [] })
  expect(told.length + waiting).toBe(40)
  expect(told.length).toBeGreaterThan(20)
  expect(told.map(({ seq }) => seq)).toEqual(told.map((_, i) => i))
  for (const { user, query } of told) expect(user).not.toBe(`user-${query.slice(1)}`)
  expect(told.some((record) => "time" in record || "url" in record)).toBe(false)

  const again = await startStream(store, options, { output: callbackOutput(() => {}) }, context())
  expect(again.resumed.waiting).toBe(waiting)
  await again.close()
})

test("a wrong option is refused before a store is created", async () => {
  const parts = { output: callbackOutput(() => {}) }
  await expect(startStream(fresh(), { ...options, k: 0 }, parts, context())).rejects.toMatchObject({
    code: "option-value",
  })
})
