import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { beforeAll, describe, expect, test } from "vitest"
import { releaseAny } from "#dist/app/release.js"
import { openRemoteLog } from "#dist/engine/open-remote-log.js"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { readRelease } from "#dist/release/read-release.js"
import { writeSynth } from "#dist/release/write-synth.js"
import { runStatement } from "#dist/release/writers/duckdb.js"
import { verify } from "#dist/verify/registry.js"
import { overall } from "#dist/verify/verifier.js"
import { type SparkCluster, whyNoSpark } from "../../servers/spark-cluster.ts"
import { hostileRecords } from "../support/hostile-records.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { sharedSpark } from "../support/shared-spark.ts"
import { wordyLog } from "../support/wordy-log.ts"

const { at, fresh } = scratchFolder()
const excite = new URL("../../../shared/data/excite-small.log", import.meta.url).pathname
const skipped = whyNoSpark()

describe.skipIf(skipped !== undefined)("a log on a Spark cluster", () => {
  let spark: SparkCluster
  beforeAll(async () => {
    spark = await sharedSpark()
  })

  /** The same records as JSON lines, and as a Parquet file that DuckDB makes of them. */
  const logFiles = async () => {
    const folder = fresh("logs")
    mkdirSync(folder)
    const [json, parquet] = [`${folder}/log.jsonl`, `${folder}/log.parquet`]
    writeFileSync(
      json,
      hostileRecords({ seed: 7, rows: 6000 })
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(""),
    )
    const columns = "{user: 'VARCHAR', query: 'VARCHAR', time: 'VARCHAR', rank: 'VARCHAR', url: 'VARCHAR'}"
    const options = `format = 'newline_delimited', columns = ${columns}, maximum_object_size = 33554432`
    const source = `read_json('${json}', ${options})`
    await runStatement(`COPY (SELECT * FROM ${source}) TO '${parquet}' (FORMAT parquet)`, {
      path: parquet,
      signal: new AbortController().signal,
    })
    return { json, parquet }
  }

  /** Rows of a release by name. Names are random, and so is the order of names. */
  const rowsByName = async (folder: string) => {
    const opened = await readRelease(folder)
    if (opened.kind !== "rows") throw new Error("A release of rows was expected.")
    const log = await opened.log()
    const groups = new Map<number, string[]>()
    for (let row = 0; row < log.rows; row++) {
      const [user = -1, query = 0, url = -1] = [log.user[row], log.query[row], log.url[row]]
      const cells = [log.queries.text(query), log.time[row], log.rank[row], url < 0 ? null : log.urls.text(url)]
      const name = log.users.size === 0 ? row : user
      groups.set(name, [...(groups.get(name) ?? []), JSON.stringify(cells)])
    }
    return [...groups.values()].map((rows) => rows.sort().join("\n")).sort()
  }

  type Choice = { method: string; [option: string]: string | number | boolean }

  /** Releases a log there. Without `audit`, no side tables are made. */
  const releaseThere = async (path: string, choice: Choice, audit?: string) => {
    const folder = fresh("there")
    const remote = await openRemoteLog(spark.address, path)
    try {
      const released = await releaseAny(remote, choice, { folder, ...(audit && { audit }) }, createContext())
      return { ...released, folder, rows: await rowsByName(folder) }
    } finally {
      await remote.close()
    }
  }

  /** Releases a log here, and there with and without side tables: all alike. */
  const alike = async (path: string, choice: Choice, withAudit = [true]) => {
    const [folder, audit] = [fresh("here"), fresh("audit")]
    const read = await readLog(path)
    const local = await releaseAny(read, choice, { folder, audit }, createContext())
    const here = await rowsByName(folder)
    expect(here.length).toBeGreaterThan(10)
    const figuresOf = ({ receipt: { input, withheld, released: rows, measured } }: Pick<typeof local, "receipt">) => {
      const { rejected, lines, rows: all, events, users, queries, urls } = input
      return { rejected, lines, all, events, users, queries, urls, withheld, rows, measured }
    }
    const there: { folder: string; audit: string }[] = []
    for (const isAudited of withAudit) {
      const at = fresh("audit")
      const released = await releaseThere(path, choice, isAudited ? at : undefined)
      expect(released.rows).toEqual(here)
      expect(figuresOf(released)).toEqual(figuresOf(local))
      expect(released.manifest.guarantee).toEqual(local.manifest.guarantee)
      there.push({ folder: released.folder, audit: at })
    }
    return { read, folder: there[0]?.folder ?? "", audits: [audit, there[0]?.audit ?? ""] }
  }

  const linesOf = (folder: string, table: string) => readFileSync(`${folder}/${table}.tsv`, "utf8").split("\n").sort()

  test("is released by equality as the single process releases it, and verifies", async () => {
    const { parquet } = await logFiles()
    const { read, folder } = await alike(parquet, { method: "equality", k: 3 })
    const checks = await verify({ release: await readRelease(folder), log: read.log })
    expect(checks.filter(({ state }) => state === "failed")).toEqual([])
    expect(overall(checks)).toBe("passed")
  })

  test("is read from JSON lines and from CSV as the single process reads them", async () => {
    const { json } = await logFiles()
    await alike(json, { method: "equality", k: 3, users: "keep", time: "exact", urls: "keep" })
    const csv = at("log.csv")
    const lines = ["u0,weather,2006-03-01 00:00:01,,", '"u1","say ""hi"", you",2006-03-01 00:00:02,1,http://a.example']
    const bytes = Buffer.concat([
      Buffer.from(
        [
          "user,query,time,rank,url",
          ...Array.from({ length: 30 }, (_, i) => lines.map((line) => line.replace("u", `u${i}`))).flat(),
        ].join("\n"),
      ),
      Buffer.from("\nu1,"),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(",2006-03-01 00:00:02,,\n\nu2,\ttab,2006-03-01 00:00:03,,\r\nu2,short\n"),
    ])
    writeFileSync(csv, bytes)
    await alike(csv, { method: "equality", k: 1, users: "drop" })
  })

  test.each([
    { method: "wordnet", k: 20 },
    { method: "affinity", k: 4 },
  ])("is released by $method as the single process releases it", async (choice) => {
    const path = at(`${choice.method}.tsv`)
    await writeSynth(path, { rows: 5000, users: 200, seed: 11 })
    await alike(path, choice)
  })

  test.each([
    { k: 3, theta: 0.6, minConceptUsers: 2, minTermUsers: 1, scrub: "none" },
    { k: 4, theta: 0.8, minConceptUsers: 3 },
    { k: 2, theta: 0.9, conceptRule: "paper", functionWords: "none", tokens: "segmenter" },
  ])("is released by affinity as the single process releases it, and has the same audit: %o", async (options) => {
    const path = at(`words-${options.k}.tsv`)
    writeFileSync(path, wordyLog({ seed: options.k, rows: 4000, users: 60 }))
    const [here = "", there = ""] = (await alike(path, { method: "affinity", ...options }, [true, false])).audits
    expect(linesOf(here, "degrees").length).toBeGreaterThan(500)
    for (const table of ["degrees", "concepts"]) expect(linesOf(there, table)).toEqual(linesOf(here, table))
  })

  test.skipIf(!existsSync(excite)).each([
    { method: "equality", k: 2 },
    { method: "affinity", k: 3, theta: 0.8 },
  ])("is a real log of 1997, released by $method as the single process releases it", async (choice) => {
    await alike(excite, choice)
  })

  test("is released by the command line, with a receipt and an audit that are private", async () => {
    const path = at("command.tsv")
    await writeSynth(path, { rows: 3000, users: 100, seed: 5 })
    const [folder, audit] = [fresh("release"), fresh("audit")]
    const words = ["anonymize", "equality", path, "-k", "2", "-o", folder, "--audit", audit, "--engine", spark.address]
    const { code, stdout, stderr } = await runCli([...words, "--json"])
    expect(stderr).toBe("")
    expect(code).toBe(0)
    const { manifest } = JSON.parse(stdout)
    expect(manifest.files.map((file: { path: string }) => file.path)).toEqual(["log-0.tsv"])
    for (const file of [`${folder}.receipt.json`, `${audit}/queries.tsv`])
      expect(statSync(file).mode & 0o777).toBe(0o600)
    const refused = await runCli(["anonymize", "groups", path, "-o", fresh(), "--engine", spark.address])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain("compares every user with every other")
  })
})
