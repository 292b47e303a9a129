import { createHmac } from "node:crypto"
import { cpSync, readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { aolText } from "../support/aol-log.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { classifierText, taxonomyText, townSearches } from "../swap/town.ts"

const { fresh, write } = scratchFolder()
const searches = townSearches({ users: 60, each: 10 })
const options = [
  ...["--taxonomy", write(taxonomyText, "topics.tsv"), "--classifier", write(classifierText(searches), "queries.tsv")],
  ...["--k", "3", "--depth", "2", "--workers", "1", "--no-admin"],
]
const rowsOf = (text: string) => text.trimEnd().split("\n").slice(1)
const run = (args: readonly string[], stdin: string | Uint8Array = aolText(searches)) =>
  runCli(["stream", "run", ...args], { stdin })

describe("stream run --users", () => {
  test("is cell by default: no name is shown with two texts, and 1/k is promised", async () => {
    const output = fresh("out")
    const { code, stdout, stderr } = await run([...options, "--store", fresh("store"), "-o", output, "--json"])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      users: "cell",
      promised: true,
      reasons: [expect.stringMatching(/^Every cell has new names, .* at most 1\/3\.$/)],
    })
    expect(stderr).toMatch(/^promised: Every cell has new names/m)
    const rows = rowsOf(readFileSync(output, "utf8")).map((row) => row.split("\t"))
    const texts = new Map<string, Set<string>>()
    for (const [name = "", text = ""] of rows) texts.set(name, (texts.get(name) ?? new Set()).add(text))
    expect(rows.length).toBeGreaterThan(100)
    for (const [name, shown] of texts) expect([name.length, shown.size]).toEqual([13, 1])
  })

  test.each([
    ["day", /^warning: nothing is promised: Names that last a day can be linked/m],
    ["pseudonym", /^warning: nothing is promised: One name joins all searches of a person\.$/m],
  ])("%s promises nothing, says why at the start and at the end", async (users, why) => {
    const { stdout, stderr } = await run([...options, "--users", users, "--store", fresh("store"), "-o", fresh("out")])
    expect(stderr).toMatch(why)
    expect(stdout).toMatch(/nothing is promised: /)
  })

  test("session is refused, on the command line and in a file of options", async () => {
    const store = fresh("store")
    const refusal = /--users session: a worker that owns one category cannot see a user's sessions\. Use cell or day\./
    const config = write(JSON.stringify({ users: "session" }), "config.json")
    for (const given of [
      ["--users", "session"],
      ["--config", config],
    ]) {
      const { code, stderr } = await run([...options, ...given, "--store", store])
      expect([code, stderr]).toEqual([2, expect.stringMatching(refusal)])
    }
  })
})

describe("stream run --cell-texts", () => {
  test("distinct: nobody is shown with their own text; any: a cell may repeat a text", async () => {
    const few = searches.map((search) => ({ ...search, query: search.query.replace(/[e-p]$/, "a") }))
    const summary = async (...given: string[]) => {
      const { stdout } = await run(
        [...options, ...given, "--store", fresh("store"), "-o", fresh("out"), "--json"],
        aolText(few),
      )
      return JSON.parse(stdout).withheld
    }
    expect((await summary())["same text"]).toBeGreaterThan(10)
    expect(await summary("--cell-texts", "any")).not.toHaveProperty("same text")
  })
})

describe("a store of version 0.1", () => {
  const fixture = (name: string) => new URL(`../fixtures/0.1/${name}`, import.meta.url)
  /** Later searches that the store has not seen: queries of its log, each by the user of another row. */
  const later = () => {
    const lines = gunzipSync(readFileSync(fixture("log.tsv.gz")))
      .toString()
      .trimEnd()
      .split("\n")
      .slice(1)
    const users = lines.map((line) => line.split("\t")[0])
    const rows = lines.map((line, i) => {
      const minute = String(i % 60).padStart(2, "0")
      const hour = String(Math.floor(i / 60) % 24).padStart(2, "0")
      const day = 1 + Math.floor(i / 1440)
      return `${users[(i + 400) % users.length]}\t${line.split("\t")[1]}\t2006-07-0${day} ${hour}:${minute}:00`
    })
    return {
      users: [...new Set(users)],
      text: (from: number, to: number) => `AnonID\tQuery\tQueryTime\n${rows.slice(from, to).join("\n")}\n`,
    }
  }

  test("continues with its lasting names and promises nothing; shorter names are used on request", async () => {
    const [store, output] = [fresh("store"), fresh("released.tsv")]
    cpSync(fixture("store"), store, { recursive: true })
    cpSync(fixture("released.tsv"), output)
    const before = readFileSync(output, "utf8")
    const { users, text } = later()
    const common = ["--k", "3", "--depth", "2", "--store", store, "-o", output, "--risk-window", "0", "--no-admin"]

    const first = await run([...common, "--json"], text(0, 700))
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining("One name joins all searches")])
    expect(first.stderr).toContain("profiles of version 0.1 are not read")
    const went = JSON.parse(first.stdout)
    expect(went).toMatchObject({ users: "pseudonym", promised: false, resumed: { waiting: 807 } })
    expect(went.released).toBeGreaterThan(1345)
    const middle = readFileSync(output, "utf8")
    expect(middle.startsWith(before)).toBe(true)
    const key = Buffer.from(JSON.parse(readFileSync(`${store}/store.json`, "utf8")).key, "hex")
    const known = new Set(users.map((user = "") => nameBy(createHmac("sha256", key).update(user).digest())))
    for (const row of rowsOf(middle)) expect(known.has(row.split("\t")[0] ?? "")).toBe(true)

    const second = await run([...common, "--users", "cell", "--json"], text(700, 1400))
    expect([second.code, second.stderr]).toEqual([
      0,
      expect.stringContaining(`Names last shorter from release ${went.released} on: --users cell.`),
    ])
    expect(JSON.parse(second.stdout)).toMatchObject({
      users: "cell",
      promised: false,
      reasons: [expect.stringContaining(`Releases before number ${went.released} have names that last longer`)],
    })
    const after = readFileSync(output, "utf8")
    expect(after.startsWith(middle)).toBe(true)
    const added = after.slice(middle.length).trimEnd().split("\n")
    expect(added.length).toBeGreaterThan(100)
    for (const row of added) expect(known.has(row.split("\t")[0] ?? "")).toBe(false)
  })

  const alphabet = "abcdefghijklmnopqrstuvwxyz234567"
  const nameBy = (digest: Buffer) =>
    `u${[0, 4]
      .map((at) => Array.from({ length: 6 }, (_, i) => alphabet[(digest.readUInt32LE(at) >>> (5 * i)) & 31]).join(""))
      .join("")}`
})
