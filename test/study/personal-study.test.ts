import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { sampleTree } from "../personal/sample-tree.ts"
import { aolText, timeAfter } from "../support/aol-log.ts"
import { outsideLinks } from "../support/markup.ts"
import { csvCells } from "../support/released-rows.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { path } = sampleTree()
const { at, write } = scratchFolder()
const folder = at("study")
const texts = ["eagles", "eagles harmonica", "figure piano", "owls giants", "queen speed", "piano", "harmonica queen"]
const log = write(aolText(texts.map((query, i) => ({ user: `u${i % 2}`, query, time: timeAfter(i * 60) }))))
const deltas = [0, 0.2, 1]
const small = ["--users", "3", "--asked", "6", "--sizes", "5,10", "--counts", "20", "--mu", "0.5,1"]

const recordsOf = (id: string, study = folder) => {
  const [header = [], ...rows] = csvCells(readFileSync(join(study, "data", `${id}.csv`), "utf8"))
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ""])))
}

/** Eight fans who first read about a team and later search for eagles. Others click the band. */
const fans = Array.from({ length: 8 }, (_, fan) => {
  const search = (minute: number, query: string, click?: { rank: number; url: string }) => {
    return { user: `fan${fan}`, query, time: timeAfter(minute * 60), ...click }
  }
  const team = { rank: 2, url: "http://www.philadelphia-team.com/quarterback/touchdown" }
  const other = { rank: 3, url: "http://www.team.com/quarterback/opera" }
  const band = { rank: 1, url: "http://www.hotel-california-band.com/guitar/songs" }
  return [
    search(0, "philadelphia eagles quarterback", team),
    search(10, "giants touchdown league", { rank: 1, url: "http://www.giants-league.com" }),
    search(20, "eagles", fan < 5 ? team : fan < 6 ? other : band),
    search(30, "owls"),
  ]
}).flat()

beforeAll(async () => {
  const args = ["--people", "synthetic", "--taxonomy", path, ...small, "--delta", deltas.join(",")]
  const answer = await runCli(["study", "personal", log, "-o", folder, ...args])
  expect(answer.stderr).toBe("")
  expect(answer.stdout).toContain("16 points computed")
})

describe("on the users of a log, queryveil study personal", () => {
  const study = at("of-log")
  beforeAll(async () => {
    const args = ["--taxonomy", path, ...small, "--users", "8", "--delta", "0.5,1", "--algorithm", "GreedyIL"]
    const answer = await runCli(["study", "personal", write(aolText(fans)), "-o", study, ...args])
    expect(answer.stderr).toBe("")
  })

  test("learns profiles from the first half of searches, and judges by the clicks of the second half", () => {
    const [people] = recordsOf("people", study)
    // Each asks "eagles" again. No profile has anything about "owls".
    expect(people).toMatchObject({ people: "8", searches: "8", "searches judged": "8", "judged by": "clicks" })
    expect(readFileSync(join(study, "index.html"), "utf8")).toContain("People are 8 users of the log")
  })

  test("finds that a fan's profile puts the team first, with an interval over people", () => {
    const rows = recordsOf("precision-by-delta", study).filter((row) => row.class === "all")
    const row = (ranking: string) => rows.find((one) => one.ranking === ranking && Number(one["δ (personal)"]) === 1)
    // The engine ranks the band first, which 2 of 8 want, then the team's page, which 5 want. At home the two change
    // places.
    expect(Number(row("original")?.AP)).toBeCloseTo((2 + 5 / 2 + 1 / 3) / 8, 12)
    expect(Number(row("at home")?.AP)).toBeCloseTo((5 + 2 / 2 + 1 / 3) / 8, 12)
    expect(Number(row("original")?.low)).toBeLessThan(Number(row("original")?.AP))
    expect(Number(row("original")?.high)).toBeGreaterThan(Number(row("original")?.AP))
  })

  test("finds that an eavesdropper recovers at least the risk, also if profiles have nothing about a query", () => {
    const rows = recordsOf("eavesdropper", study)
    const value = (panel: string, score: string) =>
      Number(rows.find((row) => row.panel === panel && row.score === score && Number(row["δ (personal)"]) === 1)?.value)
    for (const panel of ["one query, δ for each query", "session, δ for each query", "session, forbidding, no δ"])
      expect(value(panel, "recovered")).toBeGreaterThanOrEqual(value(panel, "risk") - 1e-9)
  })

  test("shows the bounds of the classes from the log and from the paper", () => {
    const bounds = recordsOf("classes", study).map((row) => [row.bounds, row.distinct])
    expect(bounds.map(([source]) => source)).toEqual(["log", "paper"])
  })

  test("shows what μ, the stop at no gain and the other reading of DP(q, R) decide", () => {
    const decisions = recordsOf("decisions", study)
    const share = (decision: string, mu: string) =>
      Number(decisions.find((row) => row.decision === decision && row.mu === mu)?.personalised)
    expect(share("no decision", "0.5")).toBe(1)
    expect(share("μ", "0.5")).toBeLessThanOrEqual(share("μ", "1"))
    expect(share("μ and gain", "1")).toBeLessThanOrEqual(share("μ", "1"))
    expect(decisions.some((row) => row.decision === "μ, by profile")).toBe(true)
  })

  test("notes if nobody has enough searches", async () => {
    const few = write(aolText(fans.slice(0, 3)))
    const args = ["--taxonomy", path, ...small, "--delta", "0.1"]
    expect((await runCli(["study", "personal", few, "-o", at("few"), ...args])).code).toBe(0)
    expect(readFileSync(at("few", "index.html"), "utf8")).toContain("Try --people synthetic")
  })
})

