import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import { expect, test } from "vitest"
import { seededRandom } from "#dist/kernels/random.js"
import { linesOf, queryPaths, releasedOf, topicsFile } from "../stream/live-run.ts"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, write } = scratchFolder()
const kills = 50
const perPiece = 40
const all = perPiece * (1 + kills * 10)

/** Which user issues which query: every query is of one user, so that it is seen whose it was. */
const recordOf = (i: number) => ({ user: `user-${(i * 7) % 60}`, query: `w${i}` })

const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : 0)

test("killed while it reads a file that it had to sort: every search is taken once, in the order of times", async () => {
  const count = 120_000
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
  expect(times).toEqual([...times].sort()) // cells close in the order of times
}, 120_000)

test("killed at fifty moments: nothing lost, nothing twice, nobody's own, and no byte that was seen changes", async () => {
  const random = seededRandom(20_261_115)
  const input = at("in.jsonl")
  const output = at("out.jsonl")
  const common = ["--store", at("store"), "--input", input, "-o", output, "--to", "jsonl", "--users", "keep"]
  const topics = ["--taxonomy", write(topicsFile, "topics.tsv"), "--classifier", write(queryPaths(all), "paths.tsv")]
  const args = ["stream", "run", ...common, ...topics, "--k", "3", "--depth", "2", "--checkpoint", "1", "--no-admin"]
  let made = 0
  const grow = () => {
    const more = Array.from({ length: perPiece }, (_, i) => recordOf(made + i))
    made += perPiece
    appendFileSync(input, linesOf(more))
  }
  writeFileSync(input, "")
  grow()
  const seen: string[] = []
  let lives = 0
  for (let kill = 0; kill < kills; kill++) {
    const before = sizeOf(output)
    for (let i = 0; i < 5; i++) grow()
    const { child, ended } = startCli([...args, "--follow", "--workers", "1", "--quiet"])
    // One in five is killed while it starts, the others some moments after they released something.
    if (kill % 5 !== 0) while (sizeOf(output) <= before && child.exitCode === null) await wait(2)
    for (let i = 0; i < 5; i++) {
      await wait(random.below(kill % 5 === 0 ? 100 : 20))
      grow()
    }
    child.kill("SIGKILL")
    const { code, stderr } = await ended
    expect({ code, stderr }).toEqual({ code: null, stderr: "" })
    if (sizeOf(output) > before) lives++
    seen.push(existsSync(output) ? readFileSync(output, "utf8") : "")
  }
  const last = await runCli([...args, "--json"])
  expect(last.code).toBe(0)
  const summary = JSON.parse(last.stdout)
  const text = readFileSync(output, "utf8")
  const released = releasedOf({ text: () => text })

  // A cell that was dealt again would have changed what had been seen.
  for (const piece of seen) expect(text.startsWith(piece)).toBe(true)
  expect(lives).toBeGreaterThan(kills / 2)
  // Nothing twice, nothing of one's own.
  expect(released.map(({ seq }) => seq)).toEqual(released.map((_, i) => i))
  expect(new Set(released.map(({ query }) => query)).size).toBe(released.length)
  for (const { user, query } of released) expect(recordOf(Number(query.slice(1))).user).not.toBe(user)
  // Nothing lost: every record left, waits or was withheld, once.
  const withheld = Object.values<number>(summary.withheld).reduce((sum, count) => sum + count, 0)
  expect(summary).toMatchObject({ lines: all, taken: all - withheld, released: released.length })
  expect(summary.released + summary.waiting + withheld).toBe(all)
  expect(released.length).toBeGreaterThan(all / 2)
}, 300_000)
