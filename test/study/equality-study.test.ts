import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { parseHTML } from "linkedom"
import { describe, expect, test } from "vitest"
import { type ContextOptions, createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { studies } from "#dist/study/registry.js"
import { runStudy } from "#dist/study/run-study.js"
import type { Study } from "#dist/study/study.js"
import { aolText, marker, type Search, smallTown } from "../support/aol-log.ts"
import { outsideLinks, readXml } from "../support/markup.ts"
import { refusal } from "../support/publish.ts"
import { csvCells } from "../support/released-rows.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()

const equality = studies.find(({ name }) => name === "equality") ?? missing()
function missing(): never {
  throw new Error("there is no equality study")
}

interface Setting {
  k?: number[]
  seed?: number
  searches?: Search[]
  study?: Study
  secrets?: { line: number; kind: string }[]
  context?: ContextOptions
}

/** Runs the study of k-anonymity on the small town, as `study equality` does. */
async function study(folder: string, setting: Setting = {}) {
  const { k = [1, 2, 3, 5], seed = 1, searches = smallTown(), secrets } = setting
  const context = createContext({ workers: 1, ...setting.context })
  const { log, intake } = await readLog(write(aolText(searches)), {}, context)
  const subject = { log, ...(secrets === undefined ? {} : { truth: { secrets } }) }
  const input = `${intake.files[0].sha256} ${JSON.stringify(secrets)}`
  return runStudy(folder, { study: setting.study ?? equality, options: { k }, seed, input, subject }, context)
}

/** All files except the lock, which is empty. */
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name !== "lock.duckdb" && statSync(join(folder, name)).isFile())
    .sort()
const bytesOf = (folder: string) =>
  Object.fromEntries(filesOf(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]))

const planted = [
  { line: 2, kind: "common" },
  { line: 5, kind: "rare" },
]

