import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { closeSync, existsSync, openSync, readFileSync } from "node:fs"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { connect, createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { reasonToSkip, serverFolder } from "./server-folder.ts"

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
  /** Ends the process at once, as a crash does. */
  kill(): Promise<void>
  /** Starts it again with the same data. */
  start(): Promise<void>
}

export interface Cluster {
  /** `HOST:PORT,…` */
  addresses: string
  /** The same for the listener that requires a login over TLS, if there is one. */
  secure?: string
  brokers: readonly Broker[]
  close(): Promise<void>
}

export interface ClusterOptions {
  brokers?: number
  /** Another listener, which requires a login over TLS. `scram` is a user as the storage tool takes it. */
  login?: { scram: string }
  /** Lines that are added to the settings of every broker. */
  settings?: Record<string, string | number>
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
        folder: join(folder, `broker-${i + 1}`),
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
    async close() {
      await Promise.all(brokers.map((broker) => broker.kill()))
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

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
    "log.dirs": join(folder, "data"),
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
  }
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // it has just ended
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.on("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.on("error", () => resolve(false))
  })
}

/** Ports that are free now. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer())
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) =>
          server.listen(0, "127.0.0.1", () => {
            const found = server.address()
            resolve(typeof found === "object" && found !== null ? found.port : 0)
          }),
        ),
    ),
  )
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
