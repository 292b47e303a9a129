import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readTruth } from "#dist/release/truth.js"
import { wordNetTaxonomy } from "#dist/taxonomy/wordnet/wordnet-taxonomy.js"
import { openWordNet } from "#dist/wordnet/open-wordnet.js"
import { expectRefused } from "../support/expect-refused.ts"
import { runCli, startCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { whenAppears } from "../support/when-appears.ts"

const { fresh, write } = scratchFolder()
const small = ["--rows", "3000", "--users", "70"]

describe("queryveil synth", () => {
  test("writes the same log to a file, a gzip file and the standard output", async () => {
    const [plain, zipped] = [fresh("log"), `${fresh("log")}.gz`]
    const answer = await runCli(["synth", "-o", plain, ...small, "--json"])
    expect([answer.code, answer.stderr]).toEqual([0, ""])
    expect(JSON.parse(answer.stdout)).toMatchObject({ file: plain, rows: 3000, users: 70, seed: 1 })
    const text = readFileSync(plain, "utf8")
    expect(text.split("\n")[0]).toBe("AnonID\tQuery\tQueryTime\tItemRank\tClickURL")
    expect(text.split("\n").length).toBe(3002)
    expect((await runCli(["synth", "-o", zipped, ...small])).stdout).toContain("rows")
    expect(gunzipSync(readFileSync(zipped)).toString()).toBe(text)
    expect((await runCli(["synth", "-o", "-", ...small])).stdout).toBe(text)
  })

  test.each<[string, string[], RegExp]>([
    ["no output", [], /-o, --output <file> is missing/],
    ["rows that are no number", ["-o", "x", "--rows", "many"], /--rows many: expected a whole number/],
    ["no rows", ["-o", "x", "--rows", "0"], /--rows 0: expected a whole number of at least 1/],
    ["a negative seed", ["-o", "x", "--seed", "-1"], /--seed -1: expected/],
    ["more than all to follow", ["-o", "x", "--follow", "1.5"], /--follow 1.5: expected/],
    [
      "more users than rows",
      ["-o", "x", "--rows", "5", "--users", "6"],
      /every user needs a row, and there are 5\..*fewer users or more rows/,
    ],
  ])("refuses %s with 2", async (_name, flags, message) => {
    const cwd = fresh()
    mkdirSync(cwd)
    expectRefused(await runCli(["synth", ...flags], { cwd }), { code: 2, message })
    expect(readdirSync(cwd)).toEqual([])
  })

  test("replaces neither a file nor a truth folder without --force, and both with it", async () => {
    const file = write("mine")
    const truth = fresh("truth")
    const kept = await runCli(["synth", "-o", file, ...small, "--truth", truth])
    expectRefused(kept, { code: 1, message: /already exists.*--force/ })
    expect([readFileSync(file, "utf8"), existsSync(truth)]).toEqual(["mine", false])
    expect((await runCli(["synth", "-o", file, ...small, "--truth", truth, "--force"])).code).toBe(0)
    const again = await runCli(["synth", "-o", fresh("log"), ...small, "--truth", truth])
    expectRefused(again, { code: 1, message: /already exists.*--force/ })
    expect((await runCli(["synth", "-o", file, ...small, "--truth", truth, "--force"])).code).toBe(0)
  })

  test("interrupted ends with 130 and leaves nothing", async () => {
    const cwd = fresh()
    mkdirSync(cwd)
    const flags = ["-o", join(cwd, "log.tsv"), "--truth", join(cwd, "truth"), "--rows", "30000000"]
    const { child, ended } = startCli(["synth", ...flags])
    await whenAppears(cwd, /^log\.tsv\.partial-/, ended)
    child.kill("SIGINT")
    const { code, stderr } = await ended
    expect(code).toBe(130)
    expect(stderr).toContain("Nothing was left half written")
    expect(readdirSync(cwd)).toEqual([])
  })
})

const patterns: Record<string, RegExp> = {
  "name-town": /^[a-z]+ [a-z]+ [a-z]+$/,
  card: /^(visa|card|credit card|account) 4000 00\d\d \d{4} \d{4}$/,
  address: /^\d+ [a-z]+ (street|avenue|road|lane|drive) [a-z]+$/,
  "common-words": /^my ([a-z]+ ?){5,}$/,
}

describe.each(["0", "0.5"])("the truth of a synthetic log with --follow %s", async (follow) => {
  const folder = fresh("truth")
  const path = fresh("log")
  await runCli(["synth", "-o", path, "--rows", "300000", "--follow", follow, "--truth", folder])
  const lines = readFileSync(path, "utf8").trimEnd().split("\n")
  const queryOf = (line: number) => lines[line - 1]?.split("\t")[1] ?? ""
  const { secrets } = await readTruth(folder)
  const topics = readFileSync(join(folder, "topics.tsv"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"))

  test("lists every line that carries a secret, and no other", () => {
    expect(new Set(secrets.map(({ kind }) => kind))).toEqual(new Set(Object.keys(patterns)))
    for (const { line, kind } of secrets) expect(queryOf(line)).toMatch(patterns[kind] ?? /never/)
    const texts = new Set(secrets.map(({ line }) => queryOf(line)))
    const listed = new Set(secrets.map(({ line }) => line))
    const carrying = lines.flatMap((_, i) => (texts.has(queryOf(i + 1)) ? [i + 1] : []))
    expect(carrying).toEqual([...listed].sort((a, b) => a - b))
  })

  test("has about five secrets in ten thousand searches, some by several users, some repeated by one", () => {
    expect(secrets.length / 300_000).toBeGreaterThan(0.0002)
    expect(secrets.length / 300_000).toBeLessThan(0.0008)
    const usersOf = new Map<string, Set<string>>()
    for (const { line } of secrets) {
      const [user = "", query = ""] = lines[line - 1]?.split("\t") ?? []
      usersOf.set(query, (usersOf.get(query) ?? new Set()).add(user))
    }
    const holders = [...usersOf.values()].map((users) => users.size)
    expect(holders.filter((count) => count === 1).length).toBeGreaterThan(0)
    expect(holders.filter((count) => count > 1).length).toBeGreaterThan(0)
    expect(Math.max(...holders)).toBeLessThanOrEqual(6)
    expect(secrets.length).toBeGreaterThan(holders.reduce((sum, count) => sum + count, 0))
  })

  test("has card numbers that pass the Luhn check", () => {
    const cards = secrets.filter(({ kind }) => kind === "card").map(({ line }) => queryOf(line).replace(/\D/g, ""))
    for (const card of cards) {
      const sum = [...card].reverse().reduce((total, digit, i) => {
        const value = i % 2 === 0 ? Number(digit) : Number(digit) * 2
        return total + (value > 9 ? value - 9 : value)
      }, 0)
      expect(sum % 10).toBe(0)
    }
  })

  test("gives every other query one path of the WordNet taxonomy", async () => {
    const taxonomy = wordNetTaxonomy(await openWordNet({}, createContext()))
    expect(topics[0]).toEqual(["query", "path"])
    const pathOf = new Map(topics.slice(1).map(([query = "", topic = ""]) => [query, topic]))
    expect(pathOf.size).toBe(topics.length - 1)
    for (const topic of new Set(pathOf.values())) expect(taxonomy.find(topic)).toBeGreaterThan(0)
    const secret = new Set(secrets.map(({ line }) => queryOf(line)))
    const without = lines.slice(1).filter((line) => {
      const query = line.split("\t")[1] ?? ""
      return !pathOf.has(query) && !secret.has(query)
    })
    expect(without).toEqual([])
  })
})
