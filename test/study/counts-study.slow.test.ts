import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { crossValidate } from "#dist/measures/retrieval/cross-validate.js"
import type { RetrievalOptions } from "#dist/measures/retrieval/options.js"
import { edgesOfRelease } from "#dist/measures/shown/release-edges.js"
import { anonymize, type OptionValues } from "#dist/release/anonymize.js"
import { openDraft } from "#dist/release/read-release.js"
import { busyTown } from "../counts/busy-town.ts"
import { aolText } from "../support/aol-log.ts"
import { outsideLinks } from "../support/markup.ts"
import { csvCells } from "../support/released-rows.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, fresh, write } = scratchFolder()
const folder = at("study")
/** Each query leads to two pages. One gets a quarter of the clicks after `topic N`, half of those after `… cheap`. */
const searches = busyTown(300).map((search, i) => ({ ...search, url: `${search.url}/${i % 4 === 1 || i % 8 === 4}` }))
const log = write(aolText(searches))

// At this ε and this b, noise is 0 except for one draw in e^100, so the numbers follow from the log alone.
const settings = ["--epsilon", "4000", "--delta", "1e-3", "--max-keys", "10"]
const grid = ["--noise-scale", "0.01", "--cutoff", "20,100", "--first-queries", "10", "--first-clicks", "10"]
const judging = ["--folds", "2", "--test-queries", "50", "--draw", "evenly"]
const study = (path: string, into: string, more: readonly string[] = []) =>
  runCli(["study", "counts", path, "-o", into, ...settings, ...grid, ...judging, ...more])

const options: RetrievalOptions = {
  steps: 3,
  selfLoop: 0.1,
  lambda: 0.6,
  depth: 100,
  grades: "binary",
  folds: 2,
  testQueries: 50,
  draw: "evenly",
  foldSeed: 1,
  margin: 0.05,
}

/** Calls the cross-validation of the method with these parameters directly. */
async function judge(parameters: OptionValues) {
  const context = createContext({ workers: 1, seed: 8 })
  const { log: read } = await readLog(log, {}, context)
  const chosen = { method: "counts" as const, scrub: "none", ...parameters }
  const publish = async (part: SearchLog) => edgesOfRelease(openDraft(await anonymize(part, chosen, context)), context)
  const comparisons = await crossValidate(read, publish, options, context)
  return (ranker: string, measure: string, over = "all") =>
    comparisons.find((row) => row.ranker === ranker && row.measure === measure && row.over === over)
}

const recordsOf = (id: string, from = folder) => {
  const [header = [], ...rows] = csvCells(readFileSync(join(from, "data", `${id}.csv`), "utf8"))
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ""])))
}

const approximate = { epsilon: "4000", delta: "1e-3", maxQueries: 10, maxClicks: 10, maxTransitions: 10 }
const distinct = (values: readonly unknown[]) => new Set(values).size

/** By query: how often it is issued. */
function countSearches(): Map<string, number> {
  const issued = new Map<string, number>()
  for (const { query } of searches) issued.set(query, (issued.get(query) ?? 0) + 1)
  return issued
}

beforeAll(async () => {
  const answer = await study(log, folder)
  expect(answer.stderr).toBe("")
  expect(answer.stdout).toContain("11 points computed")
})

