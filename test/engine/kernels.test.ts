import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { kernelCommand, readKernelOptions } from "#dist/engine/kernels/kernel-command.js"
import { createContext } from "#dist/kernels/context.js"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { readLog } from "#dist/log/read-log.js"
import { chooseConcepts } from "#dist/methods/wordnet/choose-concepts.js"
import { packageVersion } from "#dist/release/package-version.js"
import { kindBit } from "#dist/text/identifiers/kinds.js"
import { openWordNet } from "#dist/wordnet/open-wordnet.js"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh } = scratchFolder()
const program = fileURLToPath(new URL("../../dist/cli/queryveil.cjs", import.meta.url))

/** Runs a kernel as an engine does, and returns what it wrote, line by line. */
async function runKernel(args: readonly string[], input: string) {
  const child = spawn(process.execPath, [program, "kernel", ...args])
  const [out, err]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk))
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk))
  child.stdin.on("error", () => {}) // a kernel that refuses its options does not read
  child.stdin.end(input)
  const [code]: number[] = await once(child, "close")
  const text = Buffer.concat(out).toString("utf8")
  const lines = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { code, lines, stderr: Buffer.concat(err).toString("utf8") }
}

const optionsOf = (command: string) => command.split(" ").slice(2)
const json = (documents: readonly object[]) => documents.map((document) => `${JSON.stringify(document)}\n`).join("")

const cellsPlan = {
  format: "parquet",
  delimiter: 9,
  columns: { user: 0, query: 1, time: 2, rank: 3, url: 4 },
  minFields: 3,
  maxFields: 6,
  headerLines: 0,
  times: "any",
}
const rowsOf = (plan: object) => optionsOf(kernelCommand("rows", { plan }))

describe("a kernel", () => {
  test("ends with how much it read and wrote, and with its version", async () => {
    const { code, lines } = await runKernel(
      optionsOf(kernelCommand("scrub", { kinds: 1 })),
      json([{ q: "a" }, { q: "b" }]),
    )
    expect(code).toBe(0)
    expect(lines.at(-1)).toEqual({ end: { read: 2, written: 2, version: packageVersion() } })
    const nothing = await runKernel(optionsOf(kernelCommand("scrub", { kinds: 1 })), "")
    expect(nothing.lines).toEqual([{ end: { read: 0, written: 0, version: packageVersion() } }])
  })

  test("refuses to work for a driver of another version", async () => {
    const word = Buffer.from(JSON.stringify({ version: "0.0.1", options: { kinds: 1 } })).toString("base64url")
    const { code, lines, stderr } = await runKernel(["scrub", word], json([{ q: "secret words" }]))
    expect(code).not.toBe(0)
    expect(lines).toEqual([])
    expect(stderr).toContain("another version")
  })

  test("fails on input that is no document, without an end line and without quoting it", async () => {
    for (const input of ["secret words\n", '{"q": "secret words"', "[1]\n", '"secret words"\n']) {
      const { code, lines, stderr } = await runKernel(optionsOf(kernelCommand("scrub", { kinds: 1 })), input)
      expect(code).not.toBe(0)
      expect(lines.filter((line) => "end" in line)).toEqual([])
      expect(stderr).not.toContain("secret")
    }
  })

  test("refuses options that no driver writes, and names that are not kernels", async () => {
    expect((await runKernel(["rows"], "")).code).not.toBe(0)
    expect((await runKernel(["rows", "nonsense"], "")).code).not.toBe(0)
    expect((await runKernel(["toString"], "")).code).not.toBe(0)
    expect(() => readKernelOptions("e30")).toThrow("options")
  })
})

