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

const recordsOf = (id: string) => {
  const [header = [], ...rows] = csvCells(readFileSync(join(folder, "data", `${id}.csv`), "utf8"))
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ""])))
}

beforeAll(async () => {
  const small = ["--users", "3", "--interests", "6", "--sizes", "5,10", "--counts", "20", "--delta", deltas.join(",")]
  const answer = await runCli(["study", "personal", log, "-o", folder, "--taxonomy", path, ...small])
  expect(answer.stderr).toBe("")
  expect(answer.stdout).toContain("13 points computed")
})

describe("queryveil study personal", () => {
  test("leaves a page for the owner with every figure, its numbers as CSV, and no query", () => {
    const page = readFileSync(join(folder, "index.html"), "utf8")
    expect(outsideLinks(page)).toEqual([])
    for (const [, link = ""] of page.matchAll(/href="([^"#]+)"/g)) expect(existsSync(join(folder, link))).toBe(true)
    const micro = ["granularity", "power", "risk", "trade-off"]
    const rest = ["iterations", "time", "size", "queries", "precision", "precision-by-delta", "eavesdropper", "utility"]
    const names = (ending: string) => [...micro, ...rest].map((id) => `${id}${ending}`).sort()
    expect(readdirSync(join(folder, "figures")).sort()).toEqual(names(".svg"))
    expect(readdirSync(join(folder, "data")).sort()).toEqual(names(".csv"))
    expect(page).not.toMatch(/eagles|harmonica|piano/i)
    expect(page).not.toContain(">delta<") // it means other things in other methods
  })

  test("shows power and risk that never rise while topics are pruned, and one knee for each curve", () => {
    const steps = recordsOf("power")
    const curves = new Set(steps.map((row) => `${row.class} ${row.algorithm}`))
    expect(curves.size).toBeGreaterThan(1)
    for (const curve of curves) {
      const own = steps.filter((row) => `${row.class} ${row.algorithm}` === curve)
      own.forEach((row, i) => {
        if (i === 0) return
        for (const metric of ["DP", "risk"]) expect(Number(row[metric])).toBeLessThanOrEqual(Number(own[i - 1]?.[metric]) + 1e-9) // biome-ignore format: one thing
      })
      expect(own.filter(({ knee }) => knee === "1").length).toBe(1)
    }
  })

  test("leaves the engine's order alone where nothing may be shown, and shows all where everything may", () => {
    const rows = recordsOf("precision-by-delta").filter((row) => row.class === "all")
    const precision = (ranking: string, delta: number) =>
      Number(rows.find((row) => row.ranking === ranking && Number(row["δ (personal)"]) === delta)?.AP)
    for (const algorithm of ["GreedyDP", "GreedyIL", "tree"]) {
      expect(precision(algorithm, 0)).toBe(precision("original", 0))
      expect(precision(algorithm, 1)).toBe(precision("whole seed", 1))
    }
    expect(precision("whole seed", 1)).toBeGreaterThan(precision("original", 1))
  })

  test("finds the risk within its bound, and an eavesdropper who recovers at least as much", () => {
    const rows = recordsOf("eavesdropper")
    const value = (panel: string, score: string, delta: number) =>
      Number(
        rows.find((row) => row.panel === panel && row.score === score && Number(row["δ (personal)"]) === delta)?.value,
      )
    for (const delta of deltas) {
      expect(value("session, δ for the session too", "risk", delta)).toBeLessThanOrEqual(delta + 1e-9)
      for (const scope of ["one query", "session"])
        for (const bound of ["δ for each query", "δ for the session too"]) {
          const panel = `${scope}, ${bound}`
          expect(value(panel, "recovered", delta)).toBeGreaterThanOrEqual(value(panel, "risk", delta) - 1e-9)
          expect(value(panel, "with the query", delta)).toBeGreaterThanOrEqual(value(panel, "recovered", delta) - 1e-9)
        }
    }
  })
})