describe("a study writes", () => {
  test("a page, a drawing and a CSV of each figure, a file of each point, all for the owner only", async () => {
    const folder = fresh()
    expect(await study(folder, { secrets: planted })).toMatchObject({ computed: 4, reused: 0 })
    const names = filesOf(folder)
    expect(names.filter((name) => !name.startsWith("points/"))).toEqual([
      "data/released.csv",
      "data/secrets.csv",
      "data/top.csv",
      "figures/released.svg",
      "figures/secrets.svg",
      "figures/top.svg",
      "index.html",
      "study.json",
    ])
    expect(names.filter((name) => /^points\/[0-9a-f]+\.json$/.test(name))).toHaveLength(4)
    for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    for (const name of ["points", "data", "figures"]) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o700)
  })

  test("figures that are standalone SVG documents", async () => {
    const folder = fresh()
    await study(folder, { secrets: planted })
    for (const name of filesOf(folder).filter((file) => file.endsWith(".svg"))) {
      const text = readFileSync(join(folder, name), "utf8")
      const { root, elements } = readXml(text)
      expect(root).toMatchObject({ name: "svg", attributes: { xmlns: "http://www.w3.org/2000/svg" } })
      expect(elements.filter(({ name: element }) => element === "circle").length).toBeGreaterThanOrEqual(4)
      expect(text).not.toContain("NaN")
      expect(text).not.toContain("undefined")
    }
  })

  test("the numbers of each figure as CSV, equal to those of study.json", async () => {
    const folder = fresh()
    await study(folder)
    const [header, ...rows] = csvCells(readFileSync(join(folder, "data/released.csv"), "utf8"))
    expect(header).toEqual(["k", "score", "value", "low", "high"])
    const { results }: { results: { point: { k: number }; scores: { name: string; value: number }[] }[] } = JSON.parse(
      readFileSync(join(folder, "study.json"), "utf8"),
    )
    const expected = results.flatMap(({ point, scores }) =>
      scores
        .filter(({ name }) => ["events-kept", "queries-kept"].includes(name))
        .map(({ name, value }) => [point.k, name, value, value, value].map(String)),
    )
    expect(rows).toEqual(expected)
  })

  test("the true shares of queries and searches that k users made", async () => {
    const folder = fresh()
    await study(folder, { k: [1, 2, 3, 8, 9], secrets: planted })
    const town = smallTown()
    const usersOf = (query: string) =>
      new Set(town.filter((other) => other.query.toLowerCase() === query.toLowerCase()).map(({ user }) => user)).size
    const queries = [...new Set(town.map(({ query }) => query.toLowerCase()))]
    const [, ...rows] = csvCells(readFileSync(join(folder, "data/released.csv"), "utf8"))
    for (const [k = "", score, value] of rows) {
      const [all, kept] =
        score === "queries-kept"
          ? [queries, queries.filter((query) => usersOf(query) >= Number(k))]
          : [town, town.filter(({ query }) => usersOf(query) >= Number(k))]
      expect(Number(value)).toBeCloseTo(kept.length / all.length, 12)
    }
    const [, ...secrets] = csvCells(readFileSync(join(folder, "data/secrets.csv"), "utf8"))
    const survivors = secrets.filter(([, score]) => score === "secrets").map(([k, , value]) => [k, value])
    expect(survivors).toEqual([
      ["1", "1"],
      ["2", "0.5"],
      ["3", "0.5"],
      ["8", "0.5"],
      ["9", "0"],
    ])
  })

  test("a page that loads nothing from elsewhere and names no query and no user", async () => {
    const folder = fresh()
    await study(folder, { secrets: planted })
    const page = readFileSync(join(folder, "index.html"), "utf8")
    expect(outsideLinks(page)).toEqual([])
    for (const link of page.matchAll(/href="([^"#]+)"/g)) expect(filesOf(folder)).toContain(link[1])
    expect(page).toContain("Content-Security-Policy")
    for (const text of Object.values(bytesOf(folder))) expect(text).not.toContain(marker)
  })
})

describe("text that looks like markup", () => {
  const nasty = `<script>alert("1")</script> & 'co'`
  const figures: Study["figures"] = (results, options) =>
    equality.figures(results, options).map((figure) => ({ ...figure, title: nasty, caption: nasty, cites: nasty }))
  const nastyStudy = { ...equality, name: "nasty", summary: nasty, figures }

  test("is text on the page", async () => {
    const folder = fresh()
    await study(folder, { study: nastyStudy })
    const { document } = parseHTML(readFileSync(join(folder, "index.html"), "utf8"))
    expect(document.querySelectorAll("script")).toHaveLength(0)
    const texts = [".soft", "h2", "figcaption"].map((where) => document.querySelector(where)?.textContent ?? "")
    expect(texts).toEqual([nasty, nasty, expect.stringContaining(`${nasty} After ${nasty}.`)])
  })

  test("leaves a figure well-formed", async () => {
    const folder = fresh()
    await study(folder, { study: nastyStudy })
    const { root } = readXml(readFileSync(join(folder, "figures/released.svg"), "utf8"))
    expect(root.attributes["aria-label"]).toBe(nasty)
  })
})

describe("a study that was run before", () => {
  test("computes nothing again and writes the same bytes", async () => {
    const folder = fresh()
    await study(folder)
    const before = bytesOf(folder)
    expect(await study(folder)).toMatchObject({ computed: 0, reused: 4 })
    expect(bytesOf(folder)).toEqual(before)
  })

  test("writes the same bytes in another folder, whatever the number of workers", async () => {
    const [one, two] = [fresh(), fresh()]
    await study(one)
    await study(two, { context: { workers: 2 } })
    expect(bytesOf(two)).toEqual(bytesOf(one))
  })

  test("computes only the points that are new", async () => {
    const [folder, whole] = [fresh(), fresh()]
    await study(folder, { k: [2, 5] })
    expect(await study(folder, { k: [1, 2, 3, 5] })).toMatchObject({ computed: 2, reused: 2 })
    await study(whole, { k: [1, 2, 3, 5] })
    expect(bytesOf(folder)).toEqual(bytesOf(whole))
  })

  test.each<[string, Setting]>([
    ["seed", { seed: 2 }],
    ["log", { searches: smallTown().slice(1) }],
    ["set of planted secrets", { secrets: planted }],
  ])("computes everything again for another %s", async (_name, setting) => {
    const folder = fresh()
    await study(folder)
    expect(await study(folder, setting)).toMatchObject({ computed: 4, reused: 0 })
  })

  test("computes a point again if its file is damaged", async () => {
    const folder = fresh()
    await study(folder)
    const before = bytesOf(folder)
    const [first = "", second = "", third = ""] = filesOf(folder).filter((name) => name.startsWith("points/"))
    writeFileSync(join(folder, first), before[first].slice(0, 40))
    writeFileSync(join(folder, second), "null\n")
    writeFileSync(join(folder, third), '{ "scores": "none" }\n')
    expect(await study(folder)).toMatchObject({ computed: 3, reused: 1 })
    expect(bytesOf(folder)).toEqual(before)
  })

  test("removes figures of the earlier run that this run does not have", async () => {
    const folder = fresh()
    await study(folder, { secrets: planted })
    await study(folder)
    expect(filesOf(folder).filter((name) => name.includes("secrets"))).toEqual([])
  })
})

describe("an interrupted study", () => {
  test("keeps finished points and continues from there", async () => {
    const [folder, whole] = [fresh(), fresh()]
    const controller = new AbortController()
    let points = 0
    const stopAtThird: Study = {
      ...equality,
      compute: (point, subject, context) => {
        if (++points === 3) controller.abort()
        return equality.compute(point, subject, context)
      },
    }
    const error = await refusal(study(folder, { study: stopAtThird, context: { signal: controller.signal } }))
    expect(error).toMatchObject({ code: "interrupted" })
    expect(filesOf(folder).map((name) => basename(join(folder, name, "..")))).toEqual(["points", "points"])
    expect(await study(folder)).toMatchObject({ computed: 2, reused: 2 })
    await study(whole)
    expect(bytesOf(folder)).toEqual(bytesOf(whole))
  })
})

describe("the folder of a study", () => {
  test("must not contain anything else", async () => {
    const folder = fresh()
    mkdirSync(folder)
    writeFileSync(join(folder, "index.html"), "my own page")
    expect(await refusal(study(folder))).toMatchObject({ code: "output-exists" })
    expect(bytesOf(folder)).toEqual({ "index.html": "my own page" })
  })

  test("must not be a file", async () => {
    const file = write("precious")
    expect(await refusal(study(file))).toMatchObject({ code: expect.stringMatching(/^output-/) })
    expect(readFileSync(file, "utf8")).toBe("precious")
    rmSync(file)
  })
})
