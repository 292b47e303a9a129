import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { studies } from "#dist/study/registry.js"
import { runStudy } from "#dist/study/run-study.js"
import { outsideLinks } from "../support/markup.ts"
import { refusal } from "../support/publish.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"
import { filesOf, frontierOf, numbersOf, resultsOf, tried } from "./run-frontier.ts"

const { at, fresh, write } = scratchFolder()
const file = at("synthetic.tsv")
const frontier = studies.find(({ name }) => name === "frontier")
const grid = ["--grid", write(JSON.stringify(tried))]
const { study } = frontierOf(file)

/** The error about a wrong grid. */
async function complaint(text: string, ...more: string[]): Promise<unknown> {
  const options = { coarse: false, targets: 50, use: "queries" as const, discardReleases: false, grid: text }
  return refusal((async () => frontier?.points({ ...options, ...(more.length > 0 && { methods: more }) }))())
}

const reportsOf = (folder: string) => filesOf(folder).filter((name) => name.endsWith(".report.html"))
const releasesOf = (folder: string) => filesOf(folder).filter((name) => !name.includes("."))

const done = at("done")
beforeAll(async () => {
  await synthLog(file, { rows: 3000, users: 100 })
  await study(done, ...grid, "--workers", "2")
})

describe("study frontier", () => {
  test("writes a release and a report for every point and for the raw log, readable by the owner only", () => {
    expect(resultsOf(done).map(({ point: { method, raw } }) => (raw === true ? "raw" : method))).toEqual([
      "raw",
      ...tried.equality.k.map(() => "equality"),
      "groups",
      "counts",
    ])
    expect([releasesOf(done), reportsOf(done)].map(({ length }) => length)).toEqual([8, 8])
    for (const name of readdirSync(done, { recursive: true, encoding: "utf8" })) {
      const { mode } = statSync(join(done, name))
      expect([name, mode & 0o077]).toEqual([name, 0])
    }
  })

  test("shows risk, worst attack, uses and checks of each release, and links its report", () => {
    const page = readFileSync(join(done, "index.html"), "utf8")
    for (const name of reportsOf(done)) expect(page).toContain(`href="releases/${name}"`)
    expect(outsideLinks(page)).toEqual([])
    for (const text of ["groups, k 2, δ (groups) 0.25", "ε (dp) 50", "raw log, names replaced", "the log itself"])
      expect(page).toContain(text)
    const rows = readFileSync(join(done, "data/points.csv"), "utf8").split("\n")
    expect(rows.find((row) => row.includes("equality, k 2"))).toMatch(/profile\/(record|name).*passed/)
    expect(rows.find((row) => row.includes("counts"))).toContain("membership")
    expect(page).not.toContain("NaN")
  })

  test("has no query of the log on its page, in its data or in its points", async () => {
    const { log } = await readLog(file, {}, createContext({ workers: 1 }))
    const texts = readdirSync(done, { recursive: true, encoding: "utf8" })
      .filter((name) => /^(index\.html|study\.json|(data|points|figures)\/.)/.test(name))
      .map((name) => readFileSync(join(done, name), "utf8"))
    const shown = texts.join("\n")
    for (let query = 0; query < log.queries.size; query++) {
      const text = log.queries.text(query)
      if (text.length > 12) expect(shown.includes(text)).toBe(false)
    }
  })
})

