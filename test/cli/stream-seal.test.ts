import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import { aolText, type Search } from "../support/aol-log.ts"
import { expectRefused } from "../support/expect-refused.ts"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { classifierText, taxonomyText, townSearches } from "../swap/town.ts"

const { fresh, write } = scratchFolder()
const searches = townSearches({ users: 80, each: 40 })
const taxonomy = write(taxonomyText, "topics.tsv")
const topics = ["--taxonomy", taxonomy, "--classifier", write(classifierText(searches), "queries.tsv")]
const log = write(aolText(searches), "log.tsv")

interface Run {
  store: string
  output: string
  audit: string
}

const newRun = (): Run => ({ store: fresh("store"), output: fresh("out"), audit: fresh("audit") })

const runWords = ({ store, output, audit }: Run, more: readonly string[] = []) => {
  const places = ["--store", store, "-o", output, ...(audit === "" ? [] : ["--audit", audit])]
  return ["stream", "run", ...topics, "--depth", "2", "--workers", "1", "--no-admin", ...places, ...more]
}

async function runStream(run: Run, more: readonly string[] = ["--input", log, "--k", "3"]) {
  const { code, stdout, stderr } = await runCli([...runWords(run, more), "--json"])
  expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" })
  return JSON.parse(stdout)
}

async function seal(run: Run, more: readonly string[] = [], against = log) {
  const [release, audit] = [fresh("release"), fresh("sealed-audit")]
  const places = [run.output, "--audit", run.audit, "--against", against, "-o", release, "--audit-out", audit]
  const result = await runCli(["stream", "seal", ...places, ...topics, ...more, "--json"])
  return { release, audit, result, told: () => JSON.parse(result.stdout) }
}

async function verify({ release, audit }: { release: string; audit: string }, against = log) {
  const { stdout } = await runCli(["verify", release, "--against", against, "--audit", audit, "--json"])
  const { checks }: { checks: { name: string; state: string }[] } = JSON.parse(stdout)
  return checks.filter(({ state }) => state === "failed").map(({ name }) => name)
}

const copies = (some: readonly Search[]) => aolText(some).split("\n").slice(1).join("\n")

