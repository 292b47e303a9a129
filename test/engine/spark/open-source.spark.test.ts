import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { openSparkSession } from "#dist/engine/spark/open-session.js"
import type { SparkSession } from "#dist/engine/spark/session.js"
import { createContext } from "#dist/kernels/context.js"
import { whyNoSpark } from "../../../servers/spark-cluster.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { sharedSpark } from "../../support/shared-spark.ts"
import { readAll } from "../../support/spark-answers.ts"

const reason = whyNoSpark()
const { fresh } = scratchFolder()
const stage = "testing"

/** A folder with files. */
function folderOf(files: Record<string, string | Uint8Array>): string {
  const folder = fresh("log")
  mkdirSync(folder)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

describe.skipIf(reason !== undefined)(`a log on Spark${reason === undefined ? "" : `: ${reason}`}`, () => {
  let session: SparkSession
  beforeAll(async () => {
    vi.stubEnv("XDG_STATE_HOME", fresh("state"))
    session = await openSparkSession((await sharedSpark()).address, createContext())
  })
  afterAll(async () => {
    await session?.close()
    vi.unstubAllEnvs()
  })

  test("is read from CSV as text, with quotes, newlines and missing values", async () => {
    const csv = 'user,query,rank\n007,"two\nlines, ""quoted""",1\n8,,\n'
    const path = folderOf({ "part 1.csv": csv })
    const { columns, bytes, snapshot } = await session.openSource("csv_log", { kind: "files", path, format: "csv" })
    expect(columns).toEqual(["user", "query", "rank"].map((name) => ({ name, type: "string" })))
    expect([bytes, snapshot]).toEqual([csv.length, "1 file as listed"])
    const rows = await readAll(session, "SELECT user, query, rank FROM csv_log ORDER BY user")
    expect(rows).toEqual([
      ["007", 'two\nlines, "quoted"', "1"],
      ["8", null, null],
    ])
  })

  test("is read from JSON, with what is no JSON kept apart", async () => {
    const path = folderOf({ "log.json": '{"user":7,"query":"a"}\nno json\n' })
    await session.openSource("json_log", { kind: "files", path, format: "json" })
    const rows = await readAll(session, "SELECT user, query, _corrupt_record FROM json_log ORDER BY user NULLS LAST")
    expect(rows).toEqual([
      ["7", "a", null],
      [null, null, "no json"],
    ])
  })

  test("is read as lines of bytes, also where they are no UTF-8", async () => {
    const path = folderOf({ "log.txt": Uint8Array.of(65, 255, 254, 10, 66, 10) })
    await session.openSource("lines", { kind: "files", path, format: "text" })
    const rows = await readAll(session, "SELECT hex(value) FROM lines ORDER BY value")
    expect(rows).toEqual([["41FFFE"], ["42"]])
  })

  test("keeps showing the files that it had, and says when one of them changes", async () => {
    const path = folderOf({ "1.csv": "query\na\n", "2.csv": "query\nb\n" })
    const opened = await session.openSource("growing", { kind: "files", path, format: "csv" })
    writeFileSync(join(path, "3.csv"), "query\nc\n")
    await opened.checkUnchanged()
    expect(await readAll(session, "SELECT query FROM growing ORDER BY query")).toEqual([["a"], ["b"]])
    appendFileSync(join(path, "2.csv"), "d\n")
    await expect(opened.checkUnchanged()).rejects.toMatchObject({ code: "input-changed" })
    rmSync(join(path, "2.csv"))
    await expect(opened.checkUnchanged()).rejects.toMatchObject({ code: "input-changed" })
    const again = await session.openSource("growing", { kind: "files", path, format: "csv" })
    expect(again.sha256).not.toBe(opened.sha256)
  })

  test.each([
    { kind: "without partitions", partitioned: "" },
    { kind: "with partitions", partitioned: "PARTITIONED BY (day)" },
  ])("is a table $kind, whose later rows are not read", async ({ partitioned }) => {
    const table = await session.temporaryTable()
    await session.run(
      `CREATE TABLE ${table} USING parquet ${partitioned} AS
       SELECT id AS user, 'q' AS query, id % 2 AS day FROM range(4)`,
      { stage },
    )
    const opened = await session.openSource("pinned", { kind: "table", table })
    expect(opened.columns.map(({ name }) => name)).toEqual(["user", "query", "day"])
    const same = await session.openSource("pinned_too", { kind: "table", table })
    expect(same.sha256).toBe(opened.sha256)
    await session.run(`INSERT INTO ${table} VALUES (9, 'later', 1)`, { stage })
    expect(await readAll(session, "SELECT count(*) FROM pinned")).toEqual([[4]])
    await opened.checkUnchanged()
    const later = await session.openSource("pinned_too", { kind: "table", table })
    expect(later.sha256).not.toBe(opened.sha256)
    await session.run(`INSERT OVERWRITE ${table} SELECT 1, 'other', 1`, { stage })
    await expect(opened.checkUnchanged()).rejects.toMatchObject({ code: "input-changed" })
    await session.dropTable(table)
  })

  test("is refused where it is not there, or cannot be pinned", async () => {
    const path = join(fresh("none"), "there")
    const open = (table: string) => session.openSource("refused", { kind: "table", table })
    await expect(session.openSource("refused", { kind: "files", path, format: "parquet" })).rejects.toMatchObject({
      code: "input-missing",
    })
    await expect(open("no.such.table")).rejects.toMatchObject({ code: "input-missing" })
    await expect(open("a; DROP TABLE b")).rejects.toMatchObject({ code: "input-missing" })
    await session.createView("seen", { text: { type: "string", values: ["a"] } })
    await expect(open("seen")).rejects.toMatchObject({ code: "remote-refused" })
  })
})
