import { readFileSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import { expect, test } from "vitest"
import { linesOf, queryPaths, releasedOf, topicsFile } from "../stream/live-run.ts"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { killStream, sizeOf } from "./kill-stream.ts"

const { at, fresh, write } = scratchFolder()

test("a stream killed while it reads a file that it sorts takes every search once, in order of time", async () => {
  const count = 40_000
  const at0 = Date.UTC(2026, 2, 1)
  const records = Array.from({ length: count }, (_, i) => ({
    user: `user-${(i * 7) % 60}`,
    query: `w${i}`,
    time: new Date(at0 + ((i * 7919) % count) * 1000).toISOString(),
  }))
  const topics = ["--taxonomy", write(topicsFile, "t.tsv"), "--classifier", write(queryPaths(count), "p.tsv")]
  const input = write(linesOf(records), "by-user.jsonl")
  const [output, store] = [at("sorted.jsonl"), at("sorted-store")]
  const common = ["--store", store, "--input", input, "-o", output, "--to", "jsonl", "--users", "keep"]
  const args = ["stream", "run", ...common, ...topics, "--k", "3", "--depth", "2", "--time", "exact", "--no-admin"]
  const { child, ended } = startCli([...args, "--workers", "1", "--quiet"])
  while (sizeOf(output) === 0 && child.exitCode === null) await wait(1)
  child.kill("SIGKILL")
  await ended
  const before = readFileSync(output, "utf8")
  const last = await runCli([...args, "--json"])
  expect(last.code).toBe(0)
  const summary = JSON.parse(last.stdout)
  const text = readFileSync(output, "utf8")
  expect(text.startsWith(before)).toBe(true)
  const released = releasedOf({ text: () => text })
  expect(new Set(released.map(({ query }) => query)).size).toBe(released.length)
  const withheld = Object.values<number>(summary.withheld).reduce((sum, one) => sum + one, 0)
  expect(summary.released + summary.waiting + withheld).toBe(count)
  expect(summary).toMatchObject({ lines: count, late: { records: 0 }, released: released.length })
  const times = released.map(({ time }) => time)
  expect(times).toEqual([...times].sort()) // cells close in the order of their times
})

// stream-killed.slow.test.ts does this fifty times.
test("a stream killed six times loses nothing, repeats nothing and changes no byte that was written", () =>
  killStream(fresh(), 6))
