import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { expect } from "vitest"
import { seededRandom } from "#dist/kernels/random.js"
import { linesOf, queryPaths, releasedOf, topicsFile } from "../stream/live-run.ts"
import { runCli, startCli } from "../support/run-cli.ts"

const perPiece = 40

/** The user and query of each record. Each query has one user, so a release shows whose it was. */
const recordOf = (i: number) => ({ user: `user-${(i * 7) % 60}`, query: `w${i}` })

export const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : 0)

/**
 * Kills a stream this many times while its input grows, then lets it end. Expects that no search was lost, released
 * twice or released under its own user, and that no byte of the output changed after it was written.
 */
export async function killStream(folder: string, kills: number): Promise<void> {
  const all = perPiece * (1 + kills * 10)
  const random = seededRandom(20_261_115)
  mkdirSync(folder)
  const at = (name: string) => join(folder, name)
  const [input, output, taxonomy, paths] = [at("in.jsonl"), at("out.jsonl"), at("topics.tsv"), at("paths.tsv")]
  writeFileSync(taxonomy, topicsFile)
  writeFileSync(paths, queryPaths(all))
  const common = ["--store", at("store"), "--input", input, "-o", output, "--to", "jsonl", "--users", "keep"]
  const topics = ["--taxonomy", taxonomy, "--classifier", paths]
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
    // One in five is killed while it starts, the others a moment after they released something.
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

  // If a cell had been dealt again, the output seen before would have changed.
  for (const piece of seen) expect(text.startsWith(piece)).toBe(true)
  expect(lives).toBeGreaterThan(kills / 2)
  // Nothing is released twice, and nothing under its own user.
  expect(released.map(({ seq }) => seq)).toEqual(released.map((_, i) => i))
  expect(new Set(released.map(({ query }) => query)).size).toBe(released.length)
  for (const { user, query } of released) expect(recordOf(Number(query.slice(1))).user).not.toBe(user)
  // Nothing is lost: every record left, waits or was withheld, exactly once.
  const withheld = Object.values<number>(summary.withheld).reduce((sum, count) => sum + count, 0)
  expect(summary).toMatchObject({ lines: all, taken: all - withheld, released: released.length })
  expect(summary.released + summary.waiting + withheld).toBe(all)
  expect(released.length).toBeGreaterThan(all / 2)
}
