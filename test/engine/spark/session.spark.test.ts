import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { openSparkSession } from "#dist/engine/spark/open-session.js"
import type { SparkSession } from "#dist/engine/spark/session.js"
import { createContext } from "#dist/kernels/context.js"
import { type SparkCluster, whyNoSpark } from "../../../servers/spark-cluster.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { sharedSpark } from "../../support/shared-spark.ts"
import { readAll, runningJobs } from "../../support/spark-answers.ts"

const reason = whyNoSpark()
const { fresh } = scratchFolder()
const stage = "testing"

describe.skipIf(reason !== undefined)(`a session on Spark${reason === undefined ? "" : `: ${reason}`}`, () => {
  let cluster: SparkCluster
  let session: SparkSession
  const stages = new Set<string>()
  beforeAll(async () => {
    vi.stubEnv("XDG_STATE_HOME", fresh("state"))
    cluster = await sharedSpark()
    session = await openSparkSession(
      cluster.address,
      createContext({ report: (progress) => stages.add(progress.stage) }),
    )
  })
  afterAll(async () => {
    await session?.close()
    vi.unstubAllEnvs()
  })

  test("keeps every value as it is, on the way to the cluster and back", async () => {
    const texts = ["a", "tab\tnewline\nquote\"'`\\", "😀 é \u0000\u0001", "", null, "x".repeat(2 << 20)]
    const bytes = texts.map((_, i) => (i === 4 ? null : Uint8Array.of(255, 254, i)))
    await session.createView("sent", {
      text: { type: "string", values: texts },
      long: { type: "bigint", values: [0, -1, 2 ** 53 - 1, null, 4, 5] },
      int: { type: "int", values: [0, -1, 2 ** 31 - 1, null, 4, 5] },
      double: { type: "double", values: [0.1, -1e300, 3, null, 4, 5] },
      yes: { type: "boolean", values: [true, false, true, null, true, false] },
      bytes: { type: "binary", values: bytes },
    })
    const rows = await readAll(session, "SELECT * FROM sent ORDER BY int NULLS FIRST")
    const order = [3, 1, 0, 4, 5, 2]
    expect(rows.map(([text]) => text)).toEqual(order.map((i) => texts[i]))
    expect(rows.map(([, long]) => long)).toEqual([null, -1, 0, 4, 5, 2 ** 53 - 1])
    expect(rows.map(([, , , double]) => double)).toEqual([null, -1e300, 0.1, 4, 5, 3])
    expect(rows.map(([, , , , yes]) => yes)).toEqual([null, false, true, true, false, true])
    expect(rows.map(([, , , , , value]) => value)).toEqual(order.map((i) => bytes[i]))
  })

  test("takes views of no rows, and views that are larger than a message", async () => {
    await session.createView("nothing", { text: { type: "string", values: [] }, n: { type: "int", values: [] } })
    expect(await readAll(session, "SELECT text, n FROM nothing")).toEqual([])
    const values = Array.from({ length: 300 }, (_, i) => `${i} ${"x".repeat(1 << 16)}`)
    await session.createView("large", { text: { type: "string", values } })
    const [counts] = await readAll(session, "SELECT count(DISTINCT text), sum(length(text)) FROM large")
    expect(counts).toEqual([300, values.join("").length])
  })

  test("gives whole numbers that are exact, or an error", async () => {
    expect(await readAll(session, "SELECT 9007199254740991L")).toEqual([[2 ** 53 - 1]])
    await expect(readAll(session, "SELECT 9007199254740993L AS n")).rejects.toThrow("beyond 2^53")
  })

  test("reports progress by stage", () => {
    expect([...stages]).toEqual(expect.arrayContaining(["checking the cluster"]))
  })

  test("names the error of a wrong column, and quotes nothing", async () => {
    const wrong = readAll(session, "SELECT secret_column FROM sent")
    await expect(wrong).rejects.toMatchObject({ code: "spark-failed" })
    const error = await wrong.catch((thrown) => thrown)
    expect(error.message).toContain("UNRESOLVED_COLUMN")
    expect(JSON.stringify(error) + error.message + error.stack).not.toContain("secret_column")
  })

  test("fails with a kernel that dies at the data, and quotes nothing of what it said", async () => {
    await session.createView("texts", { text: { type: "string", values: ["secret words"] } })
    const sql = "SELECT TRANSFORM (text) USING 'cat >&2; exit 3' AS (line STRING) FROM texts"
    const error = await readAll(session, sql).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: "spark-failed" })
    expect(JSON.stringify(error) + error.message + error.stack).not.toContain("secret")
  })

  test("survives an executor that is killed in the middle of a query", async () => {
    const controller = new AbortController()
    const sql = "SELECT count_if(sha2(CAST(id AS STRING), 256) LIKE '0%') FROM range(0, 8000000, 1, 16)"
    const whole = await readAll(session, sql)
    let killed = false
    const context = createContext({
      report({ done }) {
        if (done > 0 && !killed) killed = cluster.killExecutor(0)
      },
    })
    const other = await openSparkSession(cluster.address, context)
    killed = false // the check of the cluster may have had the first one
    try {
      const rows = []
      for await (const { columns } of other.query(sql, { stage, signal: controller.signal })) rows.push(columns[0]?.[0])
      expect([rows]).toEqual(whole)
      expect(killed).toBe(true)
    } finally {
      await other.close()
    }
  })

  test("cancels the jobs on the cluster when the run is interrupted", async () => {
    const controller = new AbortController()
    const sql = "SELECT count_if(sha2(CAST(id AS STRING), 512) LIKE 'ffff%') FROM range(0, 100000000000, 1, 64)"
    const endless = readAll(session, sql, controller.signal)
    endless.catch(() => {})
    await vi.waitUntil(async () => (await runningJobs(cluster)) > 0, { interval: 200, timeout: 600_000 })
    controller.abort()
    await expect(endless).rejects.toMatchObject({ code: "interrupted" })
    await vi.waitUntil(async () => (await runningJobs(cluster)) === 0, { interval: 200, timeout: 600_000 })
  })

  test("keeps temporary tables private, and drops them at its end", async () => {
    const own = await openSparkSession(cluster.address, createContext())
    const [kept, dropped] = [await own.temporaryTable(), await own.temporaryTable()]
    for (const name of [kept, dropped]) await own.run(`CREATE TABLE ${name} USING parquet AS SELECT 1 AS n`, { stage })
    const made = join(cluster.folders.warehouse, kept)
    expect(statSync(made).mode & 0o077).toBe(0)
    for (const file of readdirSync(made)) expect(statSync(join(made, file)).mode & 0o077).toBe(0)
    await own.dropTable(dropped)
    expect(readdirSync(cluster.folders.warehouse)).toEqual([kept])
    await own.close()
    expect(readdirSync(cluster.folders.warehouse)).toEqual([])
  })

  test("is refused where workers lack queryveil, or have another version", async () => {
    try {
      await cluster.setCommand("exit 127")
      await expect(openSparkSession(cluster.address, createContext())).rejects.toMatchObject({
        code: "spark-refused",
        message: expect.stringContaining("no queryveil on its PATH"),
      })
      await cluster.setCommand("echo 0.0.1")
      await expect(openSparkSession(cluster.address, createContext())).rejects.toMatchObject({
        code: "spark-refused",
        message: expect.stringContaining("another version"),
      })
    } finally {
      await cluster.setCommand()
    }
  })
})
