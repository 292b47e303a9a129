import { readFileSync, writeFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { aolText } from "../support/aol-log.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { classifierText, taxonomyText, townSearches } from "../swap/town.ts"

const { fresh, write } = scratchFolder()
const searches = townSearches({ users: 60, each: 12 })
const log = write(aolText(searches), "log.tsv")
const taxonomy = ["--taxonomy", write(taxonomyText, "topics.tsv")]
const classifier = ["--classifier", write(classifierText(searches), "queries.tsv")]
const k = ["-k", "3", "--depth", "2", "--workers", "1"]

const run = async (...args: string[]) => {
  const result = await runCli(args)
  expect(result.stderr, args.join(" ")).not.toMatch(/queryveil:/)
  return result
}
const rowsOf = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n")
const cellsOf = (path: string) => rowsOf(path).map((row) => row.split("\t"))

/** What `classify -o` writes. */
async function classified(): Promise<string> {
  const path = fresh("classified")
  await run("classify", log, ...taxonomy, ...classifier, "-o", path)
  return path
}

describe("a log that was classified", () => {
  test("is read back as classify wrote it, and swapped by its own column, without a classifier", async () => {
    const own = await classified()
    const [release, audit] = [fresh("release"), fresh("audit")]
    const made = await run("anonymize", "swap", own, ...k, "-o", release, "--audit", audit, "--category")
    expect(made.readAs.join()).toMatch(/category=Category/)
    const checked = await runCli(["verify", release, "--against", own, "--audit", audit, "--json"])
    expect([0, 3]).toContain(checked.code)
    const states = Object.fromEntries(
      JSON.parse(checked.stdout).checks.map(({ name, state }: { name: string; state: string }) => [name, state]),
    )
    expect(states).toMatchObject({ topics: "passed", categories: "passed", columns: "passed", cells: "passed" })
    const topicOf = new Map(cellsOf(own).map((cells) => [cells[1], cells[5]]))
    const [header = [], ...rows] = cellsOf(`${release}/log.tsv`)
    const at = header.indexOf("Category")
    expect(rows.length).toBeGreaterThan(50)
    for (const cells of rows) {
      const shown = cells[at] ?? ""
      expect(shown.split("/").length).toBeLessThanOrEqual(2)
      expect(`${topicOf.get(cells[1] ?? "")}/`.startsWith(`${shown}/`)).toBe(true)
    }
    const attacked = await run("attack", release, "--against", own, "--audit", audit, "--only", "linkage", "--json")
    expect(attacked.stdout).toMatch(/linkage\/record-linkage-1/)
  })

  test("is swapped as with the classifier that found its categories", async () => {
    const [one, other] = [fresh("release"), fresh("release")]
    await run("anonymize", "swap", await classified(), ...k, "-o", one)
    await run("anonymize", "swap", log, ...k, ...taxonomy, ...classifier, "-o", other)
    // Cells depend only on the log and its topics. The dealing is random.
    const texts = (folder: string) => cellsOf(`${folder}/log.tsv`).map((cells) => `${cells[1]} ${cells[2]}`)
    expect(texts(one).sort()).toEqual(texts(other).sort())
  })

  test("fails to verify if a release shows another category than its cell's, or the whole path", async () => {
    const own = await classified()
    const [release, audit] = [fresh("release"), fresh("audit")]
    await run("anonymize", "swap", own, ...k, "-o", release, "--audit", audit, "--category")
    const path = `${release}/log.tsv`
    const topicOf = new Map(cellsOf(own).map((cells) => [cells[1], cells[5]]))
    const deep = rowsOf(path).findIndex((row) => topicOf.get(row.split("\t")[1] ?? "")?.split("/").length === 3)
    const rows = rowsOf(path)
    const cells = (rows[deep] ?? "").split("\t")
    cells[5] = topicOf.get(cells[1] ?? "") ?? ""
    // All rows of a search with several clicks show it.
    const from = `${(rows[deep] ?? "").split("\t").slice(0, 3).join("\t")}\t`
    const text = rows.map((row) => (row.startsWith(from) ? [...row.split("\t").slice(0, 5), cells[5]].join("\t") : row))
    writeFileSync(path, `${text.join("\n")}\n`)
    const { code, stdout } = await runCli(["verify", release, "--against", own, "--audit", audit, "--json"])
    expect(code).toBe(1)
    const failed = JSON.parse(stdout).checks.filter(({ state }: { state: string }) => state === "failed")
    expect(failed.map(({ name }: { name: string }) => name).sort()).toEqual(["categories", "files"])
  })

  test("builds a tree from its own paths; a given taxonomy that lacks them is refused by line", async () => {
    const rows = searches.map(
      ({ user, query, time }, i) => `${user},"${query}",${time},Arts / ${i % 2 ? "Music" : "Art"}`,
    )
    const csv = write(`user,query,time,category\n${rows.join("\n")}\n`, "own.csv")
    const release = fresh("release")
    const made = await run("anonymize", "swap", csv, "-k", "3", "--depth", "1", "-o", release, "--category")
    expect(made.stderr).toMatch(/queries have several categories in the log/)
    expect(
      new Set(
        cellsOf(`${release}/log.tsv`)
          .slice(1)
          .map((cells) => cells.at(-1)),
      ),
    ).toEqual(new Set(["Arts"]))
    const refused = await runCli(["anonymize", "swap", csv, ...taxonomy, "-o", fresh("release")])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/Line 2: the taxonomy has no topic with this category/)
    const passed = await run(
      "anonymize",
      "swap",
      csv,
      ...k,
      "--columns",
      "category=none",
      ...taxonomy,
      ...classifier,
      "-o",
      fresh("release"),
    )
    expect(passed.readAs.join()).not.toMatch(/category/)
  })

  test("goes through a stream without a classifier, and shows the category of each cell", async () => {
    const own = await classified()
    const output = fresh("out")
    const args = ["stream", "run", ...taxonomy, "--k", "3", "--depth", "2", "--no-admin", "--category", "--json"]
    const { stdout } = await run(...args, "--store", fresh("store"), "--input", own, "-o", output)
    expect(JSON.parse(stdout).withheld["no topic"]).toBeUndefined()
    const topicOf = new Map(cellsOf(own).map((cells) => [cells[1], cells[5]]))
    const [header, ...rows] = cellsOf(output)
    expect(header).toEqual(["AnonID", "Query", "QueryTime", "Category"])
    expect(rows.length).toBeGreaterThan(50)
    for (const [, query = "", , shown = ""] of rows) {
      expect(shown.split("/").length).toBeLessThanOrEqual(2)
      expect(`${topicOf.get(query)}/`.startsWith(`${shown}/`)).toBe(true)
    }
    const lost = await run(
      "stream",
      "run",
      "--k",
      "3",
      "--no-admin",
      "--json",
      "--store",
      fresh("store"),
      "--input",
      own,
      "-o",
      fresh("out"),
    )
    expect(lost.stderr).toMatch(/their category is not in the taxonomy/)
    expect(JSON.parse(lost.stdout)).toMatchObject({ taken: 0, withheld: { "unknown category": expect.any(Number) } })
  })
})