describe("a frontier that was run before", () => {
  test("computes a point again only if its files are missing or changed", async () => {
    const before = numbersOf(done)
    const at = (...names: string[]) => join(done, "releases", ...names)
    const point = (release: string) => join(done, "points", `${release}.json`)
    const dataOf = (release: string) =>
      at(release, readdirSync(at(release)).find((name) => name !== "release.json") ?? "")
    const [gone = "", cut = "", altered = "", reported = "", lost = "", removed = "", unlisted = "", whole = ""] =
      releasesOf(done)
    const untouched = statSync(dataOf(whole)).mtimeMs
    writeFileSync(at("notes.txt"), "of the owner")
    const ended = `${"0".repeat(24)}.report.html` // of a point that was not kept
    writeFileSync(at(ended), "half")
    rmSync(dataOf(gone))
    truncateSync(dataOf(cut), statSync(dataOf(cut)).size - 1)
    const bytes = readFileSync(dataOf(altered))
    bytes[bytes.length - 2] ^= 1 // of the same size
    writeFileSync(dataOf(altered), bytes)
    writeFileSync(at(`${reported}.report.html`), "")
    rmSync(point(lost))
    rmSync(at(removed), { recursive: true })
    const kept = JSON.parse(readFileSync(point(unlisted), "utf8"))
    writeFileSync(point(unlisted), JSON.stringify({ ...kept, files: [`releases/${unlisted}.report.html`] }))
    expect(await study(done, ...grid, "--workers", "1")).toEqual([7, 1])
    expect(numbersOf(done)).toEqual(before)
    expect(releasesOf(done)).toHaveLength(8)
    expect(statSync(dataOf(whole)).mtimeMs).toBe(untouched)
    expect([existsSync(at("notes.txt")), existsSync(at(ended))]).toEqual([true, false])
    rmSync(at("notes.txt"))
    expect(await study(done, ...grid)).toEqual([0, 8])
  })
})

describe("a point that a method refuses", () => {
  test("is stored and shown with the reason; the other points are computed, and --discard-releases works", async () => {
    const folder = fresh()
    const some = write(JSON.stringify({ swap: { k: 2, depth: "deep" }, counts: { epsilon: 50, delta: 0.001 } }))
    const args = ["--grid", some, "--discard-releases", "--workers", "1"]
    expect(await study(folder, ...args)).toEqual([3, 0])
    const refused = resultsOf(folder).filter((result) => result.refused !== undefined)
    expect(refused).toMatchObject([{ point: { method: "swap" }, scores: [], refused: expect.stringContaining("deep") }])
    expect(readFileSync(join(folder, "index.html"), "utf8")).toContain("Settings that a method refused")
    expect(reportsOf(folder)).toEqual(filesOf(folder))
    expect(reportsOf(folder)).toHaveLength(2)
    expect(await study(folder, ...args)).toEqual([0, 3])
  })
})

describe("a grid", () => {
  test.each([
    ["{", "not JSON"],
    ["[1]", "expected an object"],
    ['{"magic": {}}', "no method called magic"],
    ["{}", "expected an object"],
    ['{"equality": {"kk": 2}}', "unknown option kk"],
    ['{"equality": {"toString": 2}}', "unknown option toString"],
    ['{"equality": {"__proto__": 2}}', "unknown option __proto__"],
    ['{"equality": {"k": []}}', "at least one value"],
    ['{"equality": {"k": [0]}}', "equality: k"],
    ['{"equality": {"k": [{}]}}', "expected a value or a list"],
    ['{"affinity": {"functionWords": "words.txt"}}', "cannot name files"],
    ['{"counts": {"epsilon": 1}}', "counts"],
  ])("with an error is refused before anything is computed: %s", async (text, words) => {
    expect(await complaint(text)).toMatchObject({ code: "config", message: expect.stringContaining(words) })
  })

  test("must have values for the chosen methods", async () => {
    const about = { code: "usage", message: expect.stringContaining("swap") }
    expect(await complaint('{"equality": {"k": 2}}', "swap")).toMatchObject(about)
  })
})

describe("an interrupted frontier", () => {
  // frontier-study.slow.test.ts interrupts the command.
  test("stops even if the signal comes between two points, while one is being stored", async () => {
    const [folder, interrupt] = [fresh(), new AbortController()]
    const releases = join(folder, "releases")
    const now = () => {
      // The clock is read when a point is done. The report is the last thing that a point writes.
      if (existsSync(releases) && reportsOf(folder).length > 0) interrupt.abort()
      return 0
    }
    const subject = await readLog(file, {}, createContext({ workers: 1 }))
    const options = { coarse: false, targets: 30, use: "queries", discardReleases: false, grid: JSON.stringify(tried) }
    if (frontier === undefined) throw new Error("there is no such study")
    const run = runStudy(
      folder,
      { study: frontier, options, seed: 1, input: "x", subject },
      createContext({ workers: 1, signal: interrupt.signal, now }),
    )
    expect(await refusal(run)).toMatchObject({ code: "interrupted" })
    expect(existsSync(join(folder, "index.html"))).toBe(false)
  })
})
