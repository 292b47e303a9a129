import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { aolText, marker, type Search, timeAfter } from "../support/aol-log.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { busyTown } from "./busy-town.ts"

const { at, fresh, write } = scratchFolder()
const secret: Search = { user: `${marker}-user`, query: `${marker} secret`, time: timeAfter(0) }
const log = write(aolText([...busyTown(), secret]), "log.tsv")
const spend = ["--epsilon", "30", "--delta", "1e-6"]
const anonymize = (out: string, ...flags: string[]) => runCli(["anonymize", "counts", log, "-o", out, ...flags])
const manifestOf = (out: string) => JSON.parse(readFileSync(join(out, "release.json"), "utf8"))

describe("anonymize counts", () => {
  test("releases three tables without users that verify, and that the audit does not refute", async () => {
    const out = fresh("out")
    const { code, stdout, stderr } = await anonymize(out, ...spend)
    expect(code).toBe(0)
    expect(stdout).toContain("Differential privacy for one user")
    expect(stderr).toContain("adds its ε and δ to those before it")
    expect(stdout + stderr).not.toContain(marker)
    expect(readFileSync(join(out, "queries.tsv"), "utf8")).toMatch(/^query\tcount\ntopic 0\t[0-9]+\n/)
    expect(readFileSync(join(out, "clicks.tsv"), "utf8")).toMatch(
      /^query\turl\tcount\ntopic 0\thttp:\/\/topic0\.example\t[0-9]+\n/,
    )
    expect(readFileSync(join(out, "transitions.tsv"), "utf8")).toMatch(
      /^query\tnext\tcount\ntopic 0\ttopic 0 cheap\t[0-9]+\n/,
    )
    expect(await runCli(["verify", out, "--against", log])).toMatchObject({ code: 0 })
    const attacked = await runCli(["attack", out, "--against", log, "--only", "dp-audit", "--trials", "20", "--json"])
    expect(attacked.code).toBe(0)
    const [{ scores }] = JSON.parse(attacked.stdout).outcomes
    for (const { value, baseline } of scores) expect(value).toBeLessThanOrEqual(baseline)
  })

  test("is reported on one page, with what was audited", async () => {
    const out = fresh("out")
    await anonymize(out, ...spend, "--split", "1,0,0", "--max-queries", "1")
    expect((await runCli(["report", out, "--against", log])).code).toBe(3) // 60 counts are too few to judge their noise
    const page = readFileSync(`${out}.report.html`, "utf8")
    expect(page).toContain("Differential privacy for one user")
    expect(page).toContain("dp-audit/queries/shift")
    expect(page).toContain("queries.tsv: query, count")
    expect(page).not.toContain(marker)
  })

  test.each([
    [["--delta", "1e-6"], "--epsilon is missing"],
    [[...spend, "--budget", "5"], "--budget is for --ledger"],
    [[...spend, "--users", "keep"], "unknown option '--users'"],
  ])("refuses %j", async (flags, why) => {
    const { code, stderr } = await anonymize(at("never"), ...flags)
    expect(code).toBe(2)
    expect(stderr).toContain(why)
  })

  test("warns of a δ that is too large for the number of users", async () => {
    const { stderr } = await anonymize(fresh("out"), "--epsilon", "30", "--delta", "0.01")
    expect(stderr).toContain("δ = 0.01 is large for 1201 users")
  })

  test("keeps the exact numbers of a decimal ε in its ledger, and what each table gets of it", async () => {
    const out = fresh("out")
    await anonymize(out, "--epsilon", "0.3", "--delta", "3e-7", "--split", "1,1,1")
    const { guarantee } = manifestOf(out)
    expect(guarantee).toMatchObject({ model: "dp", unit: "user", epsilon: "3/10", delta: "3/10000000" })
    expect(
      guarantee.mechanisms.map(({ epsilon, delta, scale }: Record<string, string>) => [epsilon, delta, scale]),
    ).toEqual(Array.from({ length: 3 }, () => ["1/10", "1/10000000", "100"]))
  })

  test("with --mode pure and a public list shows nothing that is not in the list, and δ is 0", async () => {
    const out = fresh("out")
    const pool = write("Topic 1\ntopic 1 cheap\nnobody searched this\n", "pool.txt")
    const urls = write("http://topic1.example\nhttp://elsewhere.example\n", "urls.txt")
    const flags = ["--mode", "pure", "--epsilon", "30", "--pool", pool, "--pool-urls", urls]
    expect(await anonymize(out, ...flags)).toMatchObject({ code: 0 })
    const { guarantee, parameters } = manifestOf(out)
    expect(guarantee).toMatchObject({ delta: "0", pool: expect.stringMatching(/^sha256:/) })
    expect(parameters).not.toHaveProperty("pool")
    const keys = (name: string) =>
      readFileSync(join(out, name), "utf8")
        .split("\n")
        .slice(1, -1)
        .map((line) => line.split("\t").slice(0, -1).join(" → "))
    expect(["topic 1", "topic 1 cheap", "nobody searched this"]).toEqual(expect.arrayContaining(keys("queries.tsv")))
    expect(keys("queries.tsv")).toEqual(expect.arrayContaining(["topic 1", "topic 1 cheap"]))
    expect(keys("clicks.tsv")).toContain("topic 1 → http://topic1.example")
    expect(keys("transitions.tsv")).toContain("topic 1 → topic 1 cheap")
    expect((await runCli(["verify", out, "--against", log])).code).toBe(3) // too few counts to judge their noise
  })

  test("with --preset paper needs no other option, and says which q_f and c_f it took", async () => {
    const out = fresh("out")
    const { code, stderr } = await anonymize(out, "--preset", "paper", "--cutoff", "50")
    expect(code).toBe(0)
    expect(stderr).toContain("(q_f and c_f). Here they are 100 and 100")
    const { guarantee, parameters } = manifestOf(out)
    expect(guarantee).toMatchObject({ mode: "paper", epsilon: "299/10", delta: "1" })
    expect(parameters).toMatchObject({ noiseScale: "10", firstQueries: 100, firstClicks: 100, repeats: "keep" })
  })

  test("with --mode korolova releases queries with noise of their own, and verifies", async () => {
    const out = fresh("out")
    const { code, stdout } = await anonymize(out, "--mode", "korolova", ...spend)
    expect(code).toBe(0)
    expect(stdout).toContain("Differential privacy for one user")
    const { guarantee, files } = manifestOf(out)
    expect(guarantee.mechanisms).toMatchObject([{ table: "queries", l1: 10, epsilon: "30", scale: "2/3" }])
    expect(guarantee.mechanisms[0].selection).toMatchObject({ scale: "2/3" })
    expect(files).toHaveLength(1)
    expect(await runCli(["verify", out, "--against", log])).toMatchObject({ code: 0 })
  })

  test("makes a pool of public text, and warns of one that has what single users searched for", async () => {
    const out = fresh("out")
    const text = write("Topic 1 cheap, and topic 2\n".repeat(3), "titles.txt")
    const flags = ["--mode", "pure", "--epsilon", "30", "--pool", text, "--pool-ngrams", "3", "--split", "1,0,0"]
    const { code, stderr } = await anonymize(out, ...flags, "--pool-min-frequency", "3")
    expect(code).toBe(0)
    expect(stderr).not.toContain("made from this log")
    const shown = readFileSync(join(out, "queries.tsv"), "utf8")
    for (const query of ["topic 1", "topic 1 cheap", "topic 2"]) expect(shown).toContain(`\n${query}\t`)
    expect(manifestOf(out).parameters).toMatchObject({ poolNgrams: 3, poolMinFrequency: 3, poolFrequencies: "ignore" })
    const singles = Array.from({ length: 30 }, (_, i) => ({ user: `${i}`, query: `own ${i}`, time: timeAfter(i) }))
    const own = write(aolText(singles), "singles.tsv")
    const stolen = write(singles.map(({ query }) => query).join("\n"), "stolen.txt")
    const caught = await runCli([
      "anonymize",
      "counts",
      own,
      "-o",
      fresh("out"),
      ...flags.slice(0, 4),
      "--pool",
      stolen,
    ])
    expect(caught.stderr).toContain("The pool has 100 % of the queries that only one user searched for")
  })

  test("with --mode paper says that nothing is proved, and does not verify", async () => {
    const out = fresh("out")
    const { stderr, stdout } = await anonymize(
      out,
      "--preset",
      "paper",
      "--first-queries",
      "20",
      "--first-clicks",
      "20",
      "--cutoff",
      "50",
    )
    expect(stderr).toContain("proves no differential privacy")
    expect(stdout).toContain("δ = 1")
    expect(manifestOf(out).guarantee).toMatchObject({ mode: "paper", epsilon: "59/10", delta: "1" })
    expect(await runCli(["verify", out, "--against", log])).toMatchObject({ code: 1 })
  })
})

