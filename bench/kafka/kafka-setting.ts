import { execFile } from "node:child_process"
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { createTopic, openSender } from "../../servers/kafka-client.ts"
import { type Cluster, startCluster, whyNoKafka } from "../../servers/kafka-cluster.ts"
import { logPath, makeLog } from "../data.ts"
import { byTime, record, withFolder } from "../stream.ts"
import { firstLines } from "../stream-http.ts"

const cli = fileURLToPath(new URL("../../../dist/cli/queryveil.cjs", import.meta.url))
/** The log that searches are taken from, and the one by which partitions are balanced. */
export const fileRows = 4_000_000
const sampleRows = 200_000
/** Ticks of the processor clock in a second, as /proc counts them. */
const ticks = 100

/** A broker on this machine, and a folder. Both are gone afterwards. */
export interface Setting {
  addresses: string
  cluster: Cluster
  folder: string
}

export async function withKafka<T>(work: (setting: Setting) => Promise<T>): Promise<T> {
  const why = whyNoKafka()
  if (why !== undefined) throw new Error(why)
  return withFolder(async (folder) => {
    const cluster = await startCluster(join(folder, "kafka"), { settings: { "log.segment.bytes": 1 << 28 } })
    try {
      return await work({ addresses: cluster.addresses, cluster, folder })
    } finally {
      await cluster.close()
    }
  })
}

/** Makes a topic of searches, one a message, in turn in its partitions. */
export async function fillInput(
  { addresses }: Setting,
  { topic, partitions, searches }: { topic: string; partitions: number; searches: number },
): Promise<void> {
  await createTopic(addresses, topic, { partitions })
  const sender = await openSender(addresses, topic)
  const lines = (await firstLines(byTime(fileRows), searches)).map((line) => record(line).trimEnd())
  for (let at = 0; at < lines.length; at += 100_000)
    for (let partition = 0; partition < partitions; partition++) {
      const own = lines.slice(at, at + 100_000).filter((_, i) => i % partitions === partition)
      await sender.send(own, { partition })
    }
  await sender.close()
}

/** Creates the topics of a group as an operator does. Returns the file with its secret. */
export async function createGroup(
  { addresses, folder }: Setting,
  { group, input, flags }: { group: string; input: string; flags: readonly string[] },
): Promise<string> {
  await makeLog(sampleRows)
  const secret = join(folder, "secret")
  await promisify(execFile)(process.execPath, [
    ...[cli, "stream", "topics", "create", `kafka://${addresses}/${group}`, "--input", input, "--secret", secret],
    ...["--weights", logPath(sampleRows), "--json", ...flags],
  ])
  return secret
}

/** Bytes of the messages that a topic has, in all its partitions. */
export async function topicBytes({ cluster }: Setting, topic: string): Promise<number> {
  let bytes = 0
  for (const { data } of cluster.brokers)
    for (const folder of await readdir(data)) {
      if (!/^\d+$/.test(folder.slice(topic.length + 1)) || !folder.startsWith(`${topic}-`)) continue
      for (const file of await readdir(join(data, folder)))
        if (file.endsWith(".log")) bytes += (await stat(join(data, folder, file))).size
    }
  return bytes
}

/** Seconds of processor time that the brokers have used so far. */
export async function brokerCpu({ cluster }: Setting): Promise<number> {
  let seconds = 0
  for (const { pid } of cluster.brokers) {
    const text = await readFile(`/proc/${pid()}/stat`, "utf8")
    // The name of the program is in brackets and may have spaces. User and system time are fields 14 and 15.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    seconds += (Number(fields[11]) + Number(fields[12])) / ticks
  }
  return seconds
}
