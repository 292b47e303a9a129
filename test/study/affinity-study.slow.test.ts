import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { writeSynth } from "#dist/release/write-synth.js"
import { valuesOf } from "../support/drafts.ts"
import { outsideLinks } from "../support/markup.ts"
import { csvCells } from "../support/released-rows.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { at, fresh, write } = scratchFolder()
const log = at("log.tsv")
const truth = at("truth")
const folder = at("study")
const ks = [1, 2, 5, 10, 20]
const args = ["-k", ks.join(), "--sample-size", "300"]

const recordsOf = (id: string, of = folder) => {
  const [header = [], ...rows] = csvCells(readFileSync(join(of, "data", `${id}.csv`), "utf8"))
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ""])))
}
const curve = (id: string, method: string, column = "value") =>
  recordsOf(id)
    .filter((row) => row.method === method)
    .map((row): [number, number] => [Number(row.k), Number(row[column])])

/** Maps each query to its users, from the file alone. */
function usersOfQueries(): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>()
  for (const line of readFileSync(log, "utf8").split("\n").slice(1, -1)) {
    const [user = "", query = ""] = line.split("\t")
    const key = query.toLowerCase()
    users.set(key, (users.get(key) ?? new Set()).add(user))
  }
  return users
}

let chosen: string[] = []
let stdout = ""
beforeAll(async () => {
  await writeSynth(log, { rows: 8000, users: 200, seed: 3, secrets: 0.01, truth }, createContext({ workers: 1 }))
  chosen = [...usersOfQueries()].sort(([, a], [, b]) => b.size - a.size).map(([query]) => query)
  const list = write(`${chosen.slice(0, 3).join("\n")}\nnobody ever asked this\n`)
  const user = readFileSync(log, "utf8").split("\n")[1]?.split("\t")[0] ?? ""
  const files = ["--truth", truth, "--queries", list, "--users", user]
  const answer = await runCli(["study", "affinity", log, "-o", folder, ...args, ...files])
  expect(answer.stderr).toBe("")
  stdout = answer.stdout
})

