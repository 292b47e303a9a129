import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, existsSync, openSync, readdirSync, readFileSync, realpathSync } from "node:fs"
import { mkdir, rename, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { reasonToSkip, serverFolder } from "./server-folder.ts"
import { endGroup, freePorts, guardProcesses, isOpen } from "./server-process.ts"

const home = join(serverFolder, "spark-4.1.4")
const commandLine = createRequire(import.meta.url).resolve("#dist/cli/queryveil.cjs")

/** Why there can be no Spark here; undefined if there can. */
export function whyNoSpark(): string | undefined {
  return existsSync(join(home, "done")) ? undefined : reasonToSkip("no Spark found: run .ci/install-spark")
}

/** Settings for tables of Delta, and of Iceberg in the catalog `lake`. Undefined: they are not installed. */
export function lakeSettings(folder: string): Record<string, string> | undefined {
  const lakes = join(home, "lakes")
  if (!existsSync(join(lakes, "done"))) {
    reasonToSkip("no Delta and Iceberg: run .ci/install-spark")
    return undefined
  }
  return {
    "spark.jars": readdirSync(lakes)
      .filter((name) => name.endsWith(".jar"))
      .map((name) => join(lakes, name))
      .join(","),
    "spark.sql.extensions":
      "io.delta.sql.DeltaSparkSessionExtension,org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.databricks.delta.snapshotPartitions": "1",
    "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
    "spark.sql.catalog.lake.type": "hadoop",
    "spark.sql.catalog.lake.warehouse": `file://${join(folder, "lake")}`,
  }
}

export interface SparkCluster {
  /** `sc://127.0.0.1:PORT` */
  address: string
  port: number
  /** Spark's pages about the session: `http://127.0.0.1:PORT`. */
  pages: string
  /** Folders that Spark writes. */
  folders: Readonly<Record<"logs" | "events" | "warehouse" | "spill" | "work", string>>
  /** Changes what the workers run as `queryveil`: a shell script. Without one: the command line of this checkout. */
  setCommand(script?: string): Promise<void>
  /** Ends the executor of a worker at once, as a crash does. False if it has none now. */
  killExecutor(worker: number): boolean
  /** The processes that run tasks, and the server that plans them. */
  processes(): { executors: number[]; server: number[] }
  close(): Promise<void>
}

export interface SparkClusterOptions {
  /** Workers of one core (default 2). With 0 the server runs the tasks itself, as on a laptop. */
  workers?: number
  /** Memory of an executor, as Spark writes it (default 512m). */
  memory?: string
  /** Settings of the Connect server, added to those of a test. */
  settings?: Record<string, string>
  /** The token that the Connect server asks for. */
  token?: string
}

/** Starts a master, workers of one core and a Connect server on loopback. Data, logs and spill are in the folder. */
export async function startSpark(folder: string, options: SparkClusterOptions = {}): Promise<SparkCluster> {
  const { workers: count = 2, memory = "512m", settings = {}, token } = options
  const [port = 0, masterPort = 0, masterPages = 0, pages = 0, ...workerPages] = await freePorts(4 + count)
  const folders = {
    logs: join(folder, "logs"),
    events: join(folder, "events"),
    warehouse: join(folder, "warehouse"),
    spill: join(folder, "spill"),
    work: join(folder, "work"),
    bin: join(folder, "bin"),
  }
  await Promise.all(Object.values(folders).map((path) => mkdir(path, { recursive: true })))
  const setCommand = async (script = `exec "${process.execPath}" "${commandLine}" "$@"`) => {
    const file = join(folders.bin, "queryveil")
    await writeFile(`${file}.new`, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    await rename(`${file}.new`, file) // a task that runs meanwhile finds the old one or the new one
  }
  await setCommand()
  const env = {
    ...process.env,
    PATH: `${folders.bin}:${process.env.PATH}`,
    SPARK_HOME: realpathSync(join(home, "home")),
    SPARK_LOCAL_IP: "127.0.0.1",
    SPARK_LOCAL_DIRS: folders.spill,
    SPARK_DAEMON_JAVA_OPTS: "-XX:+UseSerialGC",
    ...(token !== undefined && { SPARK_CONNECT_AUTHENTICATE_TOKEN: token }),
  }
  const running: ChildProcess[] = []
  const guard = guardProcesses(folder)
  const start = async (name: string, [program, ...args]: readonly [string, ...string[]], open: number) => {
    const log = join(folders.logs, `${name}.log`)
    const out = openSync(log, "a")
    const child = spawn(join(env.SPARK_HOME, "bin", program), args, {
      cwd: folder,
      detached: true,
      env,
      stdio: ["ignore", out, out],
    })
    closeSync(out)
    running.push(child)
    guard.watch(child)
    for (let tries = 0; !(await isOpen(open)); tries++) {
      if (child.exitCode !== null || tries > 900)
        throw new Error(`Spark's ${name} did not start: ${readFileSync(log, "utf8").slice(-3000)}`)
      await wait(100)
    }
    return child
  }
  const close = async () => {
    await Promise.all(
      running.reverse().map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = new Promise((resolve) => child.once("exit", resolve))
        for (const executor of executorsOf(child)) endProcess(executor)
        endGroup(child)
        await ended
      }),
    )
    guard.dismiss()
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
  }
  try {
    const at = ["--host", "127.0.0.1"]
    const master = count === 0 ? "local[2]" : `spark://127.0.0.1:${masterPort}`
    const masterOptions = [...at, "--port", String(masterPort), "--webui-port", String(masterPages)]
    if (count > 0)
      await start("master", ["spark-class", "org.apache.spark.deploy.master.Master", ...masterOptions], masterPort)
    const workers = await Promise.all(
      workerPages.map((page, i) => {
        const own = [...at, "--cores", "1", "--memory", "2g", "--webui-port", String(page)]
        const place = ["--work-dir", join(folders.work, String(i)), master]
        return start(`worker-${i}`, ["spark-class", "org.apache.spark.deploy.worker.Worker", ...own, ...place], page)
      }),
    )
    const conf = {
      "spark.connect.grpc.binding.address": "127.0.0.1",
      "spark.connect.grpc.binding.port": port,
      "spark.driver.host": "127.0.0.1",
      "spark.driver.bindAddress": "127.0.0.1",
      "spark.driver.memory": "1g",
      "spark.executor.memory": memory,
      "spark.executor.cores": 1,
      "spark.driver.extraJavaOptions": "-XX:+UseSerialGC",
      "spark.executor.extraJavaOptions": "-XX:+UseSerialGC",
      "spark.ui.port": pages,
      "spark.eventLog.enabled": true,
      "spark.eventLog.compress": false,
      "spark.eventLog.dir": `file://${folders.events}`,
      "spark.sql.warehouse.dir": `file://${folders.warehouse}`,
      "spark.io.encryption.enabled": true,
      "spark.hadoop.fs.permissions.umask-mode": "077",
      "spark.sql.shuffle.partitions": 4,
      ...settings,
    }
    const given = Object.entries(conf).flatMap(([name, value]) => ["--conf", `${name}=${value}`])
    const server = ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "--master", master]
    const connect = await start("connect", ["spark-submit", ...server, ...given, "spark-internal"], port)
    const killExecutor = (worker: number) => {
      const child = workers[worker]
      const executors = child === undefined ? [] : executorsOf(child)
      for (const executor of executors) endProcess(executor)
      return executors.length > 0
    }
    return {
      address: `sc://127.0.0.1:${port}`,
      port,
      pages: `http://127.0.0.1:${pages}`,
      folders,
      setCommand,
      killExecutor,
      processes: () => ({ executors: workers.flatMap(executorsOf), server: [connect.pid ?? 0] }),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The processes that a worker started for applications. */
function executorsOf({ pid }: ChildProcess): number[] {
  if (pid === undefined || !existsSync(`/proc/${pid}/task`)) return []
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
  )
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // it has just ended
  }
}
