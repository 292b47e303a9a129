import { createHash } from "node:crypto"
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { attacks } from "#dist/attacks/registry.js"
import { createContext } from "#dist/kernels/context.js"
import { dictionaryOf } from "#dist/kernels/dictionary.js"
import { type ColumnTable, tableOfColumns } from "#dist/kernels/table.js"
import { readLog } from "#dist/log/read-log.js"
import { measures } from "#dist/measures/registry.js"
import type { DpGuarantee } from "#dist/methods/dp-guarantee.js"
import type { AnyProbe } from "#dist/probes/probe.js"
import { runProbes } from "#dist/probes/run-probes.js"
import type { TablesDraft } from "#dist/release/anonymize.js"
import type { FileFormat } from "#dist/release/manifest.js"
import { openDraft, readRelease } from "#dist/release/read-release.js"
import { writeRelease } from "#dist/release/write-release.js"
import { verify } from "#dist/verify/registry.js"
import { aolText, smallTown } from "../support/aol-log.ts"
import { reasonsOf } from "../support/drafts.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const context = createContext({ workers: 1 })

const guarantee: DpGuarantee = {
  model: "dp",
  unit: "user",
  mode: "approximate",
  epsilon: "1",
  delta: "1/1000000",
  pool: "none",
  mechanisms: [],
  composition: "sum",
  parametersChosenOnData: false,
  statement: "nothing is proved of synthetic tables",
  notCovered: [],
}

function tableOfTexts(names: readonly string[], rows: readonly (readonly [...string[], number])[]): ColumnTable {
  const texts = dictionaryOf(rows.flatMap((row) => row.slice(0, -1).map(String)))
  return {
    rows: rows.length,
    columns: names.map((name, i) =>
      i === names.length - 1
        ? { name, values: Float64Array.from(rows, (row) => Number(row[i])) }
        : { name, texts, ids: Int32Array.from(rows, (row) => texts.find(String(row[i]))) },
    ),
  }
}

const queries: [string, number][] = [
  ['"', 7],
  ["\\n", 3],
  ['say "hello", world', -2],
  ["weather", 12_000],
  ["東京 😀", 5],
]
const clicks: [string, string, number][] = [["weather", "http://www.weather.example/a,b", 41]]

function draftOfTables(): TablesDraft {
  return {
    kind: "tables",
    manifest: {
      queryveil: 1,
      id: "0".repeat(32),
      method: "counts",
      parameters: { scrub: "none" },
      guarantee,
      seeded: false,
      created: "2006-03-01T00:00:00.000Z",
    },
    tables: {
      queries: tableOfTexts(["query", "count"], queries),
      clicks: tableOfTexts(["query", "url", "count"], clicks),
      transitions: tableOfTexts(["query", "next", "count"], []),
    },
    withheld: {},
    places: {},
    audit: {},
    warnings: [],
  }
}

async function publishTables(to: FileFormat) {
  const folder = fresh(to)
  const input = await readLog(write(aolText(smallTown())), {}, context)
  const manifest = await writeRelease(draftOfTables(), folder, { to, input }, context)
  return { folder, manifest, log: input.log }
}

function rowsOf(table: ColumnTable) {
  const { columns, rows, cell } = tableOfColumns(table)
  return Array.from({ length: rows }, (_, row) => columns.map((_, column) => cell(row, column)))
}

