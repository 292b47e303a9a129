import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { closeSync, existsSync, openSync, readFileSync } from "node:fs"
import { copyFile, mkdir, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { reasonToSkip, serverFolder } from "./server-folder.ts"
import { endGroup, freePorts, isOpen } from "./server-process.ts"

const libraries = join(serverFolder, "kafka-4.3.0", "libs")

/** Why there can be no Kafka here; undefined if there can. */
export function whyNoKafka(): string | undefined {
  if (!existsSync(libraries)) return reasonToSkip("no Kafka found: run .ci/install-kafka")
  try {
    createRequire(import.meta.url).resolve("@confluentinc/kafka-javascript")
  } catch {
    return reasonToSkip("the client of Kafka is not installed: run .ci/install-kafka")
  }
  return undefined
}

interface Broker {
  id: number
  address: string
  /** Where it keeps the messages of topics. */
  data: string
  /** The number of its process; undefined if it is not running. */
  pid(): number | undefined
  /** Ends the process at once, as a crash does. */
  kill(): Promise<void>
  /** Starts it again with the same data. */
  start(): Promise<void>
  /** Fails its writes beyond the first bytes of a file, as a full disk does. True if it ended because of that. */
  fillDisk(): Promise<boolean>
}

export interface Cluster {
  /** `HOST:PORT,…` */
  addresses: string
  /** The same for the listener that requires a login over TLS, if there is one. */
  secure?: string
  brokers: readonly Broker[]
  /** Ends the brokers and removes their files. What they logged can be kept in a folder. */
  close(options?: { logsTo?: string | undefined }): Promise<void>
}

export interface ClusterOptions {
  brokers?: number
  /** Another listener, which requires a login over TLS. `scram` is a user as the storage tool takes it. */
  login?: { scram: string }
  /** Lines that are added to the settings of every broker. */
  settings?: Record<string, string | number>
}

/** Something that a user may do: `USER TOPIC NAME READ`. With a star at its end, a name means all that begin so. */
export type Right = `${string} ${"TOPIC" | "GROUP" | "TRANSACTIONAL_ID" | "CLUSTER"} ${string} ${string}`

/** Grants rights on a cluster that has an authorizer. */
export function grantRights(addresses: string, rights: readonly Right[]): void {
  const source = fileURLToPath(new URL("GrantRights.java", import.meta.url))
  const granted = spawnSync("java", ["-cp", join(libraries, "*"), source, addresses], { input: rights.join("\n") })
  if (granted.status !== 0) throw new Error(`the rights were not granted: ${granted.stderr}`)
}

/** Starts a cluster in a folder: each broker is a process group of its own, with its data and log in the folder. */
export async function startCluster(folder: string, options: ClusterOptions = {}): Promise<Cluster> {
  const { brokers: count = 1, settings = {}, login } = options
  const ports = await freePorts(count * 3)
  const id = randomBytes(16).toString("base64url").replace(/^-/, "a")
  const voters = Array.from({ length: count }, (_, i) => `${i + 1}@127.0.0.1:${ports[count + i]}`).join(",")
  const brokers = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      makeBroker({
        id: i + 1,
        folder: folderOf(folder, i + 1),
        cluster: id,
        ports: { plain: ports[i] ?? 0, controller: ports[count + i] ?? 0, secure: ports[2 * count + i] ?? 0 },
        login,
        settings: {
          "controller.quorum.voters": voters,
          "offsets.topic.replication.factor": count,
          "offsets.topic.num.partitions": 5,
          "transaction.state.log.replication.factor": count,
          "transaction.state.log.min.isr": Math.min(2, count),
          "transaction.state.log.num.partitions": 5,
          "default.replication.factor": count,
          "min.insync.replicas": Math.min(2, count),
          "group.initial.rebalance.delay.ms": 0,
          "auto.create.topics.enable": "false",
          // Times of the tests are months ago, and the age of a message is that of its time.
          "log.retention.ms": -1,
          ...settings,
        },
      }),
    ),
  )
  await Promise.all(brokers.map((broker) => broker.start()))
  return {
    addresses: brokers.map(({ address }) => address).join(","),
    ...(login !== undefined && {
      secure: ports
        .slice(2 * count)
        .map((port) => `127.0.0.1:${port}`)
        .join(","),
    }),
    brokers,
    async close({ logsTo } = {}) {
      await Promise.all(brokers.map((broker) => broker.kill()))
      if (logsTo !== undefined)
        for (const { id } of brokers) await copyFile(logOf(folder, id), join(logsTo, `broker-${id}.log`))
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

const folderOf = (folder: string, id: number) => join(folder, `broker-${id}`)
const logOf = (folder: string, id: number) => join(folderOf(folder, id), "broker.log")

async function makeBroker(options: {
  id: number
  folder: string
  cluster: string
  ports: { plain: number; controller: number; secure: number }
  login: ClusterOptions["login"]
  settings: Record<string, string | number>
}): Promise<Broker> {
  const { id, folder, cluster, ports, login, settings } = options
  const config = join(folder, "server.properties")
  const log = join(folder, "broker.log")
  const data = join(folder, "data")
  const address = `127.0.0.1:${ports.plain}`
  const listeners = [`PLAINTEXT://${address}`, ...(login === undefined ? [] : [`SECURE://127.0.0.1:${ports.secure}`])]
  const lines = {
    "process.roles": "broker,controller",
    "node.id": id,
    listeners: [...listeners, `CONTROLLER://127.0.0.1:${ports.controller}`].join(","),
    "advertised.listeners": listeners.join(","),
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL",
    "controller.listener.names": "CONTROLLER",
    "inter.broker.listener.name": "PLAINTEXT",
    "log.dirs": data,
    ...settings,
  }
  await mkdir(folder, { recursive: true })
  await writeFile(
    config,
    Object.entries(lines)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  )
  const classPath = ["-cp", join(libraries, "*")]
  const users = login === undefined ? [] : ["--add-scram", login.scram]
  const format = ["kafka.tools.StorageTool", "format", "-t", cluster, "-c", config, ...users]
  const formatted = spawnSync("java", [...classPath, ...format])
  if (formatted.status !== 0) throw new Error(`Kafka's storage was not made: ${formatted.stderr}`)
  let child: ChildProcess | undefined
  return {
    id,
    address,
    data,
    pid: () => (child?.exitCode === null && child.signalCode === null ? child.pid : undefined),
    async start() {
      const out = openSync(log, "a")
      child = spawn("java", ["-Xmx384m", "-XX:+UseSerialGC", ...classPath, "kafka.Kafka", config], {
        detached: true,
        stdio: ["ignore", out, out],
      })
      closeSync(out)
      const own = child
      process.once("exit", () => endGroup(own))
      for (let tries = 0; !(await isOpen(ports.plain)); tries++) {
        if (own.exitCode !== null || tries > 600)
          throw new Error(`Kafka did not start: ${readFileSync(log, "utf8").slice(-2000)}`)
        await wait(200)
      }
    },
    async kill() {
      const own = child
      if (own === undefined || own.exitCode !== null || own.signalCode !== null) return
      const ended = new Promise((resolve) => own.once("exit", resolve))
      endGroup(own)
      await ended
    },
    async fillDisk() {
      const own = child
      if (own?.pid === undefined) return false
      const limited = spawnSync("prlimit", ["--pid", String(own.pid), "--fsize=4096"])
      if (limited.status !== 0) throw new Error(`the files of a broker were not limited: ${limited.stderr}`)
      for (let tries = 0; own.exitCode === null && own.signalCode === null && tries < 150; tries++) await wait(200)
      return own.exitCode !== null || own.signalCode !== null
    },
  }
}
