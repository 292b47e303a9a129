import { expect, test } from "vitest"
import { batchRecords } from "#dist/stream/live/batch-records.js"
import type { StreamOutput } from "#dist/stream/live/transport.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { offerLines, openRun, topicsFile } from "./live-run.ts"

const { fresh, write } = scratchFolder()
const pad = "x".repeat(4000)
const texts = Array.from({ length: 6000 }, (_, i) => `w${i} ${pad}`)
const classifier = write(texts.map((text) => `${text}\tpets/dogs\n`).join(""), "paths.tsv")

test("an output that accepts nothing blocks the stream, and batches not yet started can be withdrawn", async () => {
  let release = () => {}
  let now = 1_700_000_000_000
  const taken: number[] = []
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const output: StreamOutput = {
    exact: true,
    open: async () => {},
    write: async (_bytes, { last }) => {
      await gate
      taken.push(last)
    },
    settle: async () => {},
    close: async () => {},
  }
  const stream = await openRun({
    store: fresh("store"),
    taxonomy: write(topicsFile, "topics.tsv"),
    classifier,
    output,
    now: () => now,
    live: { k: 2 },
  })
  const records = texts.map((query, i) => ({ user: `user-${i % 50}`, query }))
  await offerLines(stream, records) // durable, and more than the output may lag behind
  expect(stream.state).toBe("running")
  const late = batchRecords([{ user: "late", query: texts[0] ?? "", time: "2026-03-01 10:20:30" }])
  const { receipt, withdraw } = stream.offer({ ...late })
  await new Promise((resolve) => setImmediate(resolve))
  now += 3000
  expect(stream.state).toBe("blocked")
  expect(withdraw()).toBe(true)
  await expect(receipt).rejects.toMatchObject({ code: "stream-stopped" })
  expect(withdraw()).toBe(false)
  release()
  await stream.drain()
  expect(stream.state).toBe("running")
  expect(taken.length).toBeGreaterThan(0)
  expect(stream.figures().lines).toBe(texts.length)
  await stream.close()
})
