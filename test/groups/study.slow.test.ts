import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { outsideLinks, readXml } from "../support/markup.ts"
import { csvCells } from "../support/released-rows.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"

const { at } = scratchFolder()
const [log, folder] = [at("log.tsv"), at("study")]
const grid = ["--users", "20,9000", "-k", "2,5", "--delta", "0,0.5", "--max-distance", "0.5,1", "--sample", "20"]
const args = [...grid, "--repeat", "2", "-o", folder]

beforeAll(async () => {
  await synthLog(log, { rows: 1200, users: 40 })
  expect(await runCli(["study", "groups", log, ...args])).toMatchObject({ code: 0, stderr: "" })
})

const recordsOf = (id: string) => {
  const [header = [], ...rows] = csvCells(readFileSync(join(folder, "data", `${id}.csv`), "utf8"))
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ""])))
}

/** Users of the log with a click, from the file alone. */
const clickers = () =>
  new Set(
    readFileSync(log, "utf8")
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => line.split("\t"))
      .flatMap(([user, , , , url]) => (url ? [user] : [])),
  ).size

describe("queryveil study groups", () => {
  test("leaves a page with every figure of the paper, drawn, and its numbers as CSV", () => {
    const page = readFileSync(join(folder, "index.html"), "utf8")
    expect(outsideLinks(page)).toEqual([])
    for (const [, link = ""] of page.matchAll(/href="([^"#]+)"/g)) expect(existsSync(join(folder, link))).toBe(true)
    for (const letter of "abc") {
      expect(page).toContain(`Hong et al. 2009, Fig. 1(${letter})`)
      expect(page).toContain(`Hong et al. 2009, Fig. 2(${letter})`)
    }
    const over = ["users", "k", "delta", "distance"]
    const ids = over.flatMap((part) => [`changed-per-user-by-${part}`, `distance-by-${part}`])
    const all = [...ids, "changed", "groups", "grouped-users", "suppressed-texts", "top", "top-order"]
    expect(readdirSync(join(folder, "data")).sort()).toEqual(all.map((id) => `${id}.csv`).sort())
    expect(readdirSync(join(folder, "figures")).sort()).toEqual(all.map((id) => `${id}.svg`).sort())
    for (const id of all)
      expect(readXml(readFileSync(join(folder, "figures", `${id}.svg`), "utf8")).root.name).toBe("svg")
  })

  test("goes up to all users with a click, and puts each into a group of at least k, similar or filled", () => {
    const found = new Map<number, number>()
    for (const { users, curve, value } of recordsOf("groups")) {
      expect(["similar", "filled"]).toContain(curve)
      found.set(Number(users), (found.get(Number(users)) ?? 0) + Number(value))
    }
    expect([...found]).toEqual([20, clickers()].map((users) => [users, Math.floor(users / 10)]))
  })

  test("draws each point as often as requested, with an interval around the mean", () => {
    const records = recordsOf("changed-per-user-by-k")
    expect(records.every(({ runs }) => runs === "2")).toBe(true)
    for (const { value, low, high } of records) {
      expect(Number(low)).toBeLessThanOrEqual(Number(value))
      expect(Number(high)).toBeGreaterThanOrEqual(Number(value))
    }
    expect(records.some(({ low, high }) => low !== high)).toBe(true)
  })

  test("has fewer users in groups, nearer to their centroid, within a smaller distance", () => {
    const heightOf = (id: string, distance: string, curve: string) =>
      Number(recordsOf(id).find((record) => record["max distance"] === distance && record.curve === curve)?.value ?? -1)
    expect(heightOf("grouped-users", "0.5", "users in groups")).toBeLessThan(
      heightOf("grouped-users", "1", "users in groups"),
    )
    expect(heightOf("grouped-users", "1", "users in groups")).toBe(20)
    expect(heightOf("distance-by-distance", "1", "mean distance")).toBeGreaterThan(0.5)
  })

  test("has every mode, over k and δ too", () => {
    const curves = ["identical", "exact", "paper", "totals"]
      .flatMap((mode) => [`${mode}: added`, `${mode}: suppressed`])
      .sort()
    for (const [id, column, values] of [
      ["changed-per-user-by-k", "k", ["2", "5"]],
      ["changed-per-user-by-delta", "δ (groups)", ["0", "0.5"]],
    ] as const) {
      const records = recordsOf(id)
      expect([...new Set(records.map(({ curve }) => curve))].sort()).toEqual(curves)
      expect([...new Set(records.map((record) => record[column]))]).toEqual(values)
    }
  })

  test("shows no url of the log", () => {
    const text = readFileSync(join(folder, "index.html"), "utf8") + readFileSync(join(folder, "study.json"), "utf8")
    const urls = new Set(readFileSync(log, "utf8").match(/http:\/\/\S+/g))
    expect(urls.size).toBeGreaterThan(100)
    expect([...urls].filter((url) => text.includes(url))).toEqual([])
  })
})