describe("on synthetic people, queryveil study personal", () => {
  test("writes a page with every figure and its numbers as CSV, without queries", () => {
    const page = readFileSync(join(folder, "index.html"), "utf8")
    expect(outsideLinks(page)).toEqual([])
    for (const [, link = ""] of page.matchAll(/href="([^"#]+)"/g)) expect(existsSync(join(folder, link))).toBe(true)
    const micro = ["granularity", "power", "risk", "trade-off"]
    const cost = ["iterations", "time", "size", "queries"]
    const worth = ["precision", "precision-by-delta", "clarity", "eavesdropper", "utility"]
    const drawn = [...micro, ...cost, ...worth]
    const names = (ids: string[], ending: string) => ids.map((id) => `${id}${ending}`).sort()
    expect(readdirSync(join(folder, "figures")).sort()).toEqual(names(drawn, ".svg"))
    const tables = ["decisions", "classes", "people"]
    expect(readdirSync(join(folder, "data")).sort()).toEqual(names([...drawn, ...tables], ".csv"))
    expect(page).not.toMatch(/eagles|harmonica|piano/i)
    expect(page).not.toContain(">delta<") // it has other meanings in other methods
  })

  test("shows that power and risk never rise while topics are pruned, with one knee for each curve", () => {
    const steps = recordsOf("power")
    const curves = new Set(steps.map((row) => `${row.class} ${row.algorithm}`))
    expect(curves.size).toBeGreaterThan(1)
    for (const curve of curves) {
      const own = steps.filter((row) => `${row.class} ${row.algorithm}` === curve)
      own.forEach((row, i) => {
        if (i === 0) return
        for (const metric of ["DP", "risk"])
          expect(Number(row[metric])).toBeLessThanOrEqual(Number(own[i - 1]?.[metric]) + 1e-9)
      })
      expect(own.filter(({ knee }) => knee === "1").length).toBe(1)
    }
  })

  test("keeps the engine's order if nothing may be shown, and shows all if everything may be shown", () => {
    const rows = recordsOf("precision-by-delta").filter((row) => row.class === "all")
    const precision = (ranking: string, delta: number) =>
      Number(rows.find((row) => row.ranking === ranking && Number(row["δ (personal)"]) === delta)?.AP)
    for (const algorithm of ["GreedyDP", "GreedyIL", "tree"]) {
      expect(precision(algorithm, 0)).toBe(precision("original", 0))
      expect(precision(algorithm, 1)).toBe(precision("whole seed", 1))
    }
    expect(precision("whole seed", 1)).toBeGreaterThan(precision("original", 1))
  })

  test("finds the risk within its bound, and that an eavesdropper recovers at least as much", () => {
    const rows = recordsOf("eavesdropper")
    const value = (panel: string, score: string, delta: number) =>
      Number(
        rows.find((row) => row.panel === panel && row.score === score && Number(row["δ (personal)"]) === delta)?.value,
      )
    for (const delta of deltas) {
      expect(value("session, δ for the session too", "risk", delta)).toBeLessThanOrEqual(delta + 1e-9)
      for (const scope of ["one query", "session"])
        for (const bound of ["δ for each query", "δ for the session too", "forbidding, no δ"]) {
          const panel = `${scope}, ${bound}`
          expect(value(panel, "recovered", delta)).toBeGreaterThanOrEqual(value(panel, "risk", delta) - 1e-9)
          expect(value(panel, "with the query", delta)).toBeGreaterThanOrEqual(value(panel, "recovered", delta) - 1e-9)
        }
    }
  })
})
