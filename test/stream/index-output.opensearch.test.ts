import { execFile } from "node:child_process"
import { appendFileSync, writeFileSync } from "node:fs"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { missingServer, SearchServer } from "../../bench/search-server.ts"
import { startStream } from "../support/live-cli.ts"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { linesOf, queryPaths, topicsFile } from "./live-run.ts"

const { fresh, write } = scratchFolder()
const isMissing = missingServer("opensearch") !== undefined

let server: SearchServer
beforeAll(async () => {
  // A short queue of writes, so that a busy cluster refuses some.
  if (!isMissing)
    server = await SearchServer.start("opensearch", ["thread_pool.write.size=1", "thread_pool.write.queue_size=1"])
})
afterAll(() => server?.stop())

/** Each query has one user, so a release shows whose it was. */
const recordOf = (i: number) => ({ user: `user-${(i * 7) % 60}`, query: `w${i}` })

interface Release {
  seq: number
  user: string
  query: string
}

/** Every document of an index, by the number of its release. */
async function releasesIn(index: string): Promise<Release[]> {
  await server.ask("POST", `/${index}/_refresh`)
  const { body } = await server.ask("POST", `/${index}/_search`, { size: 10_000, sort: ["seq"] })
  const { hits } = body as { hits: { hits: { _id: string; _source: Release }[] } }
  for (const { _id, _source } of hits.hits) expect(_id).toMatch(new RegExp(`^[0-9a-f]{16}-${_source.seq}$`))
  return hits.hits.map(({ _source }) => _source)
}

function streamArgs(index: string, { all, input }: { all: number; input: string }) {
  const topics = ["--taxonomy", write(topicsFile), "--classifier", write(queryPaths(all))]
  const places = ["--store", fresh("store"), "--input", input, "--output", server.place(index)]
  return [...places, ...topics, "--k", "3", "--depth", "2", "--users", "keep", "--checkpoint", "1", "--no-admin"]
}

/** Expects that nothing was lost, doubled or released under its own user. */
async function expectWhole(index: string, all: number, summary: Record<string, number> & { withheld: object }) {
  const released = await releasesIn(index)
  expect(released.map(({ seq }) => seq)).toEqual(released.map((_, i) => i))
  expect(new Set(released.map(({ query }) => query)).size).toBe(released.length)
  for (const { user, query } of released) expect(recordOf(Number(query.slice(1))).user).not.toBe(user)
  const withheld = Object.values<number>(summary.withheld as Record<string, number>).reduce((sum, n) => sum + n, 0)
  expect(summary).toMatchObject({ lines: all, released: released.length })
  expect((summary.released ?? 0) + (summary.waiting ?? 0) + withheld).toBe(all)
  expect(released.length).toBeGreaterThan(all / 2)
}

