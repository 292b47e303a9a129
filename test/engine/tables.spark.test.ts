import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { beforeAll, describe, expect, test } from "vitest"
import { releaseAny } from "#dist/app/release.js"
import { verifyRelease } from "#dist/app/verify-release.js"
import { openRemoteLog } from "#dist/engine/open-remote-log.js"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import type { OptionValues } from "#dist/release/anonymize.js"
import { openAudit } from "#dist/release/read-audit.js"
import { readRelease } from "#dist/release/read-release.js"
import { writeSynth } from "#dist/release/write-synth.js"
import { runStatement } from "#dist/release/writers/duckdb.js"
import { verify } from "#dist/verify/registry.js"
import { type SparkCluster, whyNoSpark } from "../../servers/spark-cluster.ts"
import { busyTown } from "../counts/busy-town.ts"
import { hostileRecords } from "../support/hostile-records.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { sharedSpark } from "../support/shared-spark.ts"

const { at, fresh } = scratchFolder()

/** The records as a Parquet file. */
async function parquetOf(records: readonly object[]): Promise<string> {
  const folder = fresh("logs")
  mkdirSync(folder)
  const [json, parquet] = [`${folder}/log.jsonl`, `${folder}/log.parquet`]
  writeFileSync(json, records.map((record) => `${JSON.stringify(record)}\n`).join(""))
  const columns = "{user: 'VARCHAR', query: 'VARCHAR', time: 'VARCHAR', rank: 'VARCHAR', url: 'VARCHAR'}"
  const reading = `format = 'newline_delimited', columns = ${columns}, maximum_object_size = 33554432`
  const source = `read_json('${json}', ${reading})`
  const options = { path: parquet, signal: new AbortController().signal }
  await runStatement(`COPY (SELECT * FROM ${source}) TO '${parquet}' (FORMAT parquet)`, options)
  return parquet
}

/** A synthetic log, and the rows of a hostile one. A user's searches of one second are left out but the first. */
async function mixedLog(): Promise<string> {
  const path = fresh("log")
  await writeSynth(path, { rows: 12_000, users: 250, seed: 5 })
  const { log } = await readLog(path)
  const rows = Array.from(log.user, (user, row) => {
    const url = log.url[row] ?? -1
    const time = new Date((log.time[row] ?? 0) * 1000).toISOString().slice(0, 19).replace("T", " ")
    const click = url < 0 ? {} : { rank: String(log.rank[row]), url: log.urls.text(url) }
    return { user: log.users.text(user), query: log.queries.text(log.query[row] ?? 0), time, ...click }
  })
  return parquetOf([...rows, ...hostileRecords({ seed: 3, rows: 800 })])
}

