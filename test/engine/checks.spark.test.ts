import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { writeSynth } from "#dist/release/write-synth.js"
import { runStatement } from "#dist/release/writers/duckdb.js"
import { type SparkCluster, whyNoSpark } from "../../servers/spark-cluster.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { sharedSpark } from "../support/shared-spark.ts"

const { at, fresh } = scratchFolder()

describe.skipIf(whyNoSpark() !== undefined)("a release of a cluster, on the command line", () => {
  let spark: SparkCluster
  const log = at("log.tsv")
  beforeAll(async () => {
    spark = await sharedSpark()
    await writeSynth(log, { rows: 4000, users: 120, seed: 9 })
  })

  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCli([...words, "--engine", spark.address, "--json"])
    return { code, stderr, ...(stdout === "" ? {} : { answer: JSON.parse(stdout) }) }
  }
  const releaseBy = async (...words: string[]) => {
    const [folder, audit] = [fresh("release"), fresh("audit")]
    const { code, stderr } = await run("anonymize", ...words, "-o", folder, "--audit", audit)
    expect({ code, stderr }).toMatchObject({ code: 0 })
    return { folder, audit }
  }

  test("is verified, attacked, measured and reported against the log of the cluster", async () => {
    const { folder, audit } = await releaseBy("equality", log, "-k", "3")
    const against = [folder, "--against", log, "--audit", audit]
    const verified = await run("verify", ...against)
    const states = Object.fromEntries(
      verified.answer.checks.map(({ name, state }: { name: string; state: string }) => [name, state]),
    )
    expect(states).toMatchObject({ "users-original": "passed", rows: "passed", clicks: "passed", urls: "passed" })
    const attacked = await run("attack", ...against, "--only", "known-query,profile")
    expect(attacked.answer.outcomes.length).toBeGreaterThan(0)
    // The log is the one of the receipt, so the verdict is about this release.
    expect(JSON.stringify(attacked.answer.verdicts)).not.toContain("another log")
    const measured = await run("measure", ...against, "--only", "events-kept")
    expect(measured.answer.outcomes[0]?.scores?.[0]?.value).toBeGreaterThan(0)
    const reported = await run("report", ...against)
    expect(reported.answer).toMatchObject({ original: "same" })
    expect(existsSync(reported.answer.page)).toBe(true)
  })

  test.each([["wordnet"], ["affinity"]])("of %s is verified with the rows of the cluster", async (method) => {
    const { folder, audit } = await releaseBy(method, log, "-k", method === "wordnet" ? "20" : "4")
    const { answer } = await run("verify", folder, "--against", log, "--audit", audit)
    const states = answer.checks.map(({ name, state }: { name: string; state: string }) => `${name}: ${state}`)
    expect(states.filter((line: string) => !line.endsWith("passed") && !line.endsWith("not promised"))).toEqual([])
  })

  test("is not read from files with different headers, because users could be taken for queries", async () => {
    const folder = `${fresh("files")}.csv`
    mkdirSync(folder)
    const rows = Array.from({ length: 40 }, (_, i) => `u${i},weather,2006-03-01 00:00:${String(i).padStart(2, "0")}`)
    writeFileSync(join(folder, "1.csv"), ["user,query,time", ...rows, ""].join("\n"))
    writeFileSync(join(folder, "2.csv"), ["query,user,time", "weather,u1,2006-03-01 00:00:00", ""].join("\n"))
    const mixed = fresh("mixed")
    const refused = await run("anonymize", "equality", folder, "-k", "2", "-o", mixed)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain("1 of 2 files do not have the header of the first")
    expect(existsSync(mixed)).toBe(false)
    writeFileSync(join(folder, "2.csv"), ["user,query,time", "u1,weather,2006-03-01 00:01:00", ""].join("\n"))
    const { answer } = await run("anonymize", "equality", folder, "-k", "2", "-o", mixed)
    expect(answer.receipt.input).toMatchObject({ rows: 41, lines: 43, rejected: {} })
  })

  test("is not read from the files of a table that keeps deleted rows", async () => {
    const folder = fresh("lake")
    mkdirSync(join(folder, "_delta_log"), { recursive: true })
    writeFileSync(join(folder, "_delta_log", "00000000000000000000.json"), "{}\n")
    const path = join(folder, "part-0.parquet")
    const options = { path, signal: new AbortController().signal }
    const select = "SELECT 'u' || i AS user, 'weather' AS query, '2006-03-01 00:00:00' AS time FROM range(20) t(i)"
    await runStatement(`COPY (${select}) TO '${path}' (FORMAT parquet)`, options)
    const refused = await run("anonymize", "equality", folder, "-k", "2", "-o", fresh())
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain("table of Delta")
  })

  test("reads fractions as one machine does, and doubts a column of users with one value a row", async () => {
    const path = `${fresh("doubles")}.parquet`
    const options = { path, signal: new AbortController().signal }
    const cells = "(20000000 + i)::DOUBLE AS user, 'weather' AS query, (1141171200 + i)::DOUBLE AS time"
    await runStatement(`COPY (SELECT ${cells} FROM range(20) t(i)) TO '${path}' (FORMAT parquet)`, options)
    const open = ["-k", "2", "--users", "keep", "--time", "exact"]
    const { answer, stderr } = await run("anonymize", "equality", path, ...open, "-o", fresh())
    expect(answer.receipt.input).toMatchObject({ rows: 20, rejected: {} })
    expect(stderr).toContain("Each of the 20 searches has its own user")
    const here = await runCli(["anonymize", "equality", path, ...open, "-o", fresh(), "--json"])
    const [there, local] = [answer, JSON.parse(here.stdout)].map(({ manifest }) => manifest.files[0])
    expect(there.rows).toBe(local.rows)
  })

  test("is not made from a log without the column of queries, and says which columns there are", async () => {
    const path = `${fresh("wrong")}.parquet`
    const options = { path, signal: new AbortController().signal }
    await runStatement(`COPY (SELECT 1 AS user, 'geheim' AS blob, 3 AS n) TO '${path}' (FORMAT parquet)`, options)
    const refused = await run("anonymize", "equality", path, "-k", "2", "-o", fresh())
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain("blob")
    expect(refused.stderr).not.toContain("geheim")
  })
})
