import { mkdirSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import type { SparkConnection } from "#dist/engine/spark/connect/spark-connection.js"
import { writeRowParts } from "#dist/engine/spark/log/write-parts.js"
import { findLakeTable, tableFolders } from "#dist/engine/spark/source/find-lake.js"
import { sourceOf } from "#dist/engine/spark/source-of.js"
import { createContext } from "#dist/kernels/context.js"
import { QueryveilError } from "#dist/kernels/error.js"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh } = scratchFolder()
const policy = { users: "session", urls: "threshold", time: "hour", category: false } as const

async function* batches() {
  const names = ["first", "q", "t", "r", "l"]
  yield {
    ...{ rows: 3, names },
    columns: [
      [true, false, true],
      ["a", "b", "c"],
      [1141171200, 1141171201, 1141178401],
      [1, null, 2],
      ["http://x.example", null, null],
    ],
  }
  yield {
    ...{ rows: 2, names },
    columns: [
      [false, true],
      ["d", "e"],
      [1141178402, 3],
      [null, null],
      [null, null],
    ],
  }
}

const written = async (options: { partRows?: number; to?: "tsv" | "parquet" } = {}) => {
  const folder = fresh()
  mkdirSync(folder)
  const { to = "tsv", ...more } = options
  const files = await writeRowParts(folder, batches(), { policy, to, ...more }, createContext({ seed: 1 }))
  return { folder, files }
}

test.each([
  ["/lake/t", ["/lake/t"]],
  ["/lake/t/", ["/lake/t"]],
  ["/lake/tenant=acme", ["/lake/tenant=acme", "/lake"]],
  ["/lake/t/day=1/hour=2", ["/lake/t/day=1/hour=2", "/lake/t/day=1", "/lake/t"]],
  ["/lake/t/*.parquet", ["/lake/t"]],
  ["/lake/t/day=*/part", ["/lake/t"]],
  ["/lake/t/part-0.parquet", ["/lake/t/part-0.parquet", "/lake/t"]],
  ["s3a://bucket/t/data/day=1", ["s3a://bucket/t/data/day=1", "s3a://bucket/t/data", "s3a://bucket/t"]],
  ["s3a://bucket.x/day=1", ["s3a://bucket.x/day=1", "s3a://bucket.x"]],
  ["file:/lake/t/data", ["file:/lake/t/data", "file:/lake/t"]],
  ["searches.parquet", ["searches.parquet"]],
])("the table that %s belongs to may be in %j", (path, folders) => {
  expect(tableFolders(path)).toEqual(folders)
})

test("a path is not read as plain files if Spark cannot say what it is", async () => {
  const connection = (errorClass: string) =>
    ({
      createRelationView: () => Promise.reject(new QueryveilError("spark-failed", "", { cause: { errorClass } })),
      run: async () => {},
    }) as unknown as SparkConnection
  await expect(findLakeTable(connection("PATH_NOT_FOUND"), "/lake/t/part.parquet")).resolves.toBe(undefined)
  await expect(findLakeTable(connection("DENIED"), "/lake/t")).rejects.toMatchObject({ code: "remote-refused" })
})

describe("the parts of a release on a cluster", () => {
  test("have names that join the rows of a group, also over the end of a part", async () => {
    const { folder, files } = await written({ partRows: 3 })
    expect(files.map(({ path, rows }) => ({ path, rows }))).toEqual([
      { path: "log-0.tsv", rows: 3 },
      { path: "log-1.tsv", rows: 2 },
    ])
    const rows = files.flatMap(({ path }) => readFileSync(`${folder}/${path}`, "utf8").split("\n").slice(1, -1))
    const [a, b, c, d, e] = rows.map((row) => row.split("\t"))
    expect(a?.slice(1)).toEqual(["a", "2006-03-01 00:00:00", "1", "http://x.example"])
    expect(c?.slice(1)).toEqual(["c", "2006-03-01 02:00:00", "", ""])
    expect(b?.[0]).toBe(a?.[0])
    expect(d?.[0]).toBe(c?.[0])
    expect(new Set([a?.[0], c?.[0], e?.[0]]).size).toBe(3)
  })

  test("are one empty part if nothing is released", async () => {
    const folder = fresh()
    mkdirSync(folder)
    const none = async function* () {}
    const files = await writeRowParts(folder, none(), { policy, to: "tsv" }, createContext())
    expect(files).toMatchObject([{ path: "log-0.tsv", rows: 0 }])
    expect(readFileSync(`${folder}/log-0.tsv`, "utf8")).toBe("AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n")
  })

  test("can be Parquet", async () => {
    const { files } = await written({ to: "parquet" })
    expect(files).toMatchObject([{ path: "log-0.parquet", rows: 5 }])
  })
})

describe("a log on a cluster is", () => {
  test.each([
    ["lake.searches.y2026", { kind: "table", table: "lake.searches.y2026" }],
    ["s3://bucket/log/", { kind: "files", path: "s3://bucket/log/", format: "parquet" }],
    ["/data/log.PARQUET", { kind: "files", path: "/data/log.PARQUET", format: "parquet" }],
    [
      "hdfs:///log/*.csv.gz",
      { kind: "files", path: "hdfs:///log/*.csv.gz", format: "text", options: { lineSep: "\n" } },
    ],
    ["/data/log.jsonl", { kind: "files", path: "/data/log.jsonl", format: "text", options: { lineSep: "\n" } }],
  ])("named by %s", (name, source) => {
    expect(sourceOf(name)).toEqual(source)
  })

  test("not named by what could be a statement", () => {
    expect(() => sourceOf("a; DROP TABLE b")).toThrow("Name a table")
    expect(() => sourceOf("")).toThrow("Name a table")
  })
})
