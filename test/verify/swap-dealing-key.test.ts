import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { beforeAll, describe, expect, test } from "vitest"
import { drawDerangement } from "#dist/swapper/derange.js"
import { keyedCells } from "#dist/swapper/keyed-cells.js"
import { dealUnder } from "#dist/verify/keyed-dealing.js"
import { failed, notPassed, swapLog, swappedReleases, type TrailedRow } from "./swapped-release.ts"

test("the verifier and the swapper deal alike, each with its own code", () => {
  const word = fc.nat({ max: 2 ** 32 - 1 })
  const positions = fc.array(fc.tuple(word, word, word), { minLength: 3, maxLength: 60 })
  const number = fc.oneof(fc.nat(), fc.constant(2 ** 40 + 1))
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(
      key,
      fc.integer({ min: 1, max: 9 }),
      positions,
      number,
      fc.string(),
      (bytes, version, some, n, path) => {
        const random = keyedCells({ secret: { key: bytes, version }, pathOf: () => path })({
          category: 0,
          number: n,
          draw: "dealing",
          positions: Uint32Array.from(some.flat()),
        })
        const dealt = new Int32Array(some.length)
        drawDerangement(dealt, some.length, random)
        const deal = dealUnder({ version: String(version), key: Buffer.from(bytes) })
        expect(deal({ path, number: n, positions: some })).toEqual([...dealt])
      },
    ),
    { numRuns: 200 },
  )
})

const { at, make, check, change, changeAudit, userOfLine } = swappedReleases(swapLog({ searches: 900 }))
const stateOf = (checks: Awaited<ReturnType<typeof check>>) => checks.find(({ name }) => name === "dealing-key")

beforeAll(async () => {
  await make(at("release"), { k: 3 })
})

/** Exchanges the users of two units of a cell, in the release and in the trail, if both stay with another's search. */
function exchange(rows: TrailedRow[]): boolean {
  for (const one of rows)
    for (const other of rows.filter(({ cell }) => cell === one.cell)) {
      const [a, b] = [one, other].map(({ queryRow }) => userOfLine(queryRow))
      const [shownA, shownB] = [one, other].map(({ userRow }) => userOfLine(userRow))
      if (a === b || shownA === b || shownB === a) continue
      const [first, second] = [one, other].map(({ name, userRow }) => ({ name, userRow }))
      for (const row of rows.filter(({ cell }) => cell === one.cell)) {
        if (userOfLine(row.queryRow) === a) Object.assign(row, second)
        else if (userOfLine(row.queryRow) === b) Object.assign(row, first)
      }
      return true
    }
  return false
}

describe("the dealing of a release", () => {
  test("is that of the key in its audit", async () => {
    const checks = await check(at("release"))
    expect(notPassed(checks)).toEqual([])
    expect(stateOf(checks)?.value).toBeGreaterThan(100)
  })

  test("fails if one pair of users is exchanged, in the release and in the trail alike", async () => {
    const altered = change(at("release"), ({ rows }) => {
      expect(exchange(rows)).toBe(true)
    })
    expect(failed(await check(altered))).toEqual(["dealing-key"])
  })

  test.each<[string, (line: string) => string]>([
    ["key", (line) => line.replace(/[0-9a-f]$/, (digit) => (digit === "0" ? "1" : "0"))],
    ["version", (line) => line.replace(/^1/, "2")],
  ])("fails with another %s in the audit", async (_name, how) => {
    const audit = changeAudit(at("release"), "dealing", (lines) => {
      lines[1] = how(lines[1] ?? "")
    })
    expect(failed(await check(at("release"), { audit }))).toEqual(["dealing-key"])
  })

  test("is not checked without the key", async () => {
    const audit = changeAudit(at("release"), "dealing", () => {})
    rmSync(join(audit, "dealing.tsv"))
    const about = join(audit, "audit.json")
    const { files, ...rest }: { files: string[] } = JSON.parse(readFileSync(about, "utf8"))
    writeFileSync(about, JSON.stringify({ ...rest, files: files.filter((name) => name !== "dealing.tsv") }))
    expect(notPassed(await check(at("release"), { audit }))).toEqual([
      ["dealing-key", "not checked", "the audit has no key"],
    ])
  })
})
