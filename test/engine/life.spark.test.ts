import { appendFileSync, existsSync, readdirSync, writeFileSync } from "node:fs"
import { beforeAll, describe, expect, test, vi } from "vitest"
import { releaseAny } from "#dist/app/release.js"
import { verifyRelease } from "#dist/app/verify-release.js"
import { openRemoteLog } from "#dist/engine/open-remote-log.js"
import { createContext, type Progress } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { writeSynth } from "#dist/release/write-synth.js"
import { type SparkCluster, whyNoSpark } from "../../servers/spark-cluster.ts"
import { startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { sharedSpark } from "../support/shared-spark.ts"
import { runningJobs } from "../support/spark-answers.ts"
import { recordsOf, recordsWith } from "../support/spark-records.ts"

const { at, fresh } = scratchFolder()

describe.skipIf(whyNoSpark() !== undefined)("a release on a cluster", () => {
  let spark: SparkCluster
  const log = at("log.tsv")
  beforeAll(async () => {
    spark = await sharedSpark()
    await writeSynth(log, { rows: 4000, users: 120, seed: 21 })
  })

  type Choice = Parameters<typeof releaseAny>[1]
  const releaseFrom = async (
    path: string,
    choice: Choice,
    { folder, context = createContext() }: { folder: string; context?: ReturnType<typeof createContext> },
  ) => {
    const remote = await openRemoteLog(spark.address, path, {}, context)
    try {
      return await releaseAny(remote, choice, { folder, audit: fresh("audit") }, context)
    } finally {
      await remote.close()
    }
  }
  const equality = { method: "equality", k: 3 }
  /** Calls once, when this stage is first reported. */
  const atStage = (name: string, act: () => void) => {
    let acted = false
    return ({ stage }: Progress) => {
      if (stage !== name || acted) return
      acted = true
      act()
    }
  }

  test("survives an executor that is killed while it reads the rows, and one while it selects", async () => {
    const expected = await releaseAny(await readLog(log), equality, { folder: fresh("here") }, createContext())
    let killed = 0
    const kill = () => {
      killed += Number(spark.killExecutor(0) || spark.killExecutor(1))
    }
    const [reading, scrubbing] = [atStage("reading rows", kill), atStage("scrubbing", kill)]
    const report = (progress: Progress) => {
      reading(progress)
      scrubbing(progress)
    }
    const { receipt } = await releaseFrom(log, equality, { folder: fresh("there"), context: createContext({ report }) })
    expect(killed).toBeGreaterThan(0)
    expect(receipt.released).toEqual(expected.receipt.released)
    expect(receipt.withheld).toEqual(expected.receipt.withheld)
  })

  test.each(["reading rows", "scrubbing", "arranging"])("leaves nothing if it is cancelled: %s", async (stage) => {
    const controller = new AbortController()
    const context = createContext({ signal: controller.signal, report: atStage(stage, () => controller.abort()) })
    const folder = fresh("release")
    await expect(releaseFrom(log, equality, { folder, context })).rejects.toMatchObject({ code: "interrupted" })
    expect([existsSync(folder), existsSync(`${folder}.receipt.json`)]).toEqual([false, false])
    expect(readdirSync(spark.folders.warehouse)).toEqual([])
    expect(await runningJobs(spark)).toBe(0)
  })

  test("leaves nothing if its driver is killed, and the next release cleans up", async () => {
    const folder = fresh("release")
    const { child, ended } = startCli([
      "anonymize",
      "equality",
      log,
      "-k",
      "3",
      "-o",
      folder,
      "--engine",
      spark.address,
    ])
    const tables = () => readdirSync(spark.folders.warehouse)
    await vi.waitUntil(() => tables().length > 1, { timeout: 120_000, interval: 100 })
    child.kill("SIGKILL")
    await ended
    expect([existsSync(folder), existsSync(`${folder}.receipt.json`)]).toEqual([false, false])
    const { receipt } = await releaseFrom(log, equality, { folder })
    expect(receipt.released.rows).toBeGreaterThan(0)
    expect(tables()).toEqual([])
  })

  test("is not made from a log that changes after it was opened", async () => {
    const growing = at("growing.tsv")
    await writeSynth(growing, { rows: 500, users: 30, seed: 3 })
    const remote = await openRemoteLog(spark.address, growing)
    const folder = fresh("release")
    try {
      appendFileSync(growing, "u1\tlater\t2006-03-01 00:00:00\t\t\n")
      await expect(releaseAny(remote, equality, { folder }, createContext())).rejects.toMatchObject({
        code: "input-changed",
      })
    } finally {
      await remote.close()
    }
    expect(existsSync(folder)).toBe(false)
  })

  test("shows no query, user, url or key in Spark's pages and logs, by any method", async () => {
    const marks = ["zaubertrankrezept", "hexenmeister", "besenkammer", "7a".repeat(32), "verschontetext"]
    const [query, user, url, dealingKey = "", exempt] = marks
    const path = at("marked.tsv")
    const rows = Array.from({ length: 600 }, (_, i) => {
      const time = new Date(1_141_171_200_000 + i * 61_000).toISOString().slice(0, 19).replace("T", " ")
      const text = [`weather ${query}`, `cheap flights ${query}`, `${exempt} mail me@example.com`][i % 3]
      return `${user}${i % 40}\t${text}\t${time}\t1\thttp://${url}.example`
    })
    writeFileSync(path, ["AnonID\tQuery\tQueryTime\tItemRank\tClickURL", ...rows, ""].join("\n"))
    const scrubExempt = `${exempt} mail me@example.com`
    const choices: Choice[] = [
      { ...equality, scrubExempt },
      { method: "wordnet", k: 3, scrubExempt },
      { method: "affinity", k: 3, scrubExempt },
      { method: "counts", epsilon: "8", delta: "1e-3", bound: "random", maxQueries: 1, scrubExempt },
      { method: "swap", k: 3, depth: "2", dealingKey, scrubExempt },
    ]
    let folder = ""
    for (const choice of choices) {
      folder = fresh(choice.method)
      const { receipt } = await releaseFrom(path, choice, { folder })
      expect(receipt.input.rows).toBe(600)
      if (choice.method === "equality" || choice.method === "counts")
        await verifyRelease(folder, { against: path, engine: spark.address })
    }
    const records = await recordsOf(spark)
    expect(recordsWith(records, "queryveil_tmp_").length).toBeGreaterThan(3)
    for (const mark of marks) expect({ mark, places: recordsWith(records, mark) }).toEqual({ mark, places: [] })
  })
})
