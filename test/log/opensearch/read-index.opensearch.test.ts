import { once } from "node:events"
import { readFileSync } from "node:fs"
import { request } from "node:http"
import { createServer } from "node:https"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { indexInput } from "#dist/log/opensearch/index-input.js"
import { makeCertificate, missingServer, SearchServer, type ServerKind } from "../../../bench/search-server.ts"
import { runCli, startCli } from "../../support/run-cli.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"

const { folder, fresh, write } = scratchFolder()

const ubi = {
  timestamp: { type: "date" },
  query_id: { type: "keyword" },
  client_id: { type: "keyword" },
  user_query: { type: "keyword" },
  action_name: { type: "keyword" },
}
const day = (number: number) => `2026-01-${String(number).padStart(2, "0")}T00:00:00Z`
const searchAt = (i: number, timestamp: string) => ({
  query_id: `q${i}`,
  client_id: `c${i % 50}`,
  user_query: `word ${i % 20}`,
  query: "the whole request, which is never asked for",
  timestamp,
})
const searches = (count: number, timestamp = day(1)) => Array.from({ length: count }, (_, i) => searchAt(i, timestamp))

const variables = ["USER", "PASSWORD", "CA", "CREDENTIALS"].map((name) => `QUERYVEIL_OPENSEARCH_${name}`)
afterEach(() => {
  for (const name of variables) delete process.env[name]
})

const range = { now: Date.parse("2026-06-01T00:00:00Z"), range: {}, columns: undefined, format: "auto" }

async function readLines(
  place: string,
  options: Partial<Parameters<typeof indexInput>[1]> = {},
  onChunk: (number: number) => Promise<unknown> = async () => {},
): Promise<string[]> {
  const { remote } = indexInput(place, { ...range, ...options })
  const chunks: Buffer[] = []
  for await (const chunk of remote?.read(undefined) ?? []) {
    chunks.push(chunk)
    await onChunk(chunks.length)
  }
  return Buffer.concat(chunks).toString("utf8").trimEnd().split("\n")
}

const idsOf = (lines: readonly string[]) => lines.map((line) => String(JSON.parse(line).query_id))
const inOrder = (count: number) => Array.from({ length: count }, (_, i) => `q${i}`).sort()