describe("stream seal", () => {
  test("keeps the category that a stream showed, and refuses one that was changed", async () => {
    const run = newRun()
    await runStream(run, ["--input", log, "--k", "3", "--category"])
    const sealed = await seal(run)
    expect(readFileSync(join(sealed.release, "log.tsv"), "utf8").split("\n")[0]).toMatch(/\tCategory$/)
    expect(await verify(sealed)).toEqual([])
    const lines = readFileSync(run.output, "utf8").split("\n")
    const [first = ""] = lines.slice(1)
    const [other = ""] = lines.slice(1).filter((line) => line.split("\t").at(-1) !== first.split("\t").at(-1))
    const forged = [...first.split("\t").slice(0, -1), other.split("\t").at(-1)].join("\t")
    writeFileSync(run.output, lines.with(1, forged).join("\n"))
    const { result } = await seal(run)
    expectRefused(result, { code: 1, message: /does not match the audit/ })
  })

  test("makes a release of what a stream wrote, which verify, attack and measure take", async () => {
    const run = newRun()
    const summary = await runStream(run)
    expect(summary.released).toBeGreaterThan(500)
    expect(summary.delay.records.mean).toBeGreaterThan(0)
    expect(JSON.parse(readFileSync(`${run.output}.manifest.json`, "utf8"))).toMatchObject({
      method: "swap",
      parameters: { k: 3, users: "cell" },
      promised: true,
      released: summary.released,
    })
    const sealed = await seal(run)
    expect(sealed.result.code).toBe(0)
    expect(sealed.told()).toMatchObject({ released: summary.released, covered: summary.released })
    expect(sealed.told().manifest.guarantee).toMatchObject({ model: "swap", promised: true, names: "cell" })
    for (const [path, mode] of [
      [run.audit, 0o700],
      [join(run.audit, "stream-audit.json"), 0o600],
      [sealed.audit, 0o700],
    ] as const)
      expect(statSync(path).mode & 0o777).toBe(mode)
    expect(await verify(sealed)).toEqual([])
    const rows = (text: string) => text.trimEnd().split("\n").slice(1).sort()
    const data = readFileSync(join(sealed.release, "log.tsv"), "utf8")
    expect(rows(data)).toEqual(rows(readFileSync(run.output, "utf8")))
    const both = [sealed.release, "--against", log, "--audit", sealed.audit, "--json"]
    const attacked = await runCli(["attack", ...both, "--only", "linkage"])
    expect(attacked.code).toBe(0)
    expect((await runCli(["measure", ...both, "--only", "events-kept"])).code).toBe(0)
  })

  test("an alteration is found: in the output, in the release and in the audit", async () => {
    const run = newRun()
    await runStream(run)
    const sealed = await seal(run)
    const trail = join(sealed.audit, "trail.tsv")
    const text = readFileSync(trail, "utf8")
    const lines = text.split("\n")
    // The trail claims that the user behind the first row is the one of the last row.
    const [first = [], ending = []] = [lines[1], lines.at(-2)].map((line) => line?.split("\t"))
    writeFileSync(trail, text.replace(lines[1] ?? "", [first[0], first[1], ending[2], first[3], first[4]].join("\t")))
    expect(await verify(sealed)).not.toEqual([])
    writeFileSync(trail, text)
    expect(await verify(sealed)).toEqual([])
    const output = readFileSync(run.output, "utf8")
    const [header = "", one = "", ...rest] = output.split("\n")
    const query = (line: string) => line.split("\t")[1] ?? ""
    const other = rest.find((line) => query(line) !== query(one)) ?? ""
    writeFileSync(run.output, [header, one.replace(query(one), query(other)), ...rest].join("\n"))
    const again = await seal(run)
    expectRefused(again.result, { code: 1, message: /release 0 does not match the audit/ })
    expect(existsSync(again.release)).toBe(false)
    // A name used in two cells.
    const name = (line: string) => line.split("\t")[0] ?? ""
    const last = rest.findLast((line) => line !== "") ?? ""
    writeFileSync(run.output, [header, one.replace(name(one), name(last)), ...rest].join("\n"))
    const forged = await seal(run)
    expect(forged.result.code).toBe(0)
    expect(await verify(forged)).not.toEqual([])
  })

  test("killed again and again, the audit agrees with the output", async () => {
    const run = newRun()
    const growing = write(aolText(searches.slice(0, 100)), "growing.tsv")
    const words = ["--input", growing, "--k", "3", "--checkpoint", "1"]
    const kills = 4
    const sizeOf = (path: string) => (existsSync(path) ? statSync(path).size : 0)
    const step = Math.ceil((searches.length - 100) / kills)
    for (let kill = 0, at = 100; kill < kills; kill++, at += step) {
      const before = sizeOf(run.output)
      const { child, ended } = startCli(runWords(run, [...words, "--follow", "--quiet"]))
      appendFileSync(growing, copies(searches.slice(at, at + step)))
      while (sizeOf(run.output) <= before && child.exitCode === null) await wait(5)
      await wait(400 * kill) // some before, some after a checkpoint
      child.kill("SIGKILL")
      await ended
    }
    const summary = await runStream(run, words)
    expect(summary.taken).toBeGreaterThan(1000)
    const sealed = await seal(run)
    expect(sealed.told()).toMatchObject({ released: summary.released, covered: summary.released })
    expect(await verify(sealed)).toEqual([])
  })

  test("periods are whole cells, under one k", async () => {
    const run = newRun()
    const half = write(aolText(searches.slice(0, searches.length / 2)), "half.tsv")
    await runStream(run, ["--input", half, "--k", "3"])
    const before = readFileSync(run.output, "utf8").trimEnd().split("\n").length - 1
    writeFileSync(half, aolText(searches))
    const summary = await runStream(run, ["--input", half, "--k", "5"])
    const { result } = await seal(run)
    expectRefused(result, { code: 2, message: new RegExp(`--k changed within the period, at release ${before}`) })
    const parts = [await seal(run, ["--to", String(before)]), await seal(run, ["--from", String(before)])]
    expect(parts.map(({ told }) => told().manifest.parameters.k)).toEqual([3, 5])
    expect(parts.map(({ told }) => told().sealed).reduce((a, b) => a + b)).toBe(summary.released)
    for (const part of parts) expect(await verify(part)).toEqual([])
    expectRefused((await seal(run, ["--to", "1"])).result, { code: 2, message: /ends within a cell/ })
  })

  test("releases of a run without the audit are not covered; what waited then is covered later", async () => {
    const run = newRun()
    const growing = write(aolText(searches.slice(0, 900)), "gap.tsv")
    const words = ["--input", growing, "--k", "3"]
    await runStream(run, words)
    writeFileSync(growing, aolText(searches.slice(0, 1800)))
    await runStream({ ...run, audit: "" }, words)
    writeFileSync(growing, aolText(searches))
    const summary = await runStream(run, words)
    const sealed = await seal(run)
    expect(sealed.told().covered).toBeLessThan(summary.released)
    expect(sealed.told().covered).toBeGreaterThan(0)
    expect(await verify(sealed)).toEqual([])
  })

  test("a stream without a log has one written, and is sealed against it", async () => {
    const run = newRun()
    await runStream(run)
    const rebuilt = fresh("searches.tsv")
    expect((await runCli(["stream", "searches", "--audit", run.audit, "-o", rebuilt, "--json"])).code).toBe(0)
    expect(statSync(rebuilt).mode & 0o777).toBe(0o600)
    const sealed = await seal(run, [], rebuilt)
    expect(await verify(sealed, rebuilt)).toEqual([])
  })

  test("refuses the audit of another store, and a log that the stream did not read", async () => {
    const [run, other] = [newRun(), newRun()]
    await runStream(run)
    const wrong = await runCli(runWords({ ...other, audit: run.audit }, ["--input", log, "--k", "3"]))
    expectRefused(wrong, { code: 1, message: /is the audit of another store/ })
    const short = write(aolText(searches.slice(0, 200)), "short.tsv")
    expectRefused((await seal(run, [], short)).result, { code: 1, message: /that the log does not have/ })
    rmSync(run.audit, { recursive: true })
    expectRefused((await seal(run)).result, { code: 1, message: /not an audit of a stream/ })
  })
})
