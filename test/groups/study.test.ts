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
const args = ["--users", "20,9000", "-k", "2,5", "--delta", "0,0.5", "--sample", "20", "-o", folder]

beforeAll(async () => {
  await synthLog(log, { rows: 1200, users: 40 })
  expect(await runCli(["study", "groups", log, ...args])).toMatchObject({ code: 0, stderr: "" })
}, 60_000)

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
    const ids = ["changed", "changed-per-user-by-users", "changed-per-user-by-k", "changed-per-user-by-delta"]
    const all = [...ids, "groups", "suppressed-texts", "top"]
    expect(readdirSync(join(folder, "data")).sort()).toEqual(all.map((id) => `${id}.csv`).sort())
    expect(readdirSync(join(folder, "figures")).sort()).toEqual(all.map((id) => `${id}.svg`).sort())
    for (const id of all)
      expect(readXml(readFileSync(join(folder, "figures", `${id}.svg`), "utf8")).root.name).toBe("svg")
  })

  test("goes up to all users with a click, and has groups of at least k for all of them", () => {
    const found = recordsOf("groups").map(({ users, value }) => [Number(users), Number(value)])
    expect(found).toEqual([20, clickers()].map((users) => [users, Math.floor(users / 10)]))
  })

  test("has every mode, over k and δ too", () => {
    const curves = ["identical", "exact", "paper"].flatMap((mode) => [`${mode}: added`, `${mode}: suppressed`]).sort()
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
