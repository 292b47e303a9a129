import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createTopic, openSender } from "../../servers/kafka-client.ts"
import { type Cluster, startCluster, whyNoKafka } from "../../servers/kafka-cluster.ts"
import { jsonOf, range } from "../kafka/kafka-run.ts"
import { commandsOf, typedCommand } from "../support/documented-commands.ts"
import { emptyFolder, pageAt, runCommands } from "../support/page-commands.ts"
import { provide } from "../support/page-files.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const why = whyNoKafka()
const { fresh } = scratchFolder()

/** Commands that run until they are stopped, and what they print when they are ready. */
const untilStopped: [command: RegExp, ready: RegExp][] = [
  [/^stream run/, /listening on kafka:/],
  [/^stream classify/, /classifying searches/],
  [/^stream swap/, /swapping in/],
  [/^stream profiles follow/, /counting /],
  [/^stream watch .*--admin/, /live page: /],
]

describe.skipIf(why !== undefined)(`every command of a page about Kafka${why === undefined ? "" : ` (${why})`}`, () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster(fresh("kafka"))
    const { addresses } = cluster
    for (const topic of ["searches", "released"]) await createTopic(addresses, topic, { partitions: 1 })
    const sender = await openSender(addresses, "searches")
    await sender.send(range(0, 500).map(jsonOf))
    await sender.close()
  })
  afterAll(() => cluster?.close())

  test.each(["kafka", "workers"])("docs/%s.md runs", async (page) => {
    const place = emptyFolder()
    await provide(place, "sample.tsv")
    let groups = 0
    const commands = commandsOf(pageAt(`docs/${page}.md`))
    expect(commands.length).toBeGreaterThan(0)
    for (const written of commands) {
      // A page that creates the group a second time is about another one.
      if (written.startsWith("stream topics create")) groups++
      const command = typedCommand(written, { values: {} })
        .replace(/kafka:\/\/broker-1:9092(?:,broker-2:9092)?\//g, `kafka://${cluster.addresses}/`)
        .replace(/\/group(?=\s|$)/, `/group-${groups}`)
        .replace(/^stream run/, "stream run --no-admin")
        .replace("--admin 127.0.0.1:9480", "--admin 127.0.0.1:0")
      const until = untilStopped.find(([what]) => what.test(command))?.[1]
      const { code, told } = await runCommands(`npx queryveil ${command}`, { ...place, until })
      expect([0, 4], `queryveil ${command}\n${told}`).toContain(code) // 4: no profile has enough users
    }
  })
})
