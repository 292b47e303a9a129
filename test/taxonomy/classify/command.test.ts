import { readFileSync, statSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { aolText, smallTown } from "../../support/aol-log.ts"
import { expectRefused } from "../../support/expect-refused.ts"
import { runCli } from "../../support/run-cli.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"

const { write, fresh } = scratchFolder()
const log = write(aolText(smallTown()), "town.tsv")
const taxonomy = write("Sky\t1\t\nSky/Weather\t3\train\nMedia\t1\t\nMedia/News\t2\tpaper\n", "small.tsv")
const run = (...args: string[]) => runCli(["classify", ...args])

describe("classify", () => {
  test("reports how much of a log has a topic, and how deep", async () => {
    const { code, stdout } = await run(log, "--taxonomy", taxonomy, "--json")
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      events: 34,
      queries: 12,
      classified: { events: 21, queries: 2 },
      unclassified: { events: 13, queries: 10 },
      depths: [{ depth: 2, events: 21, queries: 2 }],
      topics: [
        { path: "Sky", events: 16, queries: 1 },
        { path: "Media", events: 5, queries: 1 },
      ],
    })
    expect((await run(log, "--taxonomy", taxonomy)).stdout).toMatch(/^ +events +share .*\nclassified +21 +61\.76 % +2 /)
  })

  test("writes the rows with a column for the topic, for the owner alone", async () => {
    const file = fresh("rows")
    expect((await run(log, "--taxonomy", taxonomy, "-o", file)).code).toBe(0)
    const [header, ...rows] = readFileSync(file, "utf8").trimEnd().split("\n")
    expect(header).toBe("AnonID\tQuery\tQueryTime\tItemRank\tClickURL\tCategory")
    expect(rows).toHaveLength(smallTown().length)
    const category = rows.map((row) => row.split("\t")).map(([, query, , , , path]) => `${query}: ${path}`)
    expect(category).toContain("weather: Sky/Weather")
    expect(category).toContain("maps: ")
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expectRefused(await run(log, "--taxonomy", taxonomy, "-o", file), { code: 1, message: /already exists/ })
    const again = await run(file, "--taxonomy", taxonomy, "--json")
    expect(JSON.parse(again.stdout).classified).toEqual({ events: 21, queries: 2 })
  })

  test("uses a table instead of the classifier", async () => {
    const table = write("maps\tMedia\n")
    const { stdout } = await run(log, "--taxonomy", taxonomy, "--classifier", table, "--json")
    expect(JSON.parse(stdout).classified).toEqual({ events: 3, queries: 1 })
    const wrong = write("maps\tNowhere\n")
    const refused = await run(log, "--taxonomy", taxonomy, "--classifier", wrong)
    expectRefused(refused, { code: 1, message: /line 1: no topic of the taxonomy has this path/ })
  })
})

describe("classify train", () => {
  test("writes a lexicon that only its owner can read and that classify accepts", async () => {
    const file = fresh("lexicon")
    const trained = await run("train", log, "--taxonomy", taxonomy, "-o", file, "--min-users", "3", "--json")
    expect(trained.code).toBe(0)
    expect(JSON.parse(trained.stdout)).toMatchObject({ file })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { code, stdout } = await run(log, "--taxonomy", taxonomy, "--classifier", file, "--json")
    expect(code).toBe(0)
    expect(JSON.parse(stdout).classified.events).toBeGreaterThanOrEqual(21)
    expectRefused(await run("train", log), { code: 2, message: /--output <file> is missing/ })
    expectRefused(await run("train", log, "-o", fresh(), "--min-users", "1"), { code: 2, message: /at least 2/ })
  })
})

describe("classify evaluate", () => {
  const labels = write("query\tpath\nweather\tSky/Weather\nrain\tSky\nnews\tSky\nmaps\tMedia\n")

  test("reports the accuracy of each level and the confusions", async () => {
    const { stdout } = await run("evaluate", "--labels", labels, "--taxonomy", taxonomy, "--json")
    expect(JSON.parse(stdout)).toMatchObject({
      queries: 4,
      classified: 3,
      levels: [
        { level: 1, queries: 4, right: 2, accuracy: 0.5 },
        { level: 2, queries: 1, right: 1, accuracy: 1 },
      ],
      confusion: [
        { label: "Sky", queries: 3, right: 2, taken: [{ as: "Media", queries: 1 }] },
        { label: "Media", queries: 1, right: 0, taken: [{ as: "-", queries: 1 }] },
      ],
    })
  })

  test("needs labels or a truth, and uses the first line of a query in the truth", async () => {
    expectRefused(await run("evaluate"), { code: 2, message: /either --labels or --truth/ })
    const folder = fresh("truth")
    const { mkdirSync, writeFileSync } = await import("node:fs")
    mkdirSync(folder)
    writeFileSync(`${folder}/topics.tsv`, "query\tpath\nweather\tSky\nweather\tMedia\n")
    const { stdout } = await run("evaluate", "--truth", folder, "--taxonomy", taxonomy, "--json")
    expect(JSON.parse(stdout)).toMatchObject({ queries: 1, levels: [{ right: 1 }] })
  })
})
