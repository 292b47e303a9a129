import { cpSync } from "node:fs"
import { expect, test } from "vitest"
import { AnsweredRequests, remembered } from "#dist/stream/live/answered-requests.js"
import { batchRecords } from "#dist/stream/live/batch-records.js"
import type { LiveStream } from "#dist/stream/live/live-stream.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { memoryOutput, openRun, queryPaths, topicsFile } from "./live-run.ts"

const { fresh, write } = scratchFolder()
const answer = { taken: 1, withheld: 0, rejected: [], rejectedTotal: 0 }

test("requests are remembered by sender, key and body, up to a number and an age", () => {
  const requests = new AnsweredRequests(Buffer.alloc(32, 1))
  const of = (key: string, body = "b") => requests.identify({ sender: "s", key, body: Buffer.from(body) })
  expect(of("1").id).not.toBe(of("2").id)
  expect(of("1").id).toBe(of("1", "c").id)
  expect(of("1").body).not.toBe(of("1", "c").body)
  expect(requests.identify({ sender: "sa", key: "b", body: Buffer.from("") }).id).not.toBe(
    requests.identify({ sender: "s", key: "ab", body: Buffer.from("") }).id,
  )
  for (let i = 0; i <= remembered.requests; i++) requests.add({ ...of(String(i)), at: 1000, answer })
  expect(requests.find(of("0").id, 1000)).toBeUndefined()
  expect(requests.find(of("1").id, 1000)).toMatchObject({ answer })
  expect(requests.find(of("1").id, 1000 + remembered.milliseconds)).toBeUndefined()
  expect(requests.list()).toEqual([])
})

test("answers survive a restart, from journal and checkpoint, and agree with what was accepted", async () => {
  const store = fresh("store")
  const output = memoryOutput()
  const parts = {
    store,
    taxonomy: write(topicsFile, "topics.tsv"),
    classifier: write(queryPaths(40), "paths.tsv"),
    output,
  }
  const send = async (stream: LiveStream, key: string, queries: number[]) => {
    const records = queries.map((i) => ({ user: `u${i}`, query: `w${i}`, time: "2026-03-01 10:20:30" }))
    const batch = batchRecords(records)
    const identity = stream.requests.identify({ sender: "", key, body: batch.bytes.subarray(0, batch.length) })
    const lines = Uint32Array.of(records.length)
    const { receipt } = stream.offer({ ...batch, parts: lines, requests: [identity] })
    const [first] = (await receipt).parts ?? []
    return { id: identity.id, first }
  }
  const first = await openRun(parts)
  const one = await send(first, "1", [0, 4, 8])
  await first.close() // with a checkpoint
  const second = await openRun(parts)
  const two = await send(second, "2", [1, 5])
  await second.drain()
  const third = await openRun({ ...parts, store: copyOf(store) })
  for (const { id, first: told } of [one, two]) expect(third.requests.find(id, Date.now())?.answer).toEqual(told)
  expect(one.first).toMatchObject({ taken: 3, rejectedTotal: 0 })
  await third.close()
  await second.close()
})

function copyOf(store: string): string {
  const copy = fresh("copy")
  cpSync(store, copy, { recursive: true, filter: (path) => !path.includes("lock") })
  return copy
}

test("a request whose commit failed is not remembered, so a repeat is not answered as accepted", async () => {
  let clock = 0
  const output = { ...memoryOutput(), settle: () => Promise.reject(new Error("the output fails")) }
  const files = { taxonomy: write(topicsFile, "topics.tsv"), classifier: write(queryPaths(40), "paths.tsv") }
  const stream = await openRun({ store: fresh("store"), ...files, output, checkpointSeconds: 60, now: () => clock })
  const send = (i: number) => {
    const batch = batchRecords([{ user: `u${i}`, query: `w${i}`, time: "2026-03-01 10:20:30" }])
    const identity = stream.requests.identify({ sender: "", key: String(i), body: batch.bytes })
    const { receipt } = stream.offer({ ...batch, parts: Uint32Array.of(1), requests: [identity] })
    return { id: identity.id, receipt }
  }
  await send(0).receipt
  clock = 3_600_000 // the next commit begins a checkpoint, which fails
  const answers = new Map<string, boolean>()
  for (let i = 1; ![...answers.values()].includes(false); i++) {
    const { id, receipt } = send(i)
    answers.set(
      id,
      await receipt.then(
        () => true,
        () => false,
      ),
    )
  }
  for (const [id, wasTaken] of answers) expect(stream.requests.find(id, clock) !== undefined).toBe(wasTaken)
  await expect(stream.close()).rejects.toThrow("the output fails")
})