describe.each<ServerKind>(["opensearch", "elasticsearch"])("an index of %s", (kind) => {
  const isMissing = missingServer(kind) !== undefined
  let server: SearchServer
  beforeAll(async () => {
    if (!isMissing) server = await SearchServer.start(kind)
  })
  afterAll(() => server?.stop())

  test.skipIf(isMissing)("of ten shards and one time is read whole by pages of seven, in one order", async () => {
    await server.createIndex("ties", { shards: 10, properties: ubi })
    await server.addDocuments("ties", searches(1000))
    const lines = await readLines(server.place("ties"), { pageSize: 7, slices: 3 })
    expect(idsOf(lines).sort()).toEqual(inOrder(1000))
    expect(await readLines(server.place("ties"))).toEqual(lines)
    expect(await server.openContexts()).toBe(0)
  })

  test.skipIf(isMissing)("is read with its events, by alias, by pattern, and with times in nanoseconds", async () => {
    await server.createIndex("ubi_queries", { shards: 2, properties: ubi })
    await server.createIndex("ubi_events", { properties: { ...ubi, timestamp: { type: "date_nanos" } } })
    await server.addDocuments("ubi_queries", searches(300))
    const events = Array.from({ length: 100 }, (_, i) => ({
      query_id: `q${i}`,
      client_id: `c${i % 50}`,
      action_name: "click",
      timestamp: `2026-01-01T00:00:01.${String(123_456_000 + i)}Z`,
      event_attributes: { object: { object_id: `p${i % 5}` }, position: { ordinal: 1 } },
    }))
    await server.addDocuments("ubi_events", events)
    await server.ask("POST", "/_aliases", { actions: [{ add: { index: "ubi_*", alias: "behaviour" } }] })
    const lines = await readLines(server.place("ubi_queries,ubi_events"), { pageSize: 30 })
    expect(lines).toHaveLength(400)
    expect(await readLines(server.place("ubi_*"))).toEqual(lines)
    expect(await readLines(server.place("behaviour"))).toEqual(lines)
    expect(lines.join()).not.toContain("the whole request")
    const { stdout, code } = await runCli(["inspect", server.place("ubi_*"), "--json"])
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, size: { users: 50, urls: 5 } })
  })

  test.skipIf(isMissing)("is read within a range and a filter, which verify uses again", async () => {
    await server.createIndex("range", { shards: 3, properties: { ...ubi, application: { type: "keyword" } } })
    const documents = Array.from({ length: 600 }, (_, i) => ({
      ...searchAt(i, day(1 + (i % 6))),
      application: i % 2 === 0 ? "shop" : "blog",
    }))
    await server.addDocuments("range", documents)
    const [release, audit] = [fresh("release"), fresh("audit")]
    const filter = write('{"query": {"term": {"application": "shop"}}}')
    const place = server.place("range")
    const given = [place, "-k", "2", "-o", release, "--audit", audit]
    const limits = ["--since", "2026-01-02", "--until", "2026-01-06T00:00:00Z", "--filter", filter]
    const made = await runCli(["anonymize", "equality", ...given, ...limits, "--json"])
    expect(made.code).toBe(0)
    const receipt = JSON.parse(readFileSync(`${release}.receipt.json`, "utf8"))
    expect(receipt.input.files[0]).toMatchObject({
      path: place,
      index: {
        since: "2026-01-02T00:00:00.000Z",
        until: "2026-01-06T00:00:00.000Z",
        filter: { term: { application: "shop" } },
        documents: 200,
      },
    })
    const verify = () => runCli(["verify", release, "--against", place, "--audit", audit])
    const same = await verify()
    expect(same).toMatchObject({ code: 0, stderr: expect.not.stringContaining("changed") })
    await server.addDocuments("range", [{ ...searchAt(9000, day(3)), application: "blog" }]) // outside the filter
    expect(await verify()).toMatchObject({ code: 0, stderr: expect.not.stringContaining("changed") })
    await server.addDocuments("range", [{ ...searchAt(9001, day(3)), application: "shop" }])
    expect((await verify()).stderr).toContain("the index has changed since the release (200 documents then, 201 now)")
  })

  test.skipIf(isMissing)("is read on after its point in time expired, and not if it changed", async () => {
    await server.createIndex("expiry", { shards: 2, properties: ubi })
    await server.addDocuments("expiry", searches(2000))
    const forget = () =>
      kind === "opensearch"
        ? server.ask("DELETE", "/_search/point_in_time/_all")
        : server.ask("POST", "/expiry/_close").then(() => server.ask("POST", "/expiry/_open?wait_for_active_shards=1"))
    const lines = await readLines(server.place("expiry"), { pageSize: 100, slices: 2 }, async (number) => {
      if (number % 5 === 0) await forget()
    })
    expect(idsOf(lines).sort()).toEqual(inOrder(2000))
    const changing = readLines(server.place("expiry"), { pageSize: 100, slices: 2 }, async (number) => {
      if (number === 3) await server.addDocuments("expiry", [searchAt(99, day(1))]).then(forget)
    })
    await expect(changing).rejects.toMatchObject({ code: "input-changed" })
    expect(await server.openContexts()).toBe(0)
  })

  test.skipIf(isMissing)("is read once although the server is killed and started again", async () => {
    await server.createIndex("killed", { shards: 2, properties: ubi })
    await server.addDocuments("killed", searches(2000))
    const lines = await readLines(server.place("killed"), { pageSize: 100, slices: 2 }, async (number) => {
      if (number !== 6) return
      await server.kill()
      server.restart() // the reader waits for it
    })
    expect(idsOf(lines).sort()).toEqual(inOrder(2000))
  })

  test.skipIf(isMissing)("keeps no point in time when the reader is interrupted", async () => {
    await server.createIndex("interrupted", { properties: { ...ubi, query: { type: "text", index: false } } })
    const long = searches(60_000).map((document) => ({ ...document, user_query: `${document.user_query} word` }))
    await server.addDocuments("interrupted", long)
    const { child, ended } = startCli(["inspect", server.place("interrupted")])
    await new Promise<void>((resolve) => {
      child.stderr.on("data", (text: string) => {
        if (text.includes("documents")) resolve()
      })
    })
    expect(await server.openContexts()).toBeGreaterThan(0)
    child.kill("SIGINT")
    expect(await ended).toMatchObject({ code: 130, stderr: expect.stringContaining("Interrupted") })
    // The searches that were under way end by themselves. A point in time would stay for five minutes.
    await expect.poll(() => server.openContexts(), { timeout: 30_000 }).toBe(0)
  })

  test.skipIf(isMissing)(
    "without a user, or without dates, or with mappings that disagree, is refused with what to do",
    async () => {
      await server.createIndex("anonymous", { properties: { timestamp: { type: "date" } } })
      await server.addDocuments("anonymous", [{ phrase: "s3cret", timestamp: day(1) }])
      const refused = await runCli(["inspect", server.place("anonymous")])
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/no member has a name that means a user/),
      })
      expect(refused.stderr).not.toContain("s3cret")
      await server.createIndex("logs-1", { properties: ubi })
      await server.createIndex("logs-2", { properties: { ...ubi, timestamp: { type: "keyword" } } })
      await server.addDocuments("logs-1", searches(3))
      await server.addDocuments("logs-2", searches(3))
      expect(await runCli(["inspect", server.place("logs-*")])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("the field timestamp has several types: date in logs-1; keyword in logs-2"),
      })
      await server.createIndex("numbers", { properties: { at: { type: "long" }, user: { type: "keyword" } } })
      const untimed = searches(20).map((_, i) => ({ at: 1_767_225_600 + i, user: `u${i}`, q: "word" }))
      await server.addDocuments("numbers", untimed)
      expect(await runCli(["inspect", server.place("numbers"), "--json"])).toMatchObject({ code: 0 })
      expect(await runCli(["inspect", server.place("numbers"), "--since", "2026-01-01"])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("no field of times that is mapped as a date"),
      })
      expect(await runCli(["inspect", server.place("nowhere")])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("there is no such index"),
      })
      expect(await runCli(["inspect", server.place("nowhere-*")])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("no index matches"),
      })
    },
  )

  test.skipIf(isMissing || kind === "elasticsearch")("can be a data stream", async () => {
    const template = {
      index_patterns: ["clicks*"],
      data_stream: {},
      template: { mappings: { properties: { visitor: { type: "keyword" } } } },
    }
    await server.ask("PUT", "/_index_template/clicks", template)
    const lines = searches(40).map(({ timestamp }, i) => ({ "@timestamp": timestamp, visitor: `v${i % 7}`, q: "word" }))
    const body = lines.map((line) => `{"create":{}}\n${JSON.stringify(line)}\n`).join("")
    await server.ask("POST", "/clicks/_bulk?refresh=true", body)
    await server.ask("POST", "/clicks/_rollover")
    await server.ask("POST", "/clicks/_bulk?refresh=true", body)
    const { stdout, stderr } = await runCli(["inspect", server.place("clicks"), "--json"])
    expect(JSON.parse(stdout)).toMatchObject({ size: { rows: 80, users: 7 } })
    expect(stderr).toContain("reading 80 documents (@timestamp until")
  })

  test.skipIf(isMissing)("behind TLS and a password is read with both, and no error shows the password", async () => {
    await server.createIndex("secured", { properties: ubi })
    await server.addDocuments("secured", searches(30))
    const { key, cert } = makeCertificate(folder)
    const wanted = `Basic ${Buffer.from("ann:s3cret").toString("base64")}`
    const proxy = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (asked, answer) => {
      if (asked.headers.authorization !== wanted) {
        answer.writeHead(401, { "content-type": "application/json" }).end('{"error":"who are you, s3cret?"}')
        return
      }
      const { method, url: path, headers } = asked
      const onward = request({ host: "127.0.0.1", port: server.port, method, path, headers }, (given) => {
        answer.writeHead(given.statusCode ?? 500, given.headers)
        given.pipe(answer)
      })
      asked.pipe(onward)
    }).listen(0, "127.0.0.1")
    await once(proxy, "listening")
    const address = proxy.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const place = `${kind}+https://127.0.0.1:${port}/secured`
    const inspect = (to = place) => runCli(["inspect", to, "--json", "--debug"])
    try {
      expect(await inspect()).toMatchObject({ code: 1, stderr: expect.stringContaining("certificate is not trusted") })
      process.env.QUERYVEIL_OPENSEARCH_CA = cert
      const nobody = await inspect()
      expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining("status 401") })
      process.env.QUERYVEIL_OPENSEARCH_USER = "ann"
      process.env.QUERYVEIL_OPENSEARCH_PASSWORD = "s3cret, but wrong"
      const wrong = await inspect()
      expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("status 401") })
      process.env.QUERYVEIL_OPENSEARCH_PASSWORD = "s3cret"
      const right = await inspect()
      expect(right.code).toBe(0)
      expect(JSON.parse(right.stdout)).toMatchObject({ size: { rows: 30 } })
      const release = fresh("release")
      expect(await runCli(["anonymize", "equality", place, "-k", "1", "-o", release])).toMatchObject({ code: 0 })
      expect(readFileSync(`${release}.receipt.json`, "utf8")).not.toContain("s3cret")
      expect(readFileSync(`${release}.receipt.json`, "utf8")).not.toContain("ann")
      const plain = await inspect(place.replace("+https", ""))
      expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining(`write ${kind}+https://`) })
      const inUrl = await inspect(place.replace("://", "://ann:s3cret@"))
      expect(inUrl).toMatchObject({ code: 2, stderr: expect.stringContaining("user name or password in it") })
      for (const { stdout, stderr } of [nobody, wrong, right, plain, inUrl])
        expect(stdout + stderr).not.toContain("s3cret")
    } finally {
      proxy.closeAllConnections()
      proxy.close()
    }
  })
})
