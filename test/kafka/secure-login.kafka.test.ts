import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createTopic, openReader, openSender } from "../../servers/kafka-client.ts"
import { type Cluster, startCluster, whyNoKafka } from "../../servers/kafka-cluster.ts"
import { makeCertificate } from "../support/make-certificate.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { errorOf, jsonOf, range, startRun, summaryOf, topicsFile } from "./kafka-run.ts"

const why = whyNoKafka()
const { fresh, write } = scratchFolder()
const topics = write(topicsFile, "topics.tsv")

/** A file in one line, as a Java properties file wants it. */
const inOneLine = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n").join("\\n\\\n")

describe.skipIf(why !== undefined)(`a cluster with logins over TLS${why === undefined ? "" : ` (${why})`}`, () => {
  const folder = fresh("secure")
  let cluster: Cluster
  let certificate: string
  let secure = ""

  beforeAll(async () => {
    const made = makeCertificate(write("", "x").replace(/[^/]+$/, ""))
    certificate = made.certificate
    const module = "org.apache.kafka.common.security"
    const plain = `${module}.plain.PlainLoginModule`
    cluster = await startCluster(folder, {
      login: { scram: "SCRAM-SHA-512=[name=ann,password=s3cret-ann]" },
      settings: {
        "ssl.keystore.type": "PEM",
        "ssl.keystore.certificate.chain": inOneLine(made.certificate),
        "ssl.keystore.key": inOneLine(made.key),
        "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-512",
        "listener.name.secure.plain.sasl.jaas.config": `${plain} required user_bob="s3cret-bob";`,
        "listener.name.secure.scram-sha-512.sasl.jaas.config": `${module}.scram.ScramLoginModule required;`,
      },
    })
    secure = cluster.secure ?? ""
    await createTopic(cluster.addresses, "searches")
    await createTopic(cluster.addresses, "released")
    const sender = await openSender(cluster.addresses, "searches")
    await sender.send(range(0, 200).map(jsonOf))
    await sender.close()
  })
  afterAll(async () => cluster?.close())

  const settingsFile = (settings: Record<string, string>) => {
    const path = write("", `${Math.random()}.json`)
    writeFileSync(
      path,
      JSON.stringify({ "security.protocol": "SASL_SSL", "ssl.ca.location": certificate, ...settings }),
    )
    chmodSync(path, 0o600)
    return path
  }
  const places = (config: string, store = fresh("store")) => ({
    store,
    topics,
    input: `kafka://${secure}/searches?stop=end&config=${config}`,
    output: `kafka://${secure}/released?config=${config}`,
  })

  test("a stream logs in by SCRAM and by PLAIN, and its settings are checked over the same way", async () => {
    const scram = { "sasl.mechanism": "SCRAM-SHA-512", "sasl.username": "ann", "sasl.password": "s3cret-ann" }
    const store = fresh("store")
    const first = await summaryOf(startRun(places(settingsFile(scram), store)).ended)
    expect(first.taken).toBe(200)
    expect(first.stderr).not.toMatch(/cannot be checked/)
    const sender = await openSender(cluster.addresses, "searches")
    await sender.send(range(200, 400).map(jsonOf))
    await sender.close()
    const plain = { "sasl.mechanism": "PLAIN", "sasl.username": "bob", "sasl.password": "s3cret-bob" }
    const second = await summaryOf(startRun(places(settingsFile(plain), store)).ended)
    expect(second.taken).toBe(400)
    const reader = await openReader(cluster.addresses, "released", { isolation: "read_committed" })
    expect((await reader.rest()).length).toBe(second.released)
    await reader.close()
  })

  test("a wrong password is refused, and appears in no message", async () => {
    const wrong = { "sasl.mechanism": "PLAIN", "sasl.username": "bob", "sasl.password": "s3cret-guess" }
    const { ended } = startRun(places(settingsFile(wrong)))
    expect(await errorOf(ended)).toMatchObject({ code: "kafka-unreachable" })
    const { stderr, stdout } = await ended
    expect(stderr + stdout).not.toMatch(/s3cret/)
  })
})