describe("queryveil study counts", () => {
  test("writes a page with every figure and its numbers as CSV, without queries, users and urls", () => {
    const page = readFileSync(join(folder, "index.html"), "utf8")
    expect(outsideLinks(page)).toEqual([])
    for (const [, link = ""] of page.matchAll(/href="([^"#]+)"/g)) expect(existsSync(join(folder, link))).toBe(true)
    const drawn = ["grid", "grid-keys", "keys", "shares", "utility"]
    expect(readdirSync(join(folder, "figures")).sort()).toEqual(drawn.map((id) => `${id}.svg`).sort())
    expect(readdirSync(join(folder, "data")).sort()).toEqual(
      [...drawn, "answered", "clicks", "feedback", "log", "releases", "walk"].map((id) => `${id}.csv`).sort(),
    )
    expect(page).not.toMatch(/topic \d|topic\d|person \d/)
    expect(page).toContain("Its δ is 1")
    expect(page).toContain("A query that a release cannot answer scores 0")
  })

  test("counts what is in the log", () => {
    const values = Object.fromEntries(recordsOf("log").map(({ statistic = "", value }) => [statistic, Number(value)]))
    const transitions = searches.filter(({ query }) => query.endsWith("cheap"))
    expect(values).toMatchObject({
      rows: searches.length,
      users: 300,
      searches: searches.length,
      "searches with a click": searches.length,
      "distinct queries": distinct(searches.map(({ query }) => query)),
      clicks: searches.length,
      "distinct urls": distinct(searches.map(({ url }) => url)),
      "distinct clicks (query, url)": distinct(searches.map(({ query, url }) => `${query} ${url}`)),
      "adjacent searches of a user, the paper's transitions": searches.length - 300,
      "transitions within 30 minutes, no repeats": transitions.length,
      "distinct ones of these (query, next)": distinct(transitions.map(({ query }) => query)),
    })
  })

  test("reports what each release shows, and 0 if it shows nothing", () => {
    const rows = Object.fromEntries(recordsOf("releases").map(({ release = "", ...row }) => [release, row]))
    const queries = distinct(searches.map(({ query }) => query))
    // Every query has about 25 users. A page needs 6: a threshold of 2 and 4 users more.
    const clickers = new Map<string, Set<string>>()
    const keyOf = ({ query, url }: (typeof searches)[number]) => `${query} ${url}`
    for (const search of searches)
      clickers.set(keyOf(search), (clickers.get(keyOf(search)) ?? new Set()).add(search.user))
    const clicks = [...clickers].filter(([, users]) => users.size >= 6).map(([key]) => key)
    const clicked = searches.filter((search) => clicks.includes(keyOf(search)))
    expect(clicks.length).toBeLessThan(clickers.size)
    expect(rows["approximate, ℓ₀ = 10"]).toMatchObject({
      "ε (dp)": "4000",
      "δ (dp)": "0.001",
      queries: String(queries),
      clicks: String(clicks.length),
      transitions: String(queries / 2),
      "share of searches": "1",
      "share of clicks": String(clicked.length / searches.length),
    })
    expect(rows["optimal, ℓ₀ = 10"]).toEqual(rows["approximate, ℓ₀ = 10"])
    const nothing = { queries: "0", clicks: "0", transitions: "0", "share of searches": "0", "share of clicks": "0" }
    // No query has 500 searches; (2·10 − 1 + 10)/10.
    expect(rows["paper, b = 10, K = 500"]).toEqual({ "ε (dp)": "2.9", "δ (dp)": "1", ...nothing })
    // The same over ε: the paper's algorithm at the b of this ε, 29/4000, where noise lifts nothing over K.
    const shown = recordsOf("keys").filter(({ table }) => table === "queries")
    const over = (K: number) => [...countSearches().values()].filter((count) => count > K).length
    expect(Object.fromEntries(shown.map(({ curve, value }) => [curve, Number(value)]))).toEqual({
      approximate: queries,
      optimal: queries,
      korolova: [...countSearches().values()].filter((count) => count >= 11).length,
      pure: expect.any(Number),
      "paper, K = 20": over(20),
      "paper, K = 100": 0,
    })
    const pure = recordsOf("keys").find(({ curve, table }) => curve === "pure" && table === "clicks")
    expect(pure?.value).toBe("0")
  })

  test("reports the same values as the cross-validation itself", async () => {
    const found = await judge(approximate)
    const names: Record<string, string> = { "nDCG@10": "ndcg_cut_10", "P@5": "P_5", "P@10": "P_10", MAP: "map" }
    for (const ranker of ["walk", "feedback"]) {
      const rows = recordsOf(ranker).filter(({ release }) => release === "approximate, ℓ₀ = 10")
      expect(rows.map(({ measure }) => measure)).toEqual(Object.keys(names))
      for (const row of rows) {
        const direct = found(ranker, names[row.measure ?? ""] ?? "")
        const { original, release, difference, interval, p, equivalence } = direct ?? {}
        const numbers = [original, release, difference, ...(interval ?? []), p, equivalence]
        const columns = ["U(Q)", "U(Q′)", "difference", "low", "high", "t-test p", "equivalence p"]
        expect(columns.map((name) => Number(row[name]))).toEqual(numbers)
        expect(Number(row["U(Q′)"])).toBeGreaterThan(0)
      }
    }
    const clicks = recordsOf("clicks").find(({ release }) => release === "approximate, ℓ₀ = 10")
    expect(Number(clicks?.["U(Q′)"])).toBe(found("clicks", "ndcg_cut_10")?.release)
    const walked = recordsOf("answered").find(
      ({ release, algorithm }) => release === "approximate, ℓ₀ = 10" && algorithm === "walk",
    )
    const answered = found("walk", "ndcg_cut_10", "answered")
    expect(["answered", "U(Q)", "U(Q′)", "t-test p"].map((name) => Number(walked?.[name]))).toEqual(
      [answered?.n, answered?.original, answered?.release, answered?.p], // biome-ignore format: a row
    )
    expect(Number(walked?.asked)).toBe(found("walk", "ndcg_cut_10")?.n)
  })

  test("scores an empty release 0 over all queries, and gives no value over answered queries", () => {
    for (const ranker of ["walk", "feedback", "clicks"]) {
      const rows = recordsOf(ranker).filter(({ release }) => release === "paper, b = 10, K = 500")
      expect(rows.length).toBeGreaterThan(0)
      for (const row of rows) {
        expect(row["U(Q′)"]).toBe("0")
        expect(Number(row.difference)).toBeCloseTo(-Number(row["U(Q)"]), 12)
      }
    }
    for (const row of recordsOf("answered").filter(({ release }) => release === "paper, b = 10, K = 500"))
      expect([row.answered, row["U(Q)"], row["U(Q′)"], row["t-test p"]]).toEqual(["0", "", "", ""])
  })

  test("draws the paper's grid with the values of each b and K", async () => {
    const paper = { mode: "paper", noiseScale: "0.01", firstQueries: 10, firstClicks: 10 }
    const rows = recordsOf("grid").filter(({ algorithm }) => algorithm === "implicit feedback")
    expect(rows.map(({ noiseScale, cutoff }) => [noiseScale, cutoff])).toEqual([
      ["0.01", "20"],
      ["0.01", "100"],
    ])
    const direct = await Promise.all([20, 100].map((cutoff) => judge({ ...paper, cutoff })))
    expect(rows.map(({ release }) => Number(release))).toEqual(
      direct.map((found) => found("feedback", "ndcg_cut_10")?.release),
    )
    // Half of the users issue a query about 13 times: hardly any query passes 20, and none 100.
    const [some, none] = rows.map(({ release }) => Number(release))
    expect(none).toBe(0)
    expect(some).toBeLessThan(Number(rows[0]?.original))
    const over = [...countSearches().values()].filter((count) => count > 20).length
    const keys = recordsOf("grid-keys").filter(({ table }) => table === "queries")
    expect(keys.map((row) => Number(row.keys))).toEqual([over, 0])
  })

  test("computes only new points after a K is added", async () => {
    const { stdout } = await study(log, folder, ["--cutoff", "20,100,200"])
    // One point of the grid, and the largest K over ε.
    expect(stdout).toContain("2 points computed, 10 taken")
    expect(new Set(recordsOf("grid").map(({ cutoff }) => cutoff))).toEqual(new Set(["20", "100", "200"]))
  })

  test("scores modes with public keys, and the paper's algorithm with and without step 3", async () => {
    const into = fresh()
    const pool = write([...countSearches().keys()].map((query) => `${query}\t30`).join("\n"), "pool.txt")
    const urls = write([...new Set(searches.map(({ url }) => url))].join("\n"), "urls.txt")
    const lists = ["--pool", pool, "--pool-urls", urls, "--draws", "2"]
    const { code, stderr } = await study(log, into, lists)
    expect([code, stderr]).toEqual([0, ""])
    const worth = Object.fromEntries(
      recordsOf("walk", into)
        .filter(({ measure }) => measure === "nDCG@10")
        .map((row) => [row.release, Number(row["U(Q′)"])]),
    )
    // Everything is public, and noise is almost 0: as good as the log.
    const [original] = recordsOf("walk", into).map((row) => Number(row["U(Q)"]))
    expect(worth["pure, ℓ₀ = 10"]).toBeGreaterThan(0.9 * Number(original))
    // With d = 10 searches per user, a query needs 11 in total. Half of the users issue about as many.
    expect(worth["korolova, d = 10"]).toBeGreaterThan(0.3 * Number(original))
    const sizes = Object.fromEntries(
      recordsOf("releases", into).map(({ release, queries }) => [release, Number(queries)]),
    )
    // A frequency of 30 in the pool lifts every query over K = 20, however rare it is in the log.
    expect(sizes["paper, b = 10, K = 20, with the pool"]).toBeGreaterThan(sizes["paper, b = 10, K = 20"] ?? 0)
    expect(new Set(recordsOf("grid", into).map(({ draws }) => draws))).toEqual(new Set(["2"]))
    // The lists are private and in no file of the study. Only their digests are.
    const files = readdirSync(into, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name), "utf8")).not.toMatch(/topic \d/)
    const again = await study(log, into, [...lists.slice(0, 2), "--draws", "2"])
    expect(again.stdout).toContain("2 points computed") // pure and korolova without urls
  })

  test("draws the noise several times for each fold, and reports the range of the draws", async () => {
    const into = fresh()
    const noisy = ["--noise-scale", "20", "--cutoff", "20", "--draws", "4"]
    expect((await study(log, into, noisy)).code).toBe(0)
    for (const { low, release, high, draws } of recordsOf("grid", into)) {
      expect(draws).toBe("4")
      expect(Number(low)).toBeLessThan(Number(high))
      expect(Number(release)).toBeGreaterThan(Number(low))
      expect(Number(release)).toBeLessThan(Number(high))
    }
  })

  test("counts transitions by the chosen rule", async () => {
    const into = fresh()
    const few = ["--epsilon", "4000", "--cutoff", "20", "--draws", "1", "--session-gap", "0", "--repeats", "drop"]
    expect((await study(log, into, few)).code).toBe(0)
    const shown = recordsOf("releases", into).find(({ release }) => release === "paper, b = 10, K = 20")
    const usual = recordsOf("releases").find(({ release }) => release === "paper, b = 10, K = 20")
    expect([Number(shown?.transitions), Number(usual?.transitions) > 0]).toEqual([0, true])
  })

  test("notes that utility is not measured if the log has no clicks", async () => {
    const into = fresh()
    const unclicked = searches.slice(0, 500).map(({ user, query, time }) => ({ user, query, time }))
    const { code } = await study(write(aolText(unclicked)), into)
    expect(code).toBe(0)
    expect(readFileSync(join(into, "index.html"), "utf8")).toContain("The log has no clicks")
    expect(existsSync(join(into, "data", "walk.csv"))).toBe(false)
    expect(recordsOf("keys", into).length).toBeGreaterThan(0)
  })

  test("refuses a δ that promises nothing", async () => {
    const { code, stderr } = await study(log, fresh(), ["--delta", "0.9"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("--delta")])
  })
})
