import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { releaseAny } from "#dist/app/release.js"
import { openRemoteLog } from "#dist/engine/open-remote-log.js"
import { openSparkSession } from "#dist/engine/spark/open-session.js"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { runStatement } from "#dist/release/writers/duckdb.js"
import { type SparkCluster, startSpark, whyNoSpark } from "../servers/spark-cluster.ts"
import { type Bench, type Finding, timed } from "./case.ts"
import { benchFolder, logPath, makeLog } from "./data.ts"
import { peakMegabytesOf, secondsOf, treeOf } from "./process-cost.ts"

const sizes = [5_000_000, 20_000_000]

const choices = {
  equality: { method: "equality", k: 10 },
  counts: { method: "counts", epsilon: "8", delta: "1e-8" },
  swap: { method: "swap", k: 10 },
  wordnet: { method: "wordnet", k: 10 },
  affinity: { method: "affinity", k: 10 },
}
type Chosen = keyof typeof choices

const parquetPath = (rows: number) => join(benchFolder, `synth-${rows}.parquet`)

/** Makes the synthetic log as Parquet, which both read. */
async function makeParquet(rows: number): Promise<void> {
  const path = parquetPath(rows)
  if (existsSync(path)) return
  await makeLog(rows)
  const source = `read_csv('${logPath(rows)}', delim = '\t', header = true, quote = '', all_varchar = true)`
  const options = { path, signal: new AbortController().signal }
  await runStatement(`COPY (SELECT * FROM ${source}) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 500000)`, options)
}

/** Releases in a folder that is removed afterwards. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(benchFolder, "spark-"))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function releaseHere(rows: number, method: Chosen): Promise<Finding> {
  return inFolder(async (folder) => {
    const begun = process.cpuUsage()
    const { seconds } = await timed(async () => {
      const read = await readLog(parquetPath(rows), {}, createContext())
      await releaseAny(read, choices[method], { folder: join(folder, "release") }, createContext())
    })
    const { user, system } = process.cpuUsage(begun)
    return { count: rows, seconds, cpu: (user + system) / 1e6 }
  })
}

/** What some work costs on a cluster: processor seconds of tasks, server and this process, and memory of tasks. */
async function measureCluster(
  { rows, workers }: { rows: number; workers: number },
  work: (spark: SparkCluster, folder: string) => Promise<Record<string, string | number>>,
): Promise<Finding> {
  return inFolder(async (folder) => {
    // At 5 M rows and more, tasks need more than the tests give them.
    const spark = await startSpark(join(folder, "spark"), { workers, memory: "1g" })
    let kernel = 0
    let executor = 0
    const watch = setInterval(() => {
      for (const pid of spark.processes().executors) {
        executor = Math.max(executor, peakMegabytesOf(pid))
        for (const own of treeOf(pid).slice(1)) kernel = Math.max(kernel, peakMegabytesOf(own))
      }
    }, 250)
    try {
      const begun = process.cpuUsage()
      const { seconds, value } = await timed(() => work(spark, folder))
      const { executors, server } = spark.processes()
      const shuffle = (await shuffledBytes(spark)) / 1e6
      const { user, system } = process.cpuUsage(begun)
      const [tasks, plans, driver] = [secondsOf(executors), secondsOf(server), (user + system) / 1e6]
      const parts = { tasks, plans, driver, "shuffle MB": shuffle, "kernel MB": kernel, "executor MB": executor }
      return { count: rows, seconds, cpu: tasks + plans + driver, ...parts, ...value }
    } finally {
      clearInterval(watch)
      await spark.close()
    }
  })
}

/** Bytes that all tasks wrote for others to read, as Spark counts them. */
async function shuffledBytes({ pages }: SparkCluster): Promise<number> {
  const ask = async (path: string) => (await fetch(`${pages}/api/v1/applications${path}`)).json() as Promise<unknown>
  const [first] = (await ask("")) as { id: string }[]
  const executors = (await ask(`/${first?.id}/allexecutors`)) as { totalShuffleWrite: number }[]
  return executors.reduce((sum, { totalShuffleWrite }) => sum + totalShuffleWrite, 0)
}

const releaseThere = (rows: number, { method, workers }: { method: Chosen; workers: number }) =>
  measureCluster({ rows, workers }, async ({ address }, folder) => {
    const remote = await openRemoteLog(address, parquetPath(rows))
    try {
      const { receipt } = await releaseAny(
        remote,
        choices[method],
        { folder: join(folder, "release") },
        createContext(),
      )
      return receipt.measured ?? {}
    } finally {
      await remote.close()
    }
  })

/** The count of equality as an analyst would write it: queries of at least 10 users. */
const countPlainly = (rows: number, workers: number) =>
  measureCluster({ rows, workers }, async ({ address }) => {
    const session = await openSparkSession(address, createContext())
    try {
      await session.openSource("plain", { kind: "files", path: parquetPath(rows), format: "parquet" })
      const users = "SELECT lower(trim(Query)) AS q, count(DISTINCT AnonID) AS users FROM plain GROUP BY 1"
      const sql = `SELECT count(*) FROM (${users}) WHERE users >= 10`
      for await (const _ of session.query(sql, { stage: "counting" }));
      return {}
    } finally {
      await session.close()
    }
  })

const millions = (rows: number) => `${rows / 1e6} M`
const methods = Object.keys(choices).filter((name): name is Chosen => name in choices)

/** The bench skips itself without a Spark (`.ci/install-spark`). */
const isThere = whyNoSpark() === undefined

export const sparkBench: Bench = {
  name: "spark",
  async prepare() {
    for (const rows of sizes) await makeParquet(rows)
  },
  cases: !isThere
    ? []
    : sizes.flatMap((rows) => [
        ...[1, 2].map((workers) => ({
          name: `plain SQL, ${millions(rows)}, workers: ${workers}`,
          run: () => countPlainly(rows, workers),
        })),
        ...methods.flatMap((method) => [
          { name: `${method}, ${millions(rows)}, one process`, run: () => releaseHere(rows, method) },
          ...[1, 2].map((workers) => ({
            name: `${method}, ${millions(rows)}, workers: ${workers}`,
            run: () => releaseThere(rows, { method, workers }),
          })),
        ]),
      ]),
  targets: [],
  print: (findings) => {
    const lines = Array.from(findings, ([name, { count, seconds, ...found }]) => {
      const numbers = shown.map((key) => (typeof found[key] === "number" ? found[key].toFixed(0) : ""))
      const perRow = ((Number(found.cpu) / count) * 1e6).toFixed(1)
      return [name, seconds.toFixed(0), perRow, ...numbers]
    })
    const table = [["", "wall s", "cpu µs/row", ...shown], ...lines].map(layOut)
    const largest = Array.from(findings, ([name, found]) =>
      ofLargest.flatMap((key) => (key in found ? `${name}: ${key} ${found[key]}` : [])),
    )
    return [...table, ...largest.flat()].join("\n")
  },
}

/** Columns of the table: processor seconds in all and by part, and megabytes. */
const shown = ["cpu", "tasks", "plans", "driver", "shuffle MB", "kernel MB", "executor MB"]

/** What the receipt of swap says about the category with the most searches, which is one task. */
const ofLargest = [
  "searches of the largest category",
  "most of them that waited at once",
  "seconds for the largest category",
]

const layOut = ([name = "", ...cells]: readonly string[]) =>
  `${name.padEnd(32)}${cells.map((cell) => cell.padStart(13)).join("")}`
