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

export interface Broker {
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
  brokers: readonly Broker[]
  close(): Promise<void>
}

/** Lines that are added to the settings of every broker. */
export interface ClusterOptions {
  brokers?: number
  settings?: Record<string, string | number>
}

/** Starts a cluster in a folder: each broker is a process group of its own, with its data and log in the folder. */
export async function startCluster(folder: string, options: ClusterOptions = {}): Promise<Cluster> {
  const { brokers: count = 1, settings = {} } = options
  const ports = await freePorts(count * 2)
  const id = randomBytes(16).toString("base64url").replace(/^-/, "a")
  const voters = Array.from({ length: count }, (_, i) => `${i + 1}@127.0.0.1:${ports[i * 2 + 1]}`).join(",")
  const brokers = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      makeBroker({
        id: i + 1,
        folder: join(folder, `broker-${i + 1}`),
        cluster: id,
        port: ports[i * 2] ?? 0,
        controllerPort: ports[i * 2 + 1] ?? 0,
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
  port: number
  controllerPort: number
  settings: Record<string, string | number>
}): Promise<Broker> {
  const { id, folder, cluster, port, controllerPort, settings } = options
  const config = join(folder, "server.properties")
  const log = join(folder, "broker.log")
  const address = `127.0.0.1:${port}`
  const lines = {
    "process.roles": "broker,controller",
    "node.id": id,
    listeners: `PLAINTEXT://${address},CONTROLLER://127.0.0.1:${controllerPort}`,
    "advertised.listeners": `PLAINTEXT://${address}`,
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
  const formatted = spawnSync("java", [...classPath, "kafka.tools.StorageTool", "format", "-t", cluster, "-c", config])
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
      for (let tries = 0; !(await isOpen(port)); tries++) {
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
