import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { runCli } from "../../support/run-cli.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { read, refusal } from "../read.ts"
import { writeParquet } from "./parquet-files.ts"
import { rowsOf, seconds } from "./rows.ts"

const { at } = scratchFolder()
const row = (time: string) =>
  `SELECT 'ann' AS user_id, 'Red  Hat' AS query, ${time} AS ts, 3 AS position, 'http://x' AS url`
const noon = seconds("2024-03-01T12:00:00Z")

describe("a Parquet file", () => {
  test.each([
    ["TIMESTAMP", "TIMESTAMP '2024-03-01 12:00:00.5'"],
    ["TIMESTAMP_NS", "TIMESTAMP_NS '2024-03-01 12:00:00.5'"],
    ["TIMESTAMP_MS", "TIMESTAMP_MS '2024-03-01 12:00:00.5'"],
    ["a zone", "TIMESTAMPTZ '2024-03-01 13:00:00+01:00'"],
    ["ISO text", "'2024-03-01T12:00:00Z'"],
    ["epoch seconds", "1709294400"],
    ["epoch milliseconds", "1709294400000"],
    ["epoch microseconds", "1709294400000000"],
  ])("is read with times as %s", async (_name, time) => {
    const result = await read(await writeParquet(at("times.parquet"), row(time)))
    expect(rowsOf(result)).toEqual([{ user: "ann", query: "red hat", time: noon, rank: 3, url: "http://x" }])
    expect(result.intake.format).toBe("parquet")
  })

  test("may hold texts as untyped bytes, and times that are in no calendar", async () => {
    const path = await writeParquet(
      at("bytes.parquet"),
      `SELECT * FROM (VALUES
        ('a'::BLOB, encode('café'), DATE '2024-03-01'),
        ('b'::BLOB, '\\xC3'::BLOB, DATE '2024-03-01'),
        ('c'::BLOB, 'x'::BLOB, DATE '5000000-01-01')) AS t(uid, q, time)`,
    )
    const { log, intake } = await read(path)
    expect([log.queries.text(0), intake.rejected]).toEqual(["café", { query: 1, time: 1 }])
  })

  test("is read by column name or position, and asks for columns that it cannot recognise", async () => {
    const path = await writeParquet(at("named.parquet"), "SELECT 'lamp' AS a, 'ann' AS \"b \"\" c\", 1709294400 AS d")
    expect(rowsOf(await read(path, { columns: "user=2,query=a,time=3" }))).toMatchObject([
      { user: "ann", query: "lamp" },
    ])
    expect(rowsOf(await read(path, { columns: 'user=b " c,query=1,time=d' }))).toMatchObject([{ user: "ann" }])
    expect(await refusal(read(path))).toMatchObject({ code: "input-columns", fields: { flag: "--columns" } })
    for (const columns of ["user=9,query=1,time=3", "user=0,query=1,time=3", "user=x,query=1,time=3"]) {
      expect(await refusal(read(path, { columns }))).toMatchObject({ code: "option-value" })
    }
  })

  test("may contain tabs, line breaks, empty cells, and rows that are rejected", async () => {
    const path = await writeParquet(
      at("odd.parquet"),
      `SELECT * FROM (VALUES
        ('a', E'two\\nlines\\tone', 1709294400),
        ('b', NULL, 1709294400),
        (NULL, 'x', 1709294400),
        ('c', 'y', NULL)) AS t(uid, q, time)`,
    )
    const { log, intake } = await read(path)
    expect([log.queries.text(0), log.rows, intake.rejected]).toEqual([
      "two lines one",
      1,
      { query: 1, user: 1, time: 1 },
    ])
    expect([...intake.rejects.line]).toEqual([2, 3, 4])
  })

  test.each(["log[1].parquet", "a*b.parquet", "what?.parquet", "it's.parquet"])(
    "is the file of its name and no other, even when the name looks like a pattern: %s",
    async (name) => {
      await writeParquet(at("aXb.parquet"), row("1709294400").replace("ann", "wrong"))
      await writeParquet(at("log1.parquet"), row("1709294400").replace("ann", "wrong"))
      writeFileSync(at(name), readFileSync(await writeParquet(at("plain.parquet"), row("1709294400"))))
      const result = await read(at(name))
      expect(rowsOf(result).map(({ user }) => user)).toEqual(["ann"])
    },
  )

  test("has only the columns in the file, not those in the names of its folders", async () => {
    mkdirSync(at("user=wrong"))
    const path = await writeParquet(at("user=wrong", "log.parquet"), row("1709294400"))
    expect(rowsOf(await read(path)).map(({ user }) => user)).toEqual(["ann"])
  })

  test("is refused with what to do when it is packed, piped, damaged or something else", async () => {
    const bytes = readFileSync(await writeParquet(at("whole.parquet"), row("1709294400")))
    const packed = at("packed.parquet.gz")
    writeFileSync(packed, gzipSync(bytes))
    expect(await refusal(read(packed))).toMatchObject({
      code: "input-unreadable",
      message: expect.stringContaining("gzip"),
    })
    const cut = at("cut.parquet")
    writeFileSync(cut, bytes.subarray(0, -9))
    expect(await refusal(read(cut))).toMatchObject({ code: "input-unreadable" })
    const text = at("text.parquet")
    writeFileSync(text, "user,query,time\n")
    expect(await refusal(read(text, { format: "parquet" }))).toMatchObject({
      message: expect.stringContaining("has another format"),
    })
    const piped = await runCli(["anonymize", "equality", "-", "-o", at("out"), "--k", "2"], { stdin: bytes })
    expect([piped.code, piped.stderr]).toEqual([1, expect.stringContaining("cannot be read from a pipe")])
  })
})