describe("a release of tables", () => {
  test.each<FileFormat>(["tsv", "csv", "jsonl", "parquet"])("is read back from %s as it was", async (to) => {
    const { folder } = await publishTables(to)
    const release = await readRelease(folder)
    if (release.kind !== "tables") throw new Error("tables are expected")
    const tables = await release.tables(context)
    expect(rowsOf(tables.queries)).toEqual(queries)
    expect(rowsOf(tables.clicks)).toEqual(clicks)
    expect(rowsOf(tables.transitions)).toEqual([])
    const checks = await verify({ release }, context)
    const looked = ["files", "closed", "randomness", "key-order"]
    expect(checks.filter(({ name }) => looked.includes(name))).toEqual(
      looked.map((name) => expect.objectContaining({ name, state: "passed" })),
    )
    expect(checks.find(({ name }) => name === "scrub")?.state).toBe("not promised") // nothing is scrubbed
  })

  test("of a draft equals what a reader of the files gets", async () => {
    const tables = await openDraft(draftOfTables()).tables(context)
    expect(rowsOf(tables.queries)).toEqual(queries)
  })

  test("names rows, columns and digest of each file in its manifest, and has no user column", async () => {
    const { folder, manifest } = await publishTables("tsv")
    expect(manifest.files.map(({ path, rows, columns }) => [path, rows, columns.map(({ name }) => name)])).toEqual([
      ["queries.tsv", 5, ["query", "count"]],
      ["clicks.tsv", 1, ["query", "url", "count"]],
      ["transitions.tsv", 0, ["query", "next", "count"]],
    ])
    for (const { path, sha256 } of manifest.files) {
      const bytes = readFileSync(join(folder, path))
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256)
    }
    expect(readFileSync(join(folder, "clicks.tsv"), "utf8")).toBe(
      "query\turl\tcount\nweather\thttp://www.weather.example/a,b\t41\n",
    )
    expect(statSync(`${folder}.receipt.json`).mode & 0o777).toBe(0o600)
    const receipt = JSON.parse(readFileSync(`${folder}.receipt.json`, "utf8"))
    expect(receipt.released).toEqual({ rows: 6, tables: { queries: 5, clicks: 1, transitions: 0 } })
  })

  test.each([
    ["another header", (text: string) => text.replace("query\tcount", "count\tquery")],
    ["a count that is no number", (text: string) => text.replace("12000", "many")],
    ["a row with a column too many", (text: string) => text.replace("12000", "12000\tuser")],
    ["a row with a column too few", (text: string) => text.replace("weather\t", "weather")],
  ])("that was altered is not readable: %s", async (_what, change) => {
    const { folder } = await publishTables("tsv")
    const path = join(folder, "queries.tsv")
    writeFileSync(path, change(readFileSync(path, "utf8")))
    const checks = await verify({ release: await readRelease(folder) }, context)
    expect(checks.map(({ name, state }) => [name, state])).toEqual([["readable", "failed"]])
  })

  test("that was altered is found by its digest and by the order of its rows", async () => {
    const { folder } = await publishTables("tsv")
    const path = join(folder, "queries.tsv")
    const [header, first, second, ...rest] = readFileSync(path, "utf8").split("\n")
    writeFileSync(path, [header, second, first, ...rest].join("\n"))
    const checks = await verify({ release: await readRelease(folder) }, context)
    expect(checks.filter(({ state }) => state === "failed").map(({ name }) => name)).toEqual(
      expect.arrayContaining(["files", "key-order"]),
    )
  })

  test("whose manifest has another number of rows is detected", async () => {
    const { folder } = await publishTables("tsv")
    const path = join(folder, "release.json")
    const manifest = JSON.parse(readFileSync(path, "utf8"))
    manifest.files[0].rows--
    manifest.files[1].rows++
    writeFileSync(path, JSON.stringify(manifest))
    const checks = await verify({ release: await readRelease(folder) }, context)
    expect(checks.find(({ name }) => name === "files")).toMatchObject({ state: "failed", detail: "queries.tsv" })
  })

  test.each<FileFormat>(["csv", "parquet"])(
    "whose manifest names a column by a statement is refused: %s",
    async (to) => {
      const { folder } = await publishTables(to)
      const path = join(folder, "release.json")
      const manifest = JSON.parse(readFileSync(path, "utf8"))
      const written = fresh()
      manifest.files[0].columns[0].name = [
        "a': 'VARCHAR', 'b': 'VARCHAR'});",
        `COPY (SELECT 1) TO '${written}';`,
        `SELECT * FROM read_csv('${join(folder, "queries.csv")}', columns={'a`,
      ].join(" ")
      writeFileSync(path, JSON.stringify(manifest))
      await expect(readRelease(folder)).rejects.toMatchObject({ code: "release-broken" })
      expect(existsSync(written)).toBe(false)
    },
  )

  test("makes every probe of rows say why it does not apply", async () => {
    const { folder, log } = await publishTables("tsv")
    const subject = { release: await readRelease(folder), log }
    const ofRows = (probes: readonly AnyProbe[]) => probes.filter(({ looksAt = "rows" }) => looksAt === "rows")
    const outcomes = await runProbes([...ofRows(attacks), ...ofRows(measures)], subject, {}, context)
    const reasons = reasonsOf(outcomes)
    expect(reasons.length).toBeGreaterThan(6)
    expect(reasons).toHaveLength(outcomes.length)
    expect(new Set(reasons)).toEqual(new Set(["the release has tables of counts, not rows"]))
  })
})
