import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { animalTaxonomy, crowd, crowdSize, topicsOf } from "../support/animal-log.ts"
import { aolText } from "../support/aol-log.ts"
import { outsideLinks } from "../support/markup.ts"
import { csvCells } from "../support/released-rows.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, write } = scratchFolder()
const folder = at("study")
const searches = crowd({ heavy: 0.3 })
const log = write(aolText(searches))

const recordsOf = (id: string) => {
  const [header = [], ...rows] = csvCells(readFileSync(join(folder, "data", `${id}.csv`), "utf8"))
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ""])))
}

beforeAll(async () => {
  const topics = ["--taxonomy", write(animalTaxonomy, "t.tsv"), "--classifier", write(topicsOf(searches), "c.tsv")]
  const answer = await runCli(["study", "swap", log, "-o", folder, "-k", "3,10", "--depth", "1,2,3", ...topics])
  expect(answer.stderr).toBe("")
  expect(answer.stdout).toContain("16 points computed")
})

/** Number of searches for each animal. */
const counts = ["dog", "cat", "horse", "lion"].map(
  (animal) => searches.filter(({ query }) => query.startsWith(animal)).length,
)

describe("queryveil study swap", () => {
  test("writes a page with every figure and its numbers as CSV, without queries and users", () => {
    const page = readFileSync(join(folder, "index.html"), "utf8")
    expect(outsideLinks(page)).toEqual([])
    for (const [, link = ""] of page.matchAll(/href="([^"#]+)"/g)) expect(existsSync(join(folder, link))).toBe(true)
    const drawn = ["linkage-paper", "linkage-strict", "distribution-paper", "distribution-strict", "waiting", "output"]
    const more = [
      "withheld",
      "delay",
      "delay-hours",
      "distances",
      "loss",
      "swapper-time",
      "attacker-time",
      "most-waiting",
    ]
    // There is no figure about repeats or words: nobody issues anything again, or shares a word.
    const repairs = ["heavy-user", "own-times", "outdated-texts", "compared-cells", "original-pairs"]
    const ids = [...drawn, ...more, ...repairs, "wrong-guess"]
    expect(readdirSync(join(folder, "figures")).sort()).toEqual(ids.map((id) => `${id}.svg`).sort())
    expect(readdirSync(join(folder, "data")).sort()).toEqual(
      [...ids, "heavy-topics", "kolmogorov-smirnov", "lifetimes", "price", "topics"].map((id) => `${id}.csv`).sort(),
    )
    expect(page).not.toMatch(/\b(dog|cat|horse|lion) \d/)
    expect(page).not.toMatch(/animal/)
  })

  test("counts the topics that are in use at each depth", () => {
    expect(recordsOf("topics").map(({ depth, added, categories }) => [depth, added, categories].map(Number))).toEqual([
      [1, 1, 1],
      [2, 1, 2],
      [3, 2, 4],
    ])
  })

  test("reports the expected loss as the mean over all pairs of searches of one topic", () => {
    // Dog and cat are 2 edges apart, dog and horse 4. The way to the root is 3 edges from each.
    const distance = (a: number, b: number) => (a === b ? 0 : Math.floor(a / 2) === Math.floor(b / 2) ? 2 : 4)
    const total = counts.reduce((sum, count) => sum + count, 0)
    const lossWithin = (groups: number[][]) =>
      groups.reduce((sum, group) => {
        const size = group.reduce((all, a) => all + (counts[a] ?? 0), 0)
        const edges = group.flatMap((a) => group.map((b) => (counts[a] ?? 0) * (counts[b] ?? 0) * distance(a, b)))
        return sum + edges.reduce((all, one) => all + one, 0) / size
      }, 0) /
      total /
      6
    const expected = [
      lossWithin([[0, 1, 2, 3]]),
      lossWithin([
        [0, 1],
        [2, 3],
      ]),
      0,
    ]
    const rowsOf = (loss: string) => recordsOf("loss").filter((row) => row.loss === loss)
    const expectedAt = ({ depth }: Record<string, string>) => expected[Number(depth) - 1] ?? -1
    for (const row of rowsOf("pairs, expected")) expect(Number(row.share)).toBeCloseTo(expectedAt(row), 9)
    // The measurement is over 1200 pairs, whose distances deviate by less than 2 edges of 6. Six standard errors.
    for (const mode of ["paper", "strict"]) {
      const profiles = rowsOf(`profiles, ${mode}`)
      expect(profiles.map(({ k, depth }) => `${k} ${depth}`).sort()).toEqual([
        "10 1",
        "10 2",
        "10 3",
        "3 1",
        "3 2",
        "3 3",
      ])
      for (const [i, row] of rowsOf(`pairs, ${mode}`).entries()) {
        expect(Math.abs(Number(row.share) - expectedAt(row))).toBeLessThan(6 * (2 / 6 / Math.sqrt(1200)))
        expect(Number(profiles[i]?.share)).toBeLessThanOrEqual(Number(row.share) + 1e-12)
      }
    }
  })

  test("reports what became of every search, in agreement with the end of the stream", () => {
    const shares = recordsOf("withheld")
    const flow = recordsOf("output")
    for (const mode of ["paper", "strict"]) {
      for (const k of ["3", "10"]) {
        for (const depth of ["1", "2", "3"]) {
          const own = shares.filter((row) => row.mode === mode && row.k === k && row.depth === depth)
          expect(own.reduce((sum, { share }) => sum + Number(share), 0)).toBeCloseTo(1, 9)
          const stream = flow.filter((row) => row.mode === mode && row.k === k && row.depth === depth)
          expect(stream.map(({ input }) => Number(input))).toEqual(
            Array.from({ length: 20 }, (_, i) => (crowdSize / 20) * (i + 1)),
          )
          const of = (what: string) => Number(own.find((row) => row.what === what)?.share)
          expect(Number(stream.at(-1)?.output)).toBeCloseTo(of("released"), 9)
          expect(Number(stream.at(-1)?.waiting)).toBeCloseTo(of("waiting") * crowdSize, 6)
          // No text occurs twice and there is one search a minute: nothing is repeated, and hours follow from searches.
          expect(of("repeated")).toBe(0)
          for (const { delay, hours } of stream) expect(Number(hours)).toBeCloseTo(Number(delay) / 60, 6)
        }
      }
    }
  })

  test("names a user with 30 % of searches in 30 % of them in paper mode, in at most 1/k in strict mode", () => {
    // Intervals are at 95 %, here for 12 comparisons with a fixed seed.
    for (const { where, mode, k, right, low, ...row } of recordsOf("heavy-topics")) {
      if (mode === "strict") expect(Number(low), `${where} ${k}`).toBeLessThanOrEqual(1 / Number(k))
      else expect(Math.abs(Number(right) - Number(row["of one user"])), `${where} ${k}`).toBeLessThan(0.05)
      expect(Number(row["of one user"])).toBeGreaterThan(0.27)
    }
    expect(recordsOf("heavy-topics").filter(({ where }) => where === "this log").length).toBeGreaterThan(0)
  })

  test("shows synthetic topics in which outdated texts, or cells of few texts, reveal who issued them", () => {
    const value = (id: string, series: string, k: string) =>
      Number(recordsOf(id).find((row) => row.series === series && row.k === k)?.value)
    expect(value("outdated-texts", "backlog 1000", "10")).toBeGreaterThan(0.9)
    const small = recordsOf("outdated-texts").filter(({ series }) => series === "backlog 1" || series === "backlog 2")
    // At chance, with k of 3 and 10: of 100 names fewer than a third would be right, except with probability 1e-9.
    for (const { value: right, named } of small) expect(Number(right) * Number(named)).toBeLessThan(0.33 * 100)
    expect(value("compared-cells", "20 texts", "3")).toBeGreaterThan(0.8)
    expect(value("compared-cells", "20 texts", "10")).toBeGreaterThan(0.13)
  })

  test("finds no attacker over 1/k in strict mode if nobody has habits, and some in paper mode", () => {
    const over = (mode: string) =>
      recordsOf("kolmogorov-smirnov")
        .filter((row) => row.mode === mode)
        .map((row) => Number(row["over 1/k"]))
    // 30 intervals. If an attacker is at 1/k, one in forty may be over 1/k by chance: three or fewer, except with
    // probability 1 %. No text occurs twice, so attackers that compare texts name nobody.
    expect(over("strict")).toHaveLength(5)
    expect(over("strict").reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(3)
    expect(over("paper").reduce((sum, count) => sum + count, 0)).toBeGreaterThan(6)
  })

  test("compares shares with 1/k by the Kolmogorov–Smirnov test of two samples", () => {
    const shares = recordsOf("linkage-strict").filter(({ attacker }) => attacker === "times-and-order")
    const fraction = (values: number[], x: number) => values.filter((value) => value <= x).length / values.length
    const measured = shares.map(({ share }) => Number(share))
    const bounds = shares.map(({ bound }) => Number(bound))
    const distances = [...measured, ...bounds].map((x) => Math.abs(fraction(measured, x) - fraction(bounds, x)))
    const row = recordsOf("kolmogorov-smirnov").find(
      (one) => one.mode === "strict" && one.attacker === "times-and-order",
    )
    expect(Number(row?.D)).toBeCloseTo(Math.max(...distances), 9)
    expect(shares).toHaveLength(6)
  })
})

test("--parts leaves out parts, and the page says which", async () => {
  const topics = ["--taxonomy", at("t.tsv"), "--classifier", at("c.tsv")]
  const some = at("some-parts")
  const args = ["study", "swap", log, "-o", some, "-k", "3", "--depth", "1,2", "--parts", "grid,wrong", ...topics]
  const { code, stdout } = await runCli(args)
  expect([code, stdout]).toEqual([0, expect.stringContaining("7 points computed")])
  const page = readFileSync(join(some, "index.html"), "utf8")
  expect(page).toContain("Not computed (--parts): repairs, lifetimes.")
  expect(page).not.toMatch(/undefined|NaN/)
})
