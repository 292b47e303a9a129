import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { aolText } from "../support/aol-log.ts"
import { expectRefused } from "../support/expect-refused.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { classifierText, taxonomyText, townSearches } from "../swap/town.ts"

const { fresh, write } = scratchFolder()
/** One row a search, a minute apart. */
const searches = townSearches({ users: 80, each: 30 }).filter(({ rank = 1 }) => rank === 1)
const topics = [
  "--taxonomy",
  write(taxonomyText, "topics.tsv"),
  "--classifier",
  write(classifierText(searches), "queries.tsv"),
]
const log = write(aolText(searches), "log.tsv")
const rules = ["--k", "3", "--depth", "2", "--repeats", "once", "--scrub", "none", "--workers", "1"]

const rowsOf = (path: string) =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t"))

/** By row of a release: its cell, counted from 0, and the lines of its search and of the user it is shown with. */
function cellsOf(audit: string): string[] {
  const rows = rowsOf(join(audit, "trail.tsv")).map((line) => line.map(Number))
  const first = Math.min(...rows.map(([, , , cell = 0]) => cell))
  return rows.map(([, query, user, cell = 0]) => `${cell - first} ${query} ${user}`).sort()
}

async function anonymize(more: readonly string[], from = log) {
  const [release, audit] = [fresh("release"), fresh("audit")]
  const words = ["anonymize", "swap", from, ...rules, ...topics, "-o", release, "--audit", audit]
  const result = await runCli([...words, ...more])
  return { release, audit, result, manifest: () => JSON.parse(readFileSync(join(release, "release.json"), "utf8")) }
}

async function verify(release: string, audit: string, against = log) {
  const { code, stdout } = await runCli(["verify", release, "--against", against, "--audit", audit, "--json"])
  const { checks }: { checks: { name: string; state: string; detail?: string }[] } = JSON.parse(stdout)
  return { code, stateOf: (wanted: string) => checks.find(({ name }) => name === wanted)?.state }
}

describe("a log and a stream of the same searches", () => {
  const stream = { store: fresh("store"), output: fresh("out"), audit: fresh("stream-audit") }

  const seal = async (...bounds: string[]) => {
    const [release, audit] = [fresh("sealed"), fresh("sealed-audit")]
    const places = ["--audit", stream.audit, "--against", log, "-o", release, "--audit-out", audit]
    const { code } = await runCli(["stream", "seal", stream.output, ...places, ...topics, ...bounds])
    return { code, release, audit }
  }

  beforeAll(async () => {
    const places = ["--store", stream.store, "-o", stream.output, "--audit", stream.audit, "--no-admin"]
    const { code } = await runCli(["stream", "run", "--input", log, ...rules, ...topics, ...places])
    expect(code).toBe(0)
  })

  test("make the same cells under the key of the sealed audit, and verify says that they are the key's", async () => {
    const sealed = await seal()
    expect((await verify(sealed.release, sealed.audit)).stateOf("dealing-key")).toBe("passed")
    const again = await anonymize(["--dealing-key", join(sealed.audit, "dealing.tsv")])
    expect(again.result.code).toBe(0)
    expect(cellsOf(again.audit).length).toBeGreaterThan(500)
    expect(cellsOf(again.audit)).toEqual(cellsOf(sealed.audit))
    const other = await anonymize([])
    expect(cellsOf(other.audit)).not.toEqual(cellsOf(sealed.audit))
  })

  test("verify says so of a later period too, whose cells do not begin with number 0", async () => {
    const { length } = rowsOf(stream.output)
    let later = await seal("--from", String(length >> 1))
    // A period must not cut a cell. A cell has four users and some repeats.
    for (let bound = length >> 1; later.code !== 0 && bound < length; bound++)
      later = await seal("--from", String(bound))
    const { release, audit } = later
    expect((await verify(release, audit)).stateOf("dealing-key")).toBe("passed")
    const cells = join(audit, "cells.tsv")
    const others = rowsOf(cells).map(([cell, number]) => `${cell}\t${Number(number) + 1000}\n`)
    writeFileSync(cells, `cell\tnumber in category\n${others.join("")}`)
    expect((await verify(release, audit)).stateOf("dealing-key")).toBe("failed")
  })
})

describe("anonymize swap --dealing-key", () => {
  test("makes the same cells from the key of an audit, whatever the order of lines, and says seeded", async () => {
    const first = await anonymize([])
    expect(first.manifest()).toMatchObject({ seeded: false })
    const key = join(first.audit, "dealing.tsv")
    const again = await anonymize(["--dealing-key", key])
    expect(cellsOf(again.audit)).toEqual(cellsOf(first.audit))
    expect(readFileSync(join(again.audit, "dealing.tsv"), "utf8")).toBe(readFileSync(key, "utf8"))
    expect(again.manifest()).toMatchObject({ seeded: true })
    expect(JSON.stringify(again.manifest())).not.toContain(rowsOf(key)[0]?.[1])
    const verified = await verify(again.release, again.audit)
    expect([verified.stateOf("dealing-key"), verified.stateOf("randomness")]).toEqual(["passed", "failed"])
    // Four searches in every second, in two orders of lines.
    const crowded = searches.map((search, i) => ({ ...search, time: searches[i & ~3]?.time ?? search.time }))
    const [ahead, behind] = [crowded, [...crowded].reverse()].map((some) => write(aolText(some), "crowded.tsv"))
    const shownIn = async (from = "") => {
      const { audit } = await anonymize(["--dealing-key", key], from)
      const lines = readFileSync(from, "utf8").split("\n")
      const search = (line: string) => lines[Number(line) - 1]?.trim()
      return rowsOf(join(audit, "trail.tsv"))
        .map(([, query = "", user = "", cell]) => `${cell} ${search(query)} ${search(user)}`)
        .sort()
    }
    expect(await shownIn(ahead)).toEqual(await shownIn(behind))
  })

  test("takes 64 hex digits, which are the first version of the secret", async () => {
    const key = "0123456789abcdef".repeat(4)
    const [alone, table] = [write(`${key}\n`, "key.txt"), write(`version\tkey\n1\t${key}\n`, "key.tsv")]
    const second = write(`version\tkey\n2\t${key}\n`, "second.tsv")
    const [one, same, other] = [
      await anonymize(["--dealing-key", alone]),
      await anonymize(["--dealing-key", table]),
      await anonymize(["--dealing-key", second]),
    ]
    expect(cellsOf(one.audit)).toEqual(cellsOf(same.audit))
    expect(cellsOf(one.audit)).not.toEqual(cellsOf(other.audit))
  })

  test.each([
    ["too short", "0123456789abcdef"],
    ["not hex", "g".repeat(64)],
    ["a table of something else", "row\tkey\n1\tsecret\n"],
    ["version 0", `version\tkey\n0\t${"ab".repeat(32)}\n`],
    ["empty", "\n"],
  ])("refuses a file that is %s, says what is expected, and does not repeat its content", async (_name, text) => {
    const { result } = await anonymize(["--dealing-key", write(text, "wrong.txt")])
    expectRefused(result, { code: 2, message: /--dealing-key: expected a key of 64 hex digits, or the dealing\.tsv/ })
    for (const word of text.split(/\s+/).filter((some) => some.length > 5)) expect(result.stderr).not.toContain(word)
  })

  test("is refused in paper mode, where nothing is dealt under a key", async () => {
    const { result } = await anonymize([
      "--mode",
      "paper",
      "--repeats",
      "keep",
      "--dealing-key",
      write("ab".repeat(32)),
    ])
    expectRefused(result, { code: 2, message: /--dealing-key: needs cells/ })
  })
})
