import { once } from "node:events"
import { appendFileSync, readdirSync, readFileSync, statSync, truncateSync } from "node:fs"
import { get, type IncomingMessage } from "node:http"
import { type AddressInfo, connect, createServer } from "node:net"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { planRun, type RunFlags } from "#dist/cli/commands/stream/places.js"
import { aolText, type Search } from "../support/aol-log.ts"
import { hears, startStream } from "../support/live-cli.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { classifierText, taxonomyText, townSearches } from "../swap/town.ts"

const { fresh, write, at } = scratchFolder()
const searches = townSearches({ users: 60, each: 10 })
const taxonomy = write(taxonomyText, "topics.tsv")
const base = ["--taxonomy", taxonomy, "--classifier", write(classifierText(searches), "queries.tsv")]
const options = [...base, "--k", "3", "--depth", "2", "--workers", "1"]
const quiet = [...options, "--no-admin"]

const rowsOf = (text: string) => text.trimEnd().split("\n").slice(1)
const texts = (rows: readonly string[], column: number) => rows.map((row) => row.split("\t")[column]).sort()
const record = ({ user, query }: Search) => JSON.stringify({ user, query, time: "2006-03-01T00:00:00Z" })

describe("stream run", () => {
  test("releases what it reads from a file into another, and a second run adds only what is new", async () => {
    const [store, output] = [fresh("store"), fresh("out")]
    const log = write(aolText(searches.slice(0, 400)))
    const run = () => runCli(["stream", "run", ...quiet, "--store", store, "--input", log, "-o", output, "--json"])
    const first = await run()
    expect(first.code).toBe(0)
    const before = readFileSync(output, "utf8")
    const summary = JSON.parse(first.stdout)
    expect(rowsOf(before)).toHaveLength(summary.released)
    expect(summary.released).toBeGreaterThan(50)
    expect(JSON.parse((await run()).stdout)).toMatchObject({ lines: summary.lines, released: summary.released })
    expect(readFileSync(output, "utf8")).toBe(before)
    write(aolText(searches), log.split("/").at(-1))
    expect(JSON.parse((await run()).stdout).released).toBeGreaterThan(summary.released)
    expect(readFileSync(output, "utf8").startsWith(before)).toBe(true)
  })

  test("reads several files at once, and resumes each where it stopped", async () => {
    const [store, output] = [fresh("store"), fresh("out")]
    const [a, b] = [write(aolText(searches.slice(0, 200))), write(aolText(searches.slice(200, 400)))]
    const run = async (...inputs: string[]) => {
      const { code, stdout } = await runCli([
        "stream",
        "run",
        ...quiet,
        "--store",
        store,
        "--input",
        ...inputs,
        "-o",
        output,
        "--json",
      ])
      expect(code).toBe(0)
      return JSON.parse(stdout)
    }
    expect((await run(a, b)).lines).toBe(402) // including the headers
    expect((await run(`file:${b}`, a)).lines).toBe(402)
    appendFileSync(b, aolText(searches.slice(400, 500)).split("\n").slice(1).join("\n"))
    expect((await run(a, b)).lines).toBe(502)
    const c = write(aolText(searches.slice(500)))
    expect((await run(c, a, b)).lines).toBe(503 + searches.length - 500)
  })

  test("sorts a file by time, so that no search is shown too early; in a pipe, late searches are counted", async () => {
    const byUser = [...searches].sort((a, b) => a.user.localeCompare(b.user))
    const output = fresh("out")
    const args = ["stream", "run", ...quiet, "--store", fresh("store"), "--time", "exact", "--json"]
    const log = write(aolText(byUser))
    const { code, stdout, stderr } = await runCli([...args, "--input", log, "-o", output])
    expect(code).toBe(0)
    expect(stderr).toMatch(/is not ordered by time. It is sorted first/)
    const summary = JSON.parse(stdout)
    expect(summary.late).toEqual({ records: 0, seconds: 0 })
    const first = new Map<string, string>()
    for (const { query, time } of searches) if (!((first.get(query) ?? "~") < time)) first.set(query, time)
    const isAfter = (row: string) => {
      const [, query = "", time = ""] = row.split("\t")
      return time >= (first.get(query) ?? "~")
    }
    const rows = rowsOf(readFileSync(output, "utf8"))
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.every(isAfter)).toBe(true)

    const piped = ["stream", "run", ...quiet, "--store", fresh("store"), "--to", "jsonl", "--time", "exact"]
    const pipe = await runCli(piped, { stdin: aolText(byUser) })
    expect(pipe.stderr).toMatch(/warning: Searches arrive out of order/)
    expect(pipe.stderr).toMatch(/after a search with a later time +\d/)
    for (const line of pipe.stdout.trimEnd().split("\n")) {
      const { query, time } = JSON.parse(line)
      expect(time >= (first.get(query) ?? "~")).toBe(true)
    }
  })

  test("reads the standard input, writes to the standard output, and reports the outcome on stderr", async () => {
    const text = aolText(searches)
    const { code, stdout, stderr } = await runCli(["stream", "run", ...quiet, "--store", fresh("store")], {
      stdin: text,
      spawned: true,
    })
    expect(code).toBe(0)
    const rows = rowsOf(stdout)
    expect(rows.map((row) => Number(row.split("\t")[0]))).toEqual(rows.map((_, i) => i)) // numbered without a gap
    const read = new Set(searches.map(({ query }) => query))
    expect(texts(rows, 2).every((query) => read.has(query))).toBe(true)
    expect(stderr).toMatch(/released +\d/)
    for (const { user } of searches) expect(texts(rows, 1)).not.toContain(user)
  })

  test("ends with 0 when the reader of its output closes the pipe", async () => {
    const many = townSearches({ users: 1500, each: 10 }) // their releases do not fit into a pipe
    const stdin = aolText(many)
    const shell = '"$@" | head -n 1; exit $PIPESTATUS'
    const result = await runCli(["stream", "run", ...quiet, "--store", fresh("store")], { stdin, shell })
    expect(result.code).toBe(0)
    expect(result.stdout.split("\n")).toHaveLength(2)
    expect(result.stderr).not.toMatch(/released/) // it did not reach its end
  })

  test("says on which inputs it listens once it takes records", async () => {
    const input = write(aolText(searches))
    const places = ["-", input, `unix:${fresh("socket")}`, "tcp://127.0.0.1:0", "http"]
    const run = [...quiet, "--store", fresh("store"), "-o", fresh("out"), "--http", "127.0.0.1:0"]
    const { child, ended } = startStream([...run, "--input", ...places])
    const awaited = [
      "listening on the standard input\n",
      `listening on ${input}\n`,
      `listening on ${places[2]}\n`,
      "listening on tcp://127.0.0.1:",
      "listening on http://127.0.0.1:",
    ]
    await hears(child, (told) => awaited.every((line) => told.includes(line)))
    child.kill("SIGTERM")
    expect((await ended).code).toBe(0)
    const silent = await runCli([
      "stream",
      "run",
      ...run,
      "--store",
      fresh("store"),
      "--input",
      input,
      "-o",
      fresh("out"),
      "--quiet",
    ])
    expect([silent.code, silent.stderr]).toEqual([0, ""])
  })

  test("on SIGTERM releases what is due, and continues with the rest in the next run", async () => {
    const [store, output] = [fresh("store"), fresh("out")]
    const args = [...quiet, "--store", store, "--input", "tcp://127.0.0.1:0", "-o", output, "--json"]
    const send = async (some: readonly Search[]) => {
      const { child, ended, listening } = startStream(args)
      const client = connect(Number((await listening).port), "127.0.0.1")
      client.end(aolText(some))
      await once(client, "close") // everything was read
      child.kill("SIGTERM")
      const { code, stdout } = await ended
      expect(code).toBe(0)
      return JSON.parse(stdout)
    }
    const first = await send(searches.slice(0, 300))
    expect(first.waiting + first.released).toBe(first.taken)
    expect(rowsOf(readFileSync(output, "utf8"))).toHaveLength(first.released)
    const second = await send(searches.slice(300))
    expect(second.resumed).toMatchObject({ waiting: first.waiting, repeated: 0, cut: 0 })
    expect(second.lines).toBeGreaterThan(first.lines)
    expect(rowsOf(readFileSync(output, "utf8"))).toHaveLength(second.released)
  })

  test("waits on SIGTERM for a blocked output; a second one ends it, and nothing is lost", async () => {
    const store = fresh("store")
    const place = createServer().listen(0, "127.0.0.1")
    await once(place, "listening")
    const { port } = place.address() as AddressInfo
    place.close()
    await once(place, "close")
    const flags = [...quiet, "--store", store, "--input", "tcp://:0", "--to", "jsonl"]
    const { child, ended, listening } = startStream([...flags, "-o", `tcp://127.0.0.1:${port}`])
    const client = connect(Number((await listening).port), "127.0.0.1")
    const lacksReader = hears(child, (told) => told.includes("cannot be reached")) // its output is in the journal
    client.end(aolText(searches))
    await lacksReader
    const stopping = hears(child, (told) => told.includes("stopping"))
    child.kill("SIGTERM")
    await stopping
    child.kill("SIGTERM")
    expect((await ended).code).toBe(130)
    // A reader that waits for the output finds everything in the next run.
    const got = new Promise<string>((resolve) => {
      const reader = createServer(async (socket) => {
        let text = ""
        for await (const chunk of socket) text += chunk
        reader.close()
        resolve(text)
      }).listen(port, "127.0.0.1")
    })
    const next = await runCli([
      "stream",
      "run",
      ...quiet,
      "--store",
      store,
      "--to",
      "jsonl",
      "-o",
      `tcp://:${port}`,
      "--json",
    ])
    const { released } = JSON.parse(next.stdout)
    const numbers = (await got)
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).seq)
    expect(numbers).toEqual(Array.from({ length: released }, (_, i) => i))
    expect(released).toBeGreaterThan(50)
  })

  test("takes records over HTTP and sends releases to subscribers, which resume after a restart", async () => {
    const store = fresh("store")
    const args = [
      ...options,
      "--store",
      store,
      "--input",
      "http",
      "-o",
      "http",
      "--http",
      "127.0.0.1:0",
      "--admin",
      "0",
    ]
    async function session(some: readonly Search[], after: number): Promise<number[]> {
      const { child, ended, listening } = startStream(args)
      const url = await listening
      const answer = await fetch(new URL("/records", url), {
        method: "POST",
        body: some.map(record).join("\n"),
        headers: { "content-type": "application/x-ndjson" },
      })
      expect(await answer.json()).toMatchObject({ rejectedTotal: 0 })
      const request = get(new URL(`/stream?after=${after}`, url))
      const [releases]: IncomingMessage[] = await once(request, "response")
      expect(releases.statusCode).toBe(200)
      child.kill("SIGTERM")
      let text = ""
      for await (const chunk of releases) text += chunk // what is due comes before the end
      expect((await ended).code).toBe(0)
      return text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).seq)
    }
    const first = await session(searches.slice(0, 300), -1)
    expect(first).toEqual(first.map((_, i) => i))
    const half = first[Math.floor(first.length / 2)]
    const second = await session(searches.slice(300), half)
    expect(second).toEqual(second.map((_, i) => half + 1 + i))
    expect(second.at(-1)).toBeGreaterThan(first.at(-1) ?? 0)
    expect(statSync(`${store}/admin-token`).mode & 0o777).toBe(0o600)
  })

  test("answers the operator on loopback, with the token of the store, which is never logged", async () => {
    const store = fresh("store")
    const { child, ended } = startStream([
      ...options,
      "--store",
      store,
      "--input",
      "http",
      "--http",
      "0",
      "--admin",
      "0",
    ])
    const admin = await hears(child, (told) => /live page: (\S+)\n/.exec(told)?.[1])
    const token = readFileSync(`${store}/admin-token`, "utf8").trim()
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    expect((await fetch(new URL("/figures", admin))).status).toBe(403)
    expect(await (await fetch(new URL("/health", admin))).json()).toEqual({ state: "running", checkpoint: "ok" })
    expect(await (await fetch(new URL("/metrics", admin), { headers })).text()).toMatch(/^# HELP/)
    const changed = await fetch(new URL("/config", admin), { method: "PUT", headers, body: '{"k":5}' })
    expect(await changed.json()).toMatchObject({ k: 5 })
    const wrong = await fetch(new URL("/config", admin), { method: "PUT", headers, body: '{"withhold":["no/such"]}' })
    expect(wrong.status).toBe(400)
    child.kill("SIGTERM")
    const { stderr, code } = await ended
    expect(code).toBe(0)
    expect(stderr).not.toContain(token)
  })

  test("refuses options that exclude each other before it touches anything", async () => {
    const store = at("never")
    const { code, stderr } = await runCli(["stream", "run", ...options, "--store", store, "--follow"])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--follow needs a file/)])
    expect(() => statSync(store)).toThrow()
    const refusals: [RunFlags, RegExp][] = [
      [{ input: ["log.txt", "./log.txt"] }, /named twice/],
      [{ output: "http", to: "tsv" }, /NDJSON/],
      [{ input: ["ftp://host/file"] }, /unknown scheme ftp:.*tcp:\/\/HOST:PORT.*http/],
      [{ output: "kafka:topic" }, /Give kafka:\/\/HOST:PORT/],
      [{ input: ["kafka://a/t"], output: "kafka://b/t" }, /is also an --input/],
      [{ input: ["kafka://a/t?dead-letter=r"], output: "kafka://a/r" }, /dead letters would go to kafka:r/],
      [{ input: ["kafka://a/t?dead-letter=u", "kafka://a/u"] }, /dead letters would go to kafka:u/],
      [{ input: ["http://elsewhere"] }, /Give http alone/],
      [{ encoding: "utf-16le" }, /UTF-16/],
      [{ format: "parquet" }, /line by line/],
      [{ allowOrigin: ["shop"] }, /not an origin/],
      [{ http: "host" }, /not an address/],
    ]
    for (const [flags, message] of refusals) expect(() => planRun(flags)).toThrow(message)
  })

  test("warns of what voids or weakens the promise", async () => {
    const flags = ["--urls", "keep", "--users", "keep", "--mode", "paper"]
    const { stderr } = await runCli(["stream", "run", ...quiet, "--store", fresh("store"), ...flags], {
      stdin: aolText(searches.slice(0, 5)),
    })
    for (const text of [/--urls keep/, /--users keep/, /--mode paper/]) expect(stderr).toMatch(text)
  })
})