describe("queryveil study affinity", () => {
  test("writes a page with every figure and table, and the numbers of each as CSV", () => {
    const page = readFileSync(join(folder, "index.html"), "utf8")
    expect(outsideLinks(page)).toEqual([])
    for (const [, link = ""] of page.matchAll(/href="([^"#]+)"/g)) expect(existsSync(join(folder, link))).toBe(true)
    const drawn = [
      "rules",
      "sample-size",
      "f-0-1",
      "f-1",
      "ncp",
      "queries-per-user",
      "events-per-user",
      "released-events",
      "released-queries",
      "sensitive",
    ]
    expect(readdirSync(join(folder, "figures")).sort()).toEqual(
      [...drawn, "sensitive-common-words", "user-1"].map((id) => `${id}.svg`).sort(),
    )
    const tables = [
      "chosen",
      "cost",
      "lengths",
      "level",
      "matching",
      "ngrams",
      "states",
      "subgraphs",
      "top",
      "user-concepts",
      "words",
    ]
    expect(readdirSync(join(folder, "data")).sort()).toEqual(
      [...drawn, ...tables, "sensitive-common-words", "user-1"].map((id) => `${id}.csv`).sort(),
    )
    for (const name of ["index.html", "study.json", "data/chosen.csv"])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(stdout).toContain("10 points computed")
    for (const query of chosen.slice(0, 3)) expect(stdout).not.toContain(query)
  })

  test("shows for EQ the share of queries that k users issued, and estimates of samples near it", () => {
    const users = [...usersOfQueries().values()]
    expect(curve("released-queries", "EQ")).toEqual(
      ks.map((k) => [k, users.filter(({ size }) => size >= k).length / users.length]),
    )
    for (const [i, [, sampled = 0]] of curve("released-queries", "EQ", "sampled").entries()) {
      const share = curve("released-queries", "EQ")[i]?.[1] ?? 0
      // Ten samples of 300: six standard errors of the mean. The seed is fixed.
      expect(Math.abs(sampled - share)).toBeLessThanOrEqual(6 * Math.sqrt((share * (1 - share)) / 3000))
    }
  })

  test("shows for each θ the shares that follow from the method's own degrees", async () => {
    const audit = fresh()
    const method = ["anonymize", "affinity", log, "-k", "10", "--scrub", "none", "-o", fresh(), "--audit", audit]
    for (const theta of ["0.9", "0.8"]) {
      const { code } = await runCli([...method, "--theta", theta, "--force"])
      expect([0, 4]).toContain(code) // with k = 10 so small a log may leave nothing; its degrees are there
      const rows = readFileSync(join(audit, "degrees.tsv"), "utf8").split("\n").slice(1, -1)
      const degrees = new Map(rows.map((row) => [row.split("\t")[0], Number(row.split("\t")[2])]))
      const share = (k: number) => [...degrees.values()].filter((degree) => degree >= k).length / degrees.size
      expect(curve("released-queries", `AFF ${theta}`)).toEqual(ks.map((k) => [k, share(k)]))
      for (const row of recordsOf("chosen").filter(({ user }) => user === "")) {
        expect(row[`AFF ${theta}`]).toBe(String(degrees.get(row.query ?? "") ?? "-"))
      }
    }
  })

  test("shows the same loss of words and the same F as the measures of a release", async () => {
    for (const method of ["equality", "wordnet"]) {
      const [release, audit] = [fresh(), fresh()]
      await runCli(["anonymize", method, log, "-k", "5", "--scrub", "none", "-o", release, "--audit", audit])
      const probe = ["measure", release, "--against", log, "--audit", audit, "--truth", truth, "--json"]
      const only = ["--only", "ncp,f-beta,kept-per-user"]
      const answer = JSON.parse((await runCli([...probe, ...(method === "wordnet" ? ["--only", "ncp"] : only)])).stdout)
      const loss = new Map(curve("ncp", method === "equality" ? "EQ" : "WNGEN").map(([k, value]) => [k, value]))
      const values = valuesOf(answer.outcomes)
      expect(loss.get(5)).toBeCloseTo(values.ncp, 12)
      if (method === "wordnet") continue
      expect(new Map(curve("f-1", "EQ")).get(5)).toBeCloseTo(values["f@1"], 12)
      expect(new Map(curve("f-0-1", "EQ")).get(5)).toBeCloseTo(values["f@0.1"], 12)
      expect(new Map(curve("queries-per-user", "EQ", "high")).get(5)).toBeCloseTo(values["queries-per-user@75"], 12)
      expect(new Map(curve("events-per-user", "EQ")).get(5)).toBeCloseTo(values["events-per-user@50"], 12)
    }
  })

  test("draws the safe and the paper's rules, both at or above equality, and names the chosen ones", async () => {
    const paper = fresh()
    const one = [...args, "--theta", "0.9", "--samples", "2", "--subgraphs", "20"]
    expect((await runCli(["study", "affinity", log, "-o", paper, ...one, "--preset", "paper"])).code).toBe(0)
    for (const [of, rules] of [
      [folder, "safe"],
      [paper, "paper"],
    ] as const) {
      const rows = recordsOf("rules", of)
      const shareAt = (method: string, k: number) =>
        Number(rows.find((row) => row.method === method && row.k === String(k))?.value)
      for (const k of ks) {
        for (const name of ["AFF 0.9 safe", "AFF 0.9 paper"]) {
          expect(shareAt(name, k)).toBeGreaterThanOrEqual(shareAt("EQ", k))
        }
        const chosen = recordsOf("released-queries", of).find((row) => row.method === "AFF 0.9" && row.k === String(k))
        expect(Number(chosen?.value)).toBe(shareAt(`AFF 0.9 ${rules}`, k))
      }
    }
    expect(
      recordsOf("rules", paper)
        .map(({ value }) => value)
        .sort(),
    ).toEqual(
      recordsOf("rules")
        .filter(({ method }) => method === "EQ" || method?.startsWith("AFF 0.9"))
        .map(({ value }) => value)
        .sort(),
    )
    expect(readFileSync(join(folder, "index.html"), "utf8")).toContain("These are the safe rules")
    const page = readFileSync(join(paper, "index.html"), "utf8")
    expect(page).toContain("These are the paper")
    expect(page).toContain("Every word and phrase of this log is a concept")
    // There, two words of one person are a concept, and a word of two users is common enough.
    const audit = fresh()
    const flags = ["--preset", "paper", "-k", "2", "-o", fresh(), "--audit", audit]
    await runCli(["anonymize", "affinity", log, ...flags])
    const degrees = readFileSync(join(audit, "degrees.tsv"), "utf8").split("\n").slice(1, -1)
    const share = (k: number) => degrees.filter((row) => Number(row.split("\t")[2]) >= k).length / degrees.length
    expect(recordsOf("rules", paper).filter(({ method }) => method === "AFF 0.9 paper")).toEqual(
      ks.map((k) => ({ k: String(k), method: "AFF 0.9 paper", value: String(share(k)) })),
    )
  })

  test("reports the k at which affinity releases as many queries as equality", () => {
    const users = [...usersOfQueries().values()].map(({ size }) => size)
    for (const row of recordsOf("matching")) {
      const released = users.filter((size) => size >= Number(row["k of EQ"])).length
      expect(Number(row.queries)).toBe(released)
      if (released > 0) expect(Number(row["AFF 0.8"])).toBeGreaterThanOrEqual(Number(row["k of EQ"]))
    }
    expect(recordsOf("matching").map((row) => row["k of EQ"])).toContain("3")
    expect(readFileSync(join(folder, "index.html"), "utf8")).toMatch(/Equality releases \d+ distinct queries at k = 3/)
  })

  test("counts queries by state, and measures subgraphs against exact degrees", () => {
    for (const row of recordsOf("states")) {
      const states = ["plain queries", "expanded queries", "excluded queries"].map((name) => Number(row[name]))
      expect(states.reduce((all, n) => all + n, 0)).toBe(usersOfQueries().size)
    }
    const rows = recordsOf("subgraphs")
    expect(rows.map(({ method, vmax }) => [method, vmax])).toEqual(
      ["AFF 1", "AFF 0.9", "AFF 0.8"].flatMap((method) => ["200", "2000"].map((vmax) => [method, vmax])),
    )
    for (const row of rows) {
      expect(Number(row.error)).toBeGreaterThanOrEqual(0)
      if (row.closed === "1") expect([row.exact, row.error, row.gap]).toEqual(["1", "0", "0"])
      expect(Number(row.queries)).toBeGreaterThanOrEqual(Number(row.vertices))
    }
  })

  test("counts each query once in WordNet's tree, and shows what a chosen user's queries become", () => {
    const level = recordsOf("level")
    expect(level.reduce((all, row) => all + Number(row.queries), 0)).toBe(usersOfQueries().size)
    expect(level[0]?.concept).toBe("entity.n.01")
    expect(Math.max(...level.map((row) => Number(row.level)))).toBe(3)
    const concepts = recordsOf("user-concepts")
    expect(new Set(concepts.map(({ method }) => method))).toEqual(new Set(["WNGEN", "WNGEN paper"]))
    for (const row of concepts) expect(row["k = 20"]).toMatch(/\.n\.\d+$/)
  })

  test("reuses stored points, and notes which figures need files that were not given", async () => {
    const other = fresh()
    const plain = ["study", "affinity", log, "-o", other, ...args, "--theta", "0.9", "--json"]
    const first = JSON.parse((await runCli(plain)).stdout)
    expect([first.computed, first.reused]).toEqual([6, 0])
    const page = readFileSync(join(other, "index.html"), "utf8")
    expect(page).toContain("Fig. 6 is left out")
    expect(page).toContain("Table 4 is left out")
    expect(readdirSync(join(other, "data"))).not.toContain("f-1.csv")
    const second = JSON.parse((await runCli([...plain, "-k", "1,2,5,10,20"])).stdout)
    expect([second.computed, second.reused]).toEqual([0, 6])
    expect(readFileSync(join(other, "index.html"), "utf8")).toBe(page)
  })
})