describe.skipIf(whyNoSpark() !== undefined)("on a Spark cluster", () => {
  let spark: SparkCluster
  beforeAll(async () => {
    spark = await sharedSpark()
  })

  const there = async (path: string, choice: { method: string } & OptionValues, places: object = {}) => {
    const [folder, audit] = [fresh("there"), fresh("audit")]
    const remote = await openRemoteLog(spark.address, path)
    try {
      const made = await releaseAny(remote, choice, { folder, audit, ...places }, createContext())
      return { ...made, folder, audit }
    } finally {
      await remote.close()
    }
  }

  const here = async (path: string, choice: { method: string } & OptionValues) => {
    const [folder, audit] = [fresh("here"), fresh("audit")]
    const read = await readLog(path)
    return { ...(await releaseAny(read, choice, { folder, audit }, createContext())), folder, audit, log: read.log }
  }

  const dataOf = (folder: string, { files }: { files: readonly { path: string }[] }) =>
    files.map(({ path }) => readFileSync(`${folder}/${path}`, "utf8"))

  describe("counts", () => {
    // The noise has a scale below 1/250: it is 0 in all draws but one in 10^100.
    const silent = { method: "counts", epsilon: "40000", delta: "1e-6", scrub: "none" }

    test("are those of the single process where the noise is next to nothing", async () => {
      const path = await parquetOf(busyTown())
      for (const bounds of [{}, { maxQueries: 3, maxClicks: 2, maxTransitions: 2, maxPerKey: 2 }]) {
        const [local, remote] = [
          await here(path, { ...silent, ...bounds }),
          await there(path, { ...silent, ...bounds }),
        ]
        expect(local.receipt.released.tables?.transitions).toBeGreaterThan(10)
        expect(dataOf(remote.folder, remote.manifest)).toEqual(dataOf(local.folder, local.manifest))
        expect(remote.manifest.guarantee).toEqual(local.manifest.guarantee)
        expect(remote.receipt.withheld).toEqual(local.receipt.withheld)
      }
    })

    // A sound release fails this check once in a million times.
    test("have the noise that the ledger states, and only the users who may count", async () => {
      const path = await parquetOf(busyTown())
      const { log } = await readLog(path)
      const choice = { method: "counts", epsilon: "30", delta: "1e-6", scrub: "none" }
      const { folder } = await there(path, choice)
      const checks = await verify({ release: await readRelease(folder), log })
      expect(checks.filter(({ name, state }) => state !== "passed" && name !== "scrub")).toEqual([])
      expect(checks.map(({ name }) => name)).toContain("noise-original")
    })

    test("are paid from the ledger before noise is drawn, and not made when it is empty", async () => {
      const path = await parquetOf(busyTown())
      const choice = { method: "counts", epsilon: "30", delta: "1e-6" }
      const ledger = { file: at("ledger.json"), budget: "40", name: "town" }
      const { manifest } = await there(path, choice, { ledger })
      expect(readFileSync(ledger.file, "utf8")).toContain(manifest.id)
      const folder = fresh("refused")
      await expect(there(path, choice, { ledger, folder })).rejects.toMatchObject({ code: "budget-spent" })
      expect(existsSync(folder)).toBe(false)
      // A copy of the log has another snapshot. Under no name it would have a budget of its own.
      const unnamed = { file: at("unnamed.json"), budget: "40" }
      await expect(there(path, choice, { ledger: unnamed, folder })).rejects.toMatchObject({
        ...{ code: "usage", fields: { flag: "--ledger-name" } },
      })
      expect(existsSync(unnamed.file)).toBe(false)
    })

    test("of users whose keys are chosen at random keep every bound", async () => {
      const path = await parquetOf(busyTown())
      const choice = { ...silent, bound: "random", maxQueries: 2, minUsers: 1 }
      const { folder, manifest } = await there(path, choice)
      const [queries = ""] = dataOf(folder, manifest)
      const counted = queries
        .split("\n")
        .slice(1, -1)
        .map((line) => Number(line.split("\t").at(-1)))
      const sum = counted.reduce((all, count) => all + count, 0)
      expect(sum).toBeGreaterThan(1200)
      expect(sum).toBeLessThanOrEqual(2 * 1200)
    })
  })

  describe("swap", () => {
    const key = "5".repeat(64)
    const open = { method: "swap", k: 3, dealingKey: key, users: "keep", time: "exact", urls: "keep", category: true }

    const rowsOf = (folder: string, manifest: { files: readonly { path: string }[] }) =>
      dataOf(folder, manifest)
        .flatMap((text) => text.split("\n").slice(1, -1))
        .sort()

    test.each([
      { rules: { repeats: "keep", depth: "5" }, least: 500 },
      { rules: { repeats: "once", depth: "3", cellTexts: "any", backlog: 5 }, least: 500 },
      { rules: { repeats: "never", depth: "4", minQueryUsers: 2 }, least: 20 }, // few texts leave only once
    ])("deals the cells of the single process under the same key: $rules.repeats", async ({ rules, least }) => {
      const path = await mixedLog()
      const choice = { ...open, ...rules }
      const [local, remote] = [await here(path, choice), await there(path, choice)]
      const expected = rowsOf(local.folder, local.manifest)
      expect(expected.length).toBeGreaterThan(least)
      expect(rowsOf(remote.folder, remote.manifest)).toEqual(expected)
      expect(remote.receipt.withheld).toEqual(local.receipt.withheld)
      expect(remote.manifest.seeded).toBe(true)
      const tables = await Promise.all(
        [local, remote].map(async ({ audit }) => {
          const columns = ["category", "searches", "released", "mean wait in seconds"]
          const rows: string[] = []
          for await (const row of (await openAudit(audit)).rows("categories", columns)) rows.push(row.join("\t"))
          return rows.sort()
        }),
      )
      expect(tables[1]).toEqual(tables[0])
    })

    test("promises what the single process promises, after the attackers saw what leaves", async () => {
      const path = await mixedLog()
      for (const users of ["cell", "drop"]) {
        const choice = { method: "swap", k: 3, depth: "5", users }
        const [local, remote] = [await here(path, choice), await there(path, choice)]
        const { guarantee } = remote.manifest
        expect(guarantee).toMatchObject({ model: "swap", promised: true, k: 3, names: users })
        expect(guarantee.statement).toBe(local.manifest.guarantee.statement)
        const checks = await verify({ release: await readRelease(remote.folder), log: local.log })
        expect(checks.filter(({ state }) => state === "failed")).toEqual([])
      }
    })

    // In this log it depends on chance whether the attackers refute names that last a day. They have to see them all.
    test("shows the attackers every search under a name that lasts a day", async () => {
      const { manifest, receipt } = await there(await mixedLog(), { method: "swap", k: 3, depth: "5", users: "day" })
      expect(manifest.guarantee).toMatchObject({ model: "swap", k: 3, names: "day" })
      const { "searches attacked": attacked, "searches released": released } = receipt.measured ?? {}
      expect(released).toBeGreaterThan(500)
      expect(attacked).toBe(released)
    })

    test("is refused where a cluster cannot do it, before any work", async () => {
      const path = await parquetOf(busyTown(20))
      for (const option of [{ depth: "auto" }, { mode: "paper" }, { taxonomy: "mine.tsv" }])
        await expect(there(path, { method: "swap", k: 3, ...option })).rejects.toMatchObject({ code: "remote-refused" })
    })
  })

  describe("verify --engine", () => {
    const statesOf = (checks: readonly { name: string; state: string }[]) =>
      Object.fromEntries(checks.map(({ name, state }) => [name, state]))

    test("accepts counts of a log whose times are cut to the day, wherever they were made", async () => {
      const days = busyTown().map(({ time, ...search }) => ({ ...search, time: `${time.slice(0, 10)} 00:00:00` }))
      const path = await parquetOf(days)
      const choice = { method: "counts", epsilon: "30", delta: "1e-6", scrub: "none", maxQueries: 3, maxClicks: 2 }
      for (const make of [here, there]) {
        const { folder } = await make(path, choice)
        for (const engine of [undefined, spark.address]) {
          const { checks } = await verifyRelease(folder, { against: path, engine })
          expect(checks.filter(({ state }) => state === "failed")).toEqual([])
        }
      }
    })

    test.each([
      { method: "counts", epsilon: "30", delta: "1e-6" },
      { method: "equality", k: 3 },
    ])("checks $method with counts of its own, as the single process does", async (choice) => {
      const path = await parquetOf(busyTown())
      const { folder } = await here(path, choice)
      const local = await verifyRelease(folder, { against: path })
      const remote = await verifyRelease(folder, { against: path, engine: spark.address })
      // Names are not compared on a cluster.
      const elsewhere = choice.method === "equality" && { groups: "not checked" }
      expect(statesOf(remote.checks)).toEqual({ ...statesOf(local.checks), ...elsewhere })
      // A log without most of these users is not the one that this was released from.
      const other = await parquetOf(busyTown(200))
      const wrongHere = await verifyRelease(folder, { against: other })
      const wrong = await verifyRelease(folder, { against: other, engine: spark.address })
      expect([wrongHere.state, wrong.state]).toEqual(["failed", "failed"])
      expect(statesOf(wrong.checks)).toEqual({ ...statesOf(wrongHere.checks), ...elsewhere })
    })
  })

  test("groups are refused with the reason", async () => {
    const path = await parquetOf(busyTown(20))
    await expect(there(path, { method: "groups", k: 3 })).rejects.toMatchObject({
      code: "remote-refused",
      message: expect.stringContaining("every user"),
    })
  })
})