describe("stream profiles", () => {
  test("shows the topics under which a user was shown, and exports all but topics of few users", async () => {
    const store = fresh("store")
    await runCli(["stream", "run", ...quiet, "--store", store, "-o", fresh("out")], { stdin: aolText(searches) })
    const look = ["--store", store, "--taxonomy", taxonomy]
    const exported = await runCli(["stream", "profiles", "export", ...look, "--k", "1"])
    expect(exported.code).toBe(0)
    const rows = rowsOf(exported.stdout)
    expect(rows.length).toBeGreaterThan(50)
    expect(exported.stderr).toMatch(/as of release \d+/)
    const users = (path: string) =>
      new Set(rows.filter((row) => row.includes(`\t${path}\t`)).map((row) => row.split("\t")[0])).size
    const topic = rows[0].split("\t")[1]
    const none = await runCli(["stream", "profiles", "export", ...look, "--k", String(users(topic) + 1)])
    expect(none.stdout).not.toContain(`\t${topic}\t`)
    const all = await runCli(["stream", "profiles", "export", ...look, "--k", "1000", "--all-categories"])
    expect(all.stdout).toBe(exported.stdout)
    const user = rows[0].split("\t")[0]
    const { stdout } = await runCli(["stream", "profiles", user, ...look, "--k", "1", "--json"])
    const { topics } = JSON.parse(stdout)
    expect(topics.map(({ path, count }: { path: string; count: number }) => `${user}\t${path}\t${count}`)).toEqual(
      rows.filter((row) => row.startsWith(`${user}\t`)),
    )
    expect((await runCli(["stream", "profiles", "nobody", ...look])).code).toBe(2)
  })

  test("that are truncated are reported, and the stream continues", async () => {
    const [store, out] = [fresh("store"), fresh("out")]
    const run = ["stream", "run", ...quiet, "--store", store, "-o", out]
    await runCli(run, { stdin: aolText(searches) })
    const file = readdirSync(store).find((name) => name.startsWith("profiles-")) ?? ""
    truncateSync(join(store, file), 100)
    const look = ["--store", store, "--taxonomy", taxonomy]
    const refused = await runCli(["stream", "profiles", "export", ...look])
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(file)])
    const again = await runCli(run, { stdin: aolText(searches) })
    expect(again.code).toBe(0)
    expect(again.stderr).toMatch(/is damaged at byte 0 \(store-damaged\)/)
    const exported = await runCli(["stream", "profiles", "export", ...look, "--k", "1"])
    expect(exported.code).toBe(0)
    expect(exported.stderr).toMatch(/from release \d+ on/)
  })
})
