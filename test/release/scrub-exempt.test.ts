import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { releaseAny } from "#dist/app/release.js"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { openAudit } from "#dist/release/read-audit.js"
import { readRelease } from "#dist/release/read-release.js"
import { digestExempt, parseExempt } from "#dist/text/identifiers/exempt-queries.js"
import { verify } from "#dist/verify/registry.js"
import { aolText, timeAfter } from "../support/aol-log.ts"
import { publish, refusal } from "../support/publish.ts"
import { releasedRows } from "../support/released-rows.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()

const context = createContext({ workers: 1 })
const famous = "mary johnson songs"
const helpline = "call 202-555-0143"
const rare = "john smith phone number"
const users = ["1", "2", "3", "4", "5"]
const row = (user: string, query: string, i: number) => ({ user, query, time: timeAfter(i * 60), rank: 1, url: "" })
const log = write(
  aolText([
    ...users.flatMap((user) => ["weather", famous, helpline].map((query, i) => row(user, query, i))),
    row("1", rare, 9),
  ]),
)
const list = `# helplines\n ${famous.toUpperCase()} \r\n\n${rare}\nnot in the log\n`

async function make(options = {}) {
  const [folder, audit] = [fresh(), fresh()]
  const published = await publish(log, folder, { scrub: "all", scrubExempt: list, ...options }, { audit })
  const shown = [...new Set((await releasedRows(folder)).map(({ Query }) => Query))].sort()
  return { folder, audit, shown, ...published }
}

async function scrubCheck(folder: string, audit?: string) {
  const side = audit === undefined ? {} : { audit: await openAudit(audit) }
  const checks = await verify({ release: await readRelease(folder), ...side }, context)
  return checks.find(({ name }) => name === "scrub")
}

describe("a query on the owner's list", () => {
  test("is released although a detector finds something in it, if enough users issued it", async () => {
    const { shown } = await make()
    expect(shown).toEqual([famous, "weather"].sort())
  })

  test("is neither in the manifest nor counted there; the audit has the list, the receipt its digest", async () => {
    const { folder, audit, warnings } = await make()
    const manifest = readFileSync(join(folder, "release.json"), "utf8")
    expect(manifest).not.toMatch(/exempt|mary|john/i)
    const plain = fresh()
    await publish(log, plain, { scrub: "all" })
    const keys = (path: string) => Object.keys(JSON.parse(readFileSync(join(path, "release.json"), "utf8")).parameters)
    expect(keys(folder)).toEqual(keys(plain))
    const receipt = readFileSync(`${folder}.receipt.json`, "utf8")
    expect(JSON.parse(receipt).scrubExempt).toEqual({
      sha256: digestExempt(parseExempt(list)),
      queries: 3,
      notInLog: 1,
      spared: 2,
    })
    expect(receipt).not.toMatch(/mary|john/)
    expect(readFileSync(join(audit, "scrub-exempt.tsv"), "utf8")).toBe(`query\n${rare}\n${famous}\nnot in the log\n`)
    expect(warnings).toContain("1 of 3 queries of --scrub-exempt are not in the log.")
  })

  test("is not withheld by affinity for its name, and still needs k users around it", async () => {
    const { shown } = await make({ method: "affinity", k: 3 })
    expect(shown).toContain(famous)
    expect(shown).not.toContain(rare)
  })
})

describe("verify", () => {
  test("passes with the audit, and reports the query as any identifier without it", async () => {
    const { folder, audit } = await make()
    expect(await scrubCheck(folder, audit)).toMatchObject({
      state: "passed",
      detail: "1 queries with an identifier are on the owner's list of exempt queries",
    })
    expect(await scrubCheck(folder)).toMatchObject({ state: "failed", row: expect.any(Number) })
  })

  test("does not use a list to which something was added after the release", async () => {
    const { folder, audit } = await make({ scrubExempt: "not in the log" })
    expect(await scrubCheck(folder, audit)).toMatchObject({ state: "passed" })
    const other = await make({ scrubExempt: famous })
    writeFileSync(join(other.audit, "scrub-exempt.tsv"), `query\n${famous}\n${helpline}\n`)
    expect(await scrubCheck(other.folder, other.audit)).toMatchObject({
      state: "failed",
      detail: expect.stringContaining("does not match the receipt"),
    })
  })

  test("reports not checked if no receipt confirms the list", async () => {
    const { folder, audit } = await make()
    rmSync(`${folder}.receipt.json`)
    expect(await scrubCheck(folder, audit)).toMatchObject({ state: "not checked" })
  })

  test("does not use the list of another release", async () => {
    const { folder } = await make()
    const { audit } = await make()
    expect(await scrubCheck(folder, audit)).toMatchObject({ state: "failed" })
  })
})

describe("the list", () => {
  test("has one query per line, normalised; lines that start with # are remarks, unless a space precedes it", () => {
    expect([...parseExempt("\ufeff# remark\n #1 Song\r\nJohn  SMITH\n\njohn smith\n")]).toEqual([
      "#1 song",
      "john smith",
    ])
  })

  test.each([
    ["empty", ""],
    ["of remarks", "# nothing\n\n"],
    ["with an entry that no log can hold", `fine\n${"x".repeat(10 << 20)}`],
    ["in another encoding", "fine\nm\ufffdller"],
    ["of bytes", "fine\n\0"],
  ])("%s is refused without its text", async (_name, text) => {
    const error = await refusal(publish(log, fresh(), { scrubExempt: text }))
    expect(error).toMatchObject({ code: "option-value", fields: expect.objectContaining({ flag: "--scrub-exempt" }) })
    expect(String(error)).not.toMatch(/xxx|ller|fine/)
  })

  test("needs an audit, where verify reads it, and something to be scrubbed", async () => {
    const choice = { method: "equality", k: 3, scrubExempt: famous }
    const input = () => readLog(log, {}, context)
    expect(await refusal(releaseAny(input, choice, { folder: fresh() }, context))).toMatchObject({
      code: "usage",
      fields: { flag: "--audit" },
    })
    expect(await refusal(publish(log, fresh(), { scrub: "none", scrubExempt: famous }))).toMatchObject({
      code: "usage",
    })
  })
})