describe("plan counts", () => {
  test("shows thresholds and what would survive, and suggests options marked as chosen on the log", async () => {
    const { code, stdout } = await runCli(["plan", "counts", log, ...spend, "--json"])
    expect(code).toBe(0)
    expect(stdout).not.toContain(marker)
    const { table, suggested } = JSON.parse(stdout)
    expect(table.rows).toHaveLength(21)
    const [l0, name, threshold, keys] = table.rows.find((row: unknown[]) => row[0] === 10 && row[1] === "queries")
    expect([l0, name]).toEqual([10, "queries"])
    const out = fresh("out")
    const flags = ["--max-queries", "10", "--chosen-on-data"]
    await anonymize(out, ...spend, ...flags)
    const { guarantee, files } = manifestOf(out)
    expect(guarantee.mechanisms[0].threshold).toBe(threshold)
    expect(guarantee.parametersChosenOnData).toBe(true)
    expect(Math.abs(files[0].rows - keys)).toBeLessThanOrEqual(6) // 120 queries, almost certain to be shown
    // Of the settings that show as much, the one with the fewest keys per user, which needs the least noise.
    const shares = table.rows.filter((row: unknown[]) => row[1] === "queries").map((row: unknown[]) => Number(row[4]))
    const best = [1, 2, 5, 10, 20, 50, 100][shares.indexOf(Math.max(...shares))]
    expect(suggested).toMatchObject({ chosenOnData: true, maxQueries: best })
  })

  const topics = write(
    Array.from({ length: 400 }, (_, i) => `topic ${i}\ttopic ${i} cheap`.replace("\t", "\n")).join("\n"),
  )
  const urls = write(Array.from({ length: 50 }, (_, i) => `http://topic${i}.example`).join("\n"))
  test.each<[string, string[]]>([
    ["public keys", ["--mode", "pure", "--epsilon", "9", "--pool", topics, "--pool-urls", urls]],
    ["keys of a pool besides those of the log", ["--epsilon", "6", "--delta", "1e-6", "--pool", topics]],
    [
      "the mechanism of Korolova et al.",
      ["--mode", "korolova", "--epsilon", "9", "--delta", "1e-6", "--pool-urls", urls],
    ],
    ["the paper's algorithm", ["--preset", "paper", "--pool", topics]],
  ])("predicts for %s what releases then have", async (_what, flags) => {
    const planned = await runCli(["plan", "counts", log, ...flags, "--json"])
    expect([planned.code, planned.stderr]).toEqual([0, ""])
    const { table, suggested } = JSON.parse(planned.stdout)
    const [value] = Object.values(suggested)
    const chosen = Object.entries(suggested).flatMap(([key, one]) => {
      const flag = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
      return one === true ? [flag] : [flag, String(one)]
    })
    const out = fresh("out")
    expect(await anonymize(out, ...flags, ...chosen)).toMatchObject({ code: 0 })
    for (const { path, rows } of manifestOf(out).files) {
      const expected = table.rows.find((row: unknown[]) => row[0] === value && path.startsWith(`${row[1]}.`))
      // A sum of coin flips, with a standard deviation of at most √n. Those of the pairs depend on each other. False
      // alarm < 10⁻⁶.
      expect(Math.abs(rows - expected[3])).toBeLessThanOrEqual(8 + 8 * Math.sqrt(expected[3]))
    }
  })
})
