import type { ChildProcess } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { GroupFigures } from "#dist/stream/workers/group-figures.js"
import { createTopic, openSender } from "../../servers/kafka-client.ts"
import { type Cluster, grantRights, type Right, startCluster, whyNoKafka } from "../../servers/kafka-cluster.ts"
import { makeCertificate } from "../support/make-certificate.ts"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { jsonOf, range, topicsFile } from "./kafka-run.ts"

const why = whyNoKafka()
const { fresh, write } = scratchFolder()
const topics = write(topicsFile, "topics.tsv")

const users = ["owner", "classifier", "swapper", "follower", "watcher"] as const
type User = (typeof users)[number]

/** The rights of each user in the table of docs/workers.md, for the group `veil` with the input `searches`. */
const rights: Record<User, readonly string[]> = {
  owner: [
    ...["CREATE", "ALTER", "READ", "WRITE", "DESCRIBE_CONFIGS"].map((operation) => `TOPIC veil.* ${operation}`),
    ...["TOPIC searches DESCRIBE", "TOPIC searches DESCRIBE_CONFIGS", "GROUP veil.* READ"],
    "TRANSACTIONAL_ID veil.control WRITE",
  ],
  classifier: [
    ...["TOPIC searches READ", "TOPIC veil.plan READ", "TOPIC veil.plan WRITE", "TOPIC veil.classified.* WRITE"],
    ...["TOPIC veil.figures WRITE", "GROUP veil.classify READ", "GROUP veil.classify.members READ"],
    ...["GROUP veil.plan READ", "TRANSACTIONAL_ID veil.classify.* WRITE"],
  ],
  swapper: [
    ...["TOPIC searches DESCRIBE", "TOPIC veil.plan READ", "TOPIC veil.classified.* READ"],
    ...["TOPIC veil.changelog.* READ", "TOPIC veil.changelog.* WRITE", "TOPIC veil.released WRITE"],
    ...["TOPIC veil.figures WRITE", "GROUP veil.swap READ", "GROUP veil.swap.members READ"],
    ...["GROUP veil.plan READ", "TRANSACTIONAL_ID veil.swap.* WRITE"],
  ],
  follower: [
    ...["TOPIC veil.plan READ", "TOPIC veil.released READ", "TOPIC veil.released DESCRIBE_CONFIGS"],
    ...["TOPIC veil.figures WRITE", "GROUP veil.profiles READ", "GROUP veil.plan READ"],
  ],
  watcher: [
    "TOPIC searches DESCRIBE",
    "TOPIC veil.plan READ",
    "TOPIC veil.figures READ",
    "GROUP veil.plan READ",
    "GROUP veil.figures READ",
  ],
}

const loginModule = "org.apache.kafka.common.security.plain.PlainLoginModule"

/** A file in one line, as a Java properties file wants it. */
const inOneLine = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n").join("\\n\\\n")

describe.skipIf(why !== undefined)(`the rights of workers${why === undefined ? "" : ` (${why})`}`, () => {
  let cluster: Cluster
  let certificate: string
  const children = new Set<ChildProcess>()

  beforeAll(async () => {
    const made = makeCertificate(write("", "x").replace(/[^/]+$/, ""))
    certificate = made.certificate
    const passwords = users.map((user) => `user_${user}="of-${user}"`).join(" ")
    cluster = await startCluster(fresh("kafka"), {
      login: { scram: "SCRAM-SHA-512=[name=nobody,password=nothing]" },
      settings: {
        "ssl.keystore.type": "PEM",
        "ssl.keystore.certificate.chain": inOneLine(made.certificate),
        "ssl.keystore.key": inOneLine(made.key),
        "sasl.enabled.mechanisms": "PLAIN",
        "listener.name.secure.plain.sasl.jaas.config": `${loginModule} required ${passwords};`,
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS",
      },
    })
    await createTopic(cluster.addresses, "searches", { partitions: 2 })
    const granted = users.flatMap((user) => rights[user].map((right) => `${user} ${right}` as Right))
    grantRights(cluster.addresses, granted)
  })
  afterAll(async () => {
    for (const child of children) child.kill("SIGKILL")
    await cluster?.close()
  })

  const placeOf = (user: User) => {
    const login = { "sasl.mechanism": "PLAIN", "sasl.username": user, "sasl.password": `of-${user}` }
    const config = fresh("config.json")
    const settings = { "security.protocol": "SASL_SSL", "ssl.ca.location": certificate, ...login }
    writeFileSync(config, JSON.stringify(settings), { mode: 0o600 })
    return `kafka://${cluster.secure}/veil?config=${config}`
  }

  test("suffice as docs/workers.md lists them", async () => {
    const secret = fresh("secret")
    const taxonomy = ["--taxonomy", topics]
    const done = async (args: string[]) => {
      const { code, stderr } = await runCli([...args, "--json"])
      expect([code, code === 0 ? "" : stderr]).toEqual([0, ""])
    }
    await done([
      ...["stream", "topics", "create", placeOf("owner"), "--input", "searches", "--partitions", "2"],
      ...[
        "--secret",
        secret,
        ...taxonomy,
        "-k",
        "2",
        "--depth",
        "2",
        "--scrub",
        "none",
        "--users",
        "keep",
        "--category",
      ],
    ])
    const start = (user: User, command: string[], ...more: string[]) => {
      const run = startCli(["stream", ...command, placeOf(user), ...taxonomy, ...more, "--json"])
      children.add(run.child)
      return run
    }
    const session = ["--session-timeout", "6000"]
    const store = fresh("profiles")
    const runs = [
      start("classifier", ["classify"], ...session),
      start("swapper", ["swap"], "--secret", secret, ...session),
      start("follower", ["profiles", "follow"], "--store", store),
    ]
    const sender = await openSender(cluster.addresses, "searches")
    await sender.send(range(0, 500).map(jsonOf))
    const watch = async (): Promise<GroupFigures> => {
      const { code, stdout, stderr } = await runCli(["stream", "watch", placeOf("watcher"), "--json"])
      expect([code, stderr]).toEqual([0, ""])
      return JSON.parse(stdout)
    }
    const isDone = ({ released, waiting, lag }: GroupFigures) => released + waiting === 500 && lag.profiles === 0
    while (!isDone(await watch())) {
      expect(runs.map(({ child }) => child.exitCode)).toEqual([null, null, null])
      await wait(300)
    }
    await done(["stream", "change", placeOf("owner"), ...taxonomy, "-k", "3"])
    await done(["stream", "topics", "replan", placeOf("owner"), ...taxonomy, "--partitions", "3"])
    await sender.send(range(500, 1000).map(jsonOf))
    await sender.close()
    // The classifier has read the second half, and each partition of the new plan is worked on.
    const hasMoved = ({ partitions, lag }: GroupFigures) =>
      lag.classify === 0 && partitions.filter(({ plan, isWorking }) => plan === 2 && isWorking).length === 3
    while (!hasMoved(await watch())) {
      expect(runs.map(({ child }) => child.exitCode)).toEqual([null, null, null])
      await wait(300)
    }
    for (const { child } of runs) child.kill("SIGTERM")
    for (const { ended } of runs) {
      const { code, stderr } = await ended
      expect([code, code === 0 ? "" : stderr]).toEqual([0, ""])
      expect(stderr).not.toMatch(/authoriz|denied|not allowed/i)
    }
  })
})