describe("the kernel of rows", () => {
  test("reads cells as the single process reads a table, or says why they are no row", async () => {
    const given = [
      { i: 7, u: " ann ", q: "  Caf\u0065\u0301\tBAR \n", t: "2006-03-01 00:00:01", r: "1", l: "http://a.example/" },
      { i: 8, u: "ann", q: "😀 emoji", t: "2006-03-01T00:00:02Z" },
      { i: 9, u: "ann", q: "\u0001", t: "2006-03-01 00:00:01" },
      { i: 10, q: "no user", t: "2006-03-01 00:00:01" },
      { i: 11, u: "ann", q: "time", t: "yesterday" },
      { i: 12, u: "ann", q: "rank", t: "2006-03-01 00:00:01", r: "-1" },
      { i: 13, x: true },
      { i: 14, u: "ann", q: "x".repeat(70_000), t: "2006-03-01 00:00:01" },
      { i: 15, u: "ann", q: "x".repeat(1 << 21), t: "2006-03-01 00:00:01" },
      { i: 16, u: 5, q: "number", t: 1141171200 },
      { i: 17, u: "ann", q: "nul\u0000", t: "2006-03-01 00:00:01" },
      { i: 18, u: "\\N", q: "\\n", t: "2006-03-01 00:00:01" },
    ]
    const { lines } = await runKernel(rowsOf(cellsPlan), json(given))
    const at = (i: number) => lines.find((line) => line.i === i)
    expect(at(7)).toEqual({ i: 7, u: "ann", q: "café bar", t: 1141171201, r: 1, l: "http://a.example/" })
    expect(at(8)).toEqual({ i: 8, u: "ann", q: "😀 emoji", t: 1141171202 })
    expect(at(16)).toEqual({ i: 16, u: "5", q: "number", t: 1141171200 })
    expect(at(18)).toEqual({ i: 18, u: "\\N", q: "\\n", t: 1141171201 })
    expect(Object.fromEntries(lines.filter(({ x }) => x !== undefined).map(({ i, x }) => [i, x]))).toEqual({
      9: "query",
      10: "user",
      11: "time",
      12: "rank",
      13: "encoding",
      14: "length",
      15: "length",
      17: "nul",
    })
    expect(lines.at(-1)).toMatchObject({ end: { read: given.length, written: given.length } })
  })

  test("reads the lines of a file as the single process reads the file, line by line", async () => {
    const path = fresh("log.jsonl")
    const record = (fields: object) =>
      Buffer.from(JSON.stringify({ user: "u", query: "q", time: "2006-03-01 01:02:03", ...fields }))
    const given = [
      record({ query: "Ab\tc\nd" }),
      record({ query: "\ud83d" }),
      record({ query: null }),
      record({ user: 12, rank: 2, url: "http://x.example" }),
      Buffer.from([0x7b, 0xff, 0x7d]),
      record({ junk: "x".repeat(1 << 20) }),
      Buffer.from("not json"),
      Buffer.from("   "),
      record({ query: "nul\u0000nul" }),
      record({ time: 1141171200 }),
      record({ time: "2006-13-01" }),
    ]
    writeFileSync(path, Buffer.concat(given.map((line) => Buffer.concat([line, Buffer.from("\n")]))))
    const { log, intake } = await readLog(path)
    const plan = {
      ...cellsPlan,
      format: "jsonl",
      maxFields: 7,
      conversion: {
        name: "jsonl",
        unit: "user",
        columns: { user: '["user"]', query: '["query"]', time: '["time"]', rank: '["rank"]', url: '["url"]' },
      },
    }
    const documents = given.map((line, i) => ({ i, b: line.toString("base64") }))
    const { lines } = await runKernel(rowsOf(plan), json(documents))
    const rows = lines.filter(({ q }) => q !== undefined)
    const here = Array.from(log.line, (line, row) => {
      return {
        i: line - 1,
        u: log.users.text(log.user[row] ?? 0),
        q: log.queries.text(log.query[row] ?? 0),
        t: log.time[row],
      }
    })
    expect(rows.map(({ i, u, q, t }) => ({ i, u, q, t })).sort((a, b) => Number(a.i) - Number(b.i))).toEqual(
      here.sort((a, b) => a.i - b.i),
    )
    const counted: Record<string, number> = {}
    for (const { x } of lines) if (typeof x === "string") counted[x] = (counted[x] ?? 0) + 1
    expect(counted).toEqual(intake.rejected)
    expect(readFileSync(path).length).toBeGreaterThan(1 << 20)
  })

  test("says so when quotes are not closed on their line", async () => {
    const plan = { ...cellsPlan, format: "delimited", quotedBy: 44 }
    const given = [
      { i: 1, s: 'ann,"one ""two"", three",2006-03-01 00:00:01,,' },
      { i: 2, s: 'ann,"one' },
    ]
    const { lines } = await runKernel(rowsOf(plan), json(given))
    expect(lines).toContainEqual({ i: 1, u: "ann", q: 'one "two", three', t: 1141171201 })
    expect(lines).toContainEqual({ i: 2, x: "quoted" })
  })
})

describe("the kernel of identifiers", () => {
  test("passes every document on, with the kinds that it found", async () => {
    const kinds = kindBit("email") | kindBit("phone")
    const given = [{ q: "mail me at ann@example.com", users: 3 }, { q: "weather" }, { q: "" }]
    const { lines } = await runKernel(optionsOf(kernelCommand("scrub", { kinds })), json(given))
    expect(lines.slice(0, 3)).toEqual([
      { q: "mail me at ann@example.com", users: 3, s: kindBit("email") },
      { q: "weather", s: 0 },
      { q: "", s: 0 },
    ])
  })
})

describe("the kernel of nouns", () => {
  test("gives the concept of each query as the single process does", async () => {
    const texts = ["used cell phone", "in us", "qwertz asdf", "berlin wall museum"]
    const words = await openWordNet({}, createContext())
    const chosen = await chooseConcepts(dictionaryOf(texts), { wordnet: words, match: "content" }, createContext())
    const { lines } = await runKernel(optionsOf(kernelCommand("nouns")), json(texts.map((q, i) => ({ q, users: i }))))
    expect(lines.slice(0, -1)).toEqual(
      texts.map((q, i) => {
        return { q, users: i, c: chosen.concept[i], w: chosen.words[i], m: chosen.matched[i] }
      }),
    )
    expect(chosen.concept.filter((synset) => synset >= 0).length).toBeGreaterThan(1)
  })
})