describe.skipIf(isMissing)("a stream that writes to an index", () => {
  test("writes each release once, with the mappings of releases", async () => {
    const all = 2000
    const input = write(linesOf(Array.from({ length: all }, (_, i) => recordOf(i))))
    const args = streamArgs("whole", { all, input })
    const { code, stdout } = await runCli(["stream", "run", ...args, "--json"])
    expect(code).toBe(0)
    await expectWhole("whole", all, JSON.parse(stdout))
    const { body } = await server.ask("GET", "/whole/_mapping")
    expect(body).toMatchObject({ whole: { mappings: { dynamic: "strict", properties: { time: { type: "date" } } } } })
    const again = await runCli(["stream", "run", ...streamArgs("whole", { all, input })])
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("documents that are not from this store") })
  })

  test("loses and doubles nothing while the cluster is busy and refuses writes", async () => {
    const all = 6000
    const input = write(linesOf(Array.from({ length: all }, (_, i) => recordOf(i))))
    await server.createIndex("noise", { shards: 3 })
    let isRunning = true
    const lines = '{"index":{}}\n{"text":"noise noise noise"}\n'.repeat(2000)
    const noise = Array.from({ length: 6 }, async () => {
      while (isRunning) await server.ask("POST", "/noise/_bulk", lines)
    })
    const { code, stdout } = await runCli(["stream", "run", ...streamArgs("busy", { all, input }), "--json"])
    isRunning = false
    await Promise.all(noise)
    expect(code).toBe(0)
    const { body } = await server.ask("GET", "/_nodes/stats/thread_pool?filter_path=**.write.rejected")
    expect(Number(/"rejected":(\d+)/.exec(JSON.stringify(body))?.[1])).toBeGreaterThan(0)
    await expectWhole("busy", all, JSON.parse(stdout))
  })

  test("loses and doubles nothing when the stream and the server are killed, again and again", async () => {
    const rounds = 6
    const perRound = 400
    const all = rounds * perRound
    const input = write("")
    const args = streamArgs("killed", { all, input })
    /** Waits until more than about this many searches were released. */
    const grows = async (searches: number) => {
      while ((await server.count("killed").catch(() => 0)) <= 0.9 * searches - 100) await wait(25)
    }
    for (let round = 0; round < rounds; round++) {
      const from = round * perRound
      appendFileSync(input, linesOf(Array.from({ length: perRound }, (_, i) => recordOf(from + i))))
      const { child, ended } = startCli(["stream", "run", ...args, "--follow", "--workers", "1", "--quiet"])
      await grows(round * perRound)
      if (round % 3 === 1) {
        await server.kill() // while the stream writes
        appendFileSync(input, linesOf(Array.from({ length: perRound }, (_, i) => recordOf(from + perRound + i))))
        await server.restart()
        await grows((round + 1) * perRound)
        round++
      }
      child.kill("SIGKILL")
      await ended
    }
    const last = await runCli(["stream", "run", ...args, "--json"])
    expect(last.code).toBe(0)
    await expectWhole("killed", all, JSON.parse(last.stdout))
  })

  test("waits for an index that refuses a release, names it without its text, and goes on when corrected", async () => {
    await server.createIndex("strict", { properties: { seq: { type: "long" } } })
    await server.ask("PUT", "/strict/_mapping", { dynamic: "strict" })
    const all = 200
    const input = write(linesOf(Array.from({ length: all }, (_, i) => recordOf(i))))
    const { child, ended } = startCli(["stream", "run", ...streamArgs("strict", { all, input }), "--json"])
    let said = ""
    await new Promise<void>((resolve) => {
      child.stderr.on("data", (text: string) => {
        said += text
        if (said.includes("refuses release")) resolve()
      })
    })
    expect(said).toMatch(/refuses release \d+ \(status 400, strict_dynamic_mapping_exception\)/)
    expect(said).not.toMatch(/\bw\d+\b/)
    expect(await server.count("strict")).toBe(0)
    await server.ask("PUT", "/strict/_mapping", { dynamic: true })
    const { code, stdout } = await ended
    expect(code).toBe(0)
    await expectWhole("strict", all, JSON.parse(stdout))
  })

  test("refuses an index that is ahead of its store", async () => {
    const all = 400
    const input = write("")
    writeFileSync(input, linesOf(Array.from({ length: 200 }, (_, i) => recordOf(i))))
    const args = streamArgs("ahead", { all, input })
    expect(await runCli(["stream", "run", ...args])).toMatchObject({ code: 0 })
    const released = (await releasesIn("ahead")).length
    const { body } = await server.ask("POST", "/ahead/_search", { size: 1 })
    const [, store] = /"_id":"([0-9a-f]{16})-/.exec(JSON.stringify(body)) ?? []
    await server.ask("PUT", `/ahead/_doc/${store}-${released}?refresh=true`, { seq: released })
    expect(await runCli(["stream", "run", ...args])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("has more releases than the store knows"),
    })
  })

  test("is a gateway: a collector sends UBI to it by _bulk, and only releases reach the cluster", async () => {
    const all = 600
    const input = "http"
    const args = [...streamArgs("gateway", { all, input }), "--http", "127.0.0.1:0"]
    const { child, ended, listening } = startStream([...args, "--users", "cell", "--json"])
    const url = await listening
    for (let from = 0; from < all; from += 100) {
      const documents = Array.from({ length: 100 }, (_, i) => {
        const { user, query } = recordOf(from + i)
        return { query_id: `q${from + i}`, client_id: user, user_query: query, timestamp: "2026-03-01T10:20:30Z" }
      })
      const body = documents.map((one) => `{"index":{"_index":"ubi_queries"}}\n${JSON.stringify(one)}\n`).join("")
      const headers = { "content-type": "application/x-ndjson" }
      const answer = await fetch(new URL("/_bulk", url), { method: "POST", body, headers })
      expect(await answer.json()).toMatchObject({ errors: false })
    }
    child.kill("SIGTERM")
    const { code } = await ended
    expect(code).toBe(0)
    const released = await releasesIn("gateway")
    expect(released.length).toBeGreaterThan(all / 2)
    const { body: indices } = await server.ask("GET", "/_cat/indices?format=json")
    expect(JSON.stringify(indices)).not.toContain("ubi_queries")
    for (const { user } of released) expect(user).not.toMatch(/^user-/)
  })

  test("is what examples/opensearch shows with one command, and it cleans up", async () => {
    const example = fileURLToPath(new URL("../../examples/opensearch/gateway.mjs", import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [example, server.place("").slice(0, -1)])
    expect(stdout).toMatch(/\d+ releases in queryveil-demo-released/)
    expect(stdout).toContain("Every promise was checked and kept.")
    const { body } = await server.ask("GET", "/_cat/indices?format=json")
    expect(JSON.stringify(body)).not.toContain("demo")
  })
})
