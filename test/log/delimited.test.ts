import { existsSync } from "node:fs"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { QueryveilError } from "#dist/kernels/error.js"
import { scratchFolder } from "../support/scratch-folder.ts"
import { read, refusal } from "./read.ts"

const { write } = scratchFolder()

/** The rows of a log in file order, as texts. */
async function rowsOf(path: string, options: Parameters<typeof read>[1] = {}, workers = 1) {
  const { log, intake } = await read(path, options, { workers })
  const rows = Array.from(log.line, (line, row) => ({
    line,
    user: log.users.text(log.user[row]),
    query: log.queries.text(log.query[row]),
    time: log.time[row],
    url: log.url[row] < 0 ? "" : log.urls.text(log.url[row]),
  }))
  return { rows: rows.sort((a, b) => a.line - b.line), intake }
}

const noon = Date.UTC(2006, 2, 1, 12) / 1000

describe("a delimited log is recognised", () => {
  test.each([
    ["CSV with a header", "user_id,query,timestamp\n7,weather,2006-03-01T12:00:00Z\n"],
    ["CSV in another order", "timestamp,query,uid\n2006-03-01 12:00:00,weather,7\n"],
    ["semicolons", "user;keyword;time\n7;weather;1141214400\n"],
    ["bars and microseconds", "client_id|search_term|event_timestamp\n7|weather|1141214400000000\n"],
    ["TSV with a zone", "user\tq\ttime\textra\n7\tweather\t2006-03-01T13:00:00+01:00\tx\n"],
    ["no header, time second", "7\t060301120000\tweather\n"],
    ["no header, comma, milliseconds", "7,1141214400000,weather\n"],
    ["a byte-order mark", "\ufeffuser,query,time\n7,weather,20060301120000\n"],
    ["CRLF", "user,query,time\r\n7,weather,2006-03-01 12:00\r\n"],
  ])("%s", async (_name, text) => {
    const { rows, intake } = await rowsOf(write(text))
    expect(rows.map(({ user, query, time }) => ({ user, query, time }))).toEqual([
      { user: "7", query: "weather", time: noon },
    ])
    expect([intake.format, intake.rejected]).toEqual(["delimited", {}])
  })

  test("clicks by their names", async () => {
    const { rows } = await rowsOf(
      write("user,query,time,position,url\n7,a,1141214400,3,http://x.example/?a=b\n8,b,1141214400,,\n"),
    )
    expect(rows.map(({ url }) => url)).toEqual(["http://x.example/?a=b", ""])
  })
})

describe("--columns", () => {
  test.each([
    ["positions", "x\tweather\t7\t1141214400\n", "user=3,query=2,time=4"],
    ["names", "a,b,c\n1141214400,weather,7\n", "user=c,query=b,time=a"],
    ["both", "a,b,c\n1141214400,weather,7\n", "user=c,query=2,time=1"],
  ])("by %s", async (_name, text, columns) => {
    const { rows } = await rowsOf(write(text), { columns })
    expect(rows.map(({ user, query, time }) => [user, query, time])).toEqual([["7", "weather", noon]])
  })

  test.each(["user", "user=", "person=1", "user=nobody", "user=0"])(
    "%s is refused with what to do",
    async (columns) => {
      const error = await refusal(read(write("a,b,c\n1,2,3\n"), { columns: `${columns},query=2,time=3` }))
      expect(error).toMatchObject({ code: "option-value", fields: { flag: "--columns" } })
    },
  )

  test("is requested when the columns cannot be determined", async () => {
    const error = await refusal(read(write("a,b,c\n1,2,3\n"), { format: "delimited" }))
    expect(error).toMatchObject({ code: "input-columns", message: expect.stringContaining("--columns user=") })
  })

  test("is another log in the cache", async () => {
    const path = write("7\tx\t1141214400\ty\n")
    const cache = `${path}.cache`
    await read(path, { columns: "user=1,query=2,time=3", cache })
    const { log } = (await read(path, { columns: "user=1,query=4,time=3", cache })) ?? {}
    expect(log.queries.text(0)).toBe("y")
  })
})

describe("quoted text", () => {
  /** RFC 4180, every field quoted. */
  const csvOf = (rows: readonly (readonly string[])[]) =>
    rows.map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\n`).join("")

  test("may hold commas, quotes and line breaks, and the lines keep their numbers", async () => {
    const text = csvOf([
      ["user", "query", "time"],
      ["1", 'say "hi", twice', "1141214400"],
      ["2", "two\nlines\tand a tab", "1141214400"],
      ["3", "", "1141214400"],
      ["4", "last", "1141214400"],
    ])
    const { rows, intake } = await rowsOf(write(text))
    expect(rows.map(({ line, query }) => [line, query])).toEqual([
      [2, 'say "hi", twice'],
      [3, "two lines and a tab"],
      [6, "last"],
    ])
    expect([...intake.rejects.line]).toEqual([5])
  })

  test("crosses the blocks of a large file", async () => {
    const rows = Array.from({ length: 60_000 }, (_, i) => [
      String(i % 50),
      `query ${i}\n${"x".repeat(i % 150)}`,
      "1141214400",
    ])
    const { rows: read1 } = await rowsOf(write(csvOf([["user", "query", "time"], ...rows])), {}, 2)
    expect(read1).toHaveLength(60_000)
    expect(read1.every(({ query, line }, i) => query.startsWith(`query ${i}`) && line === 2 + 2 * i)).toBe(true)
  })

  test("of almost only line breaks loses no row after it", async () => {
    const field = `"${"\n".repeat(500)}many"`
    const text = `user,query,time\n1,${field},1141214400\n${"2,next,1141214400\n".repeat(20)}`
    const { rows } = await rowsOf(write(text))
    expect(rows.map(({ query }) => query)).toEqual(["many", ...Array(20).fill("next")])
    expect(rows[1]?.line).toBe(503)
  })

  test("of line breaks over several blocks loses no row after it", async () => {
    const text = `user,query,time\n1,"${"\n".repeat(9 << 20)}many",1141214400\n2,next,1141214400\n`
    const { rows, intake } = await rowsOf(write(text))
    expect(rows.map(({ query, line }) => [query, line])).toEqual([["next", (9 << 20) + 3]])
    expect(intake.rejected).toEqual({ length: 1 })
  })

  test("that is never closed hides no lines before it and does not exhaust memory", async () => {
    const text = `user,query,time\n1,fine,1141214400\n2,"open,1141214400\n${"3,lost,1141214400\n".repeat(100_000)}`
    const { rows } = await rowsOf(write(text))
    expect(rows.map(({ query }) => query)).toEqual(["fine"])
  })
})

test("whatever the bytes of a delimited file, it is a log or it is refused", async () => {
  const start = Buffer.from('user,query,time\n1,"a ""b""",1141214400\n2,c,2006-03-01T00:00:00Z\n')
  const edit = fc.record({
    at: fc.nat({ max: start.length }),
    drop: fc.nat({ max: 5 }),
    add: fc.uint8Array({ maxLength: 6 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { maxLength: 6 }), async (edits) => {
      let bytes = start
      for (const { at, drop, add } of edits)
        bytes = Buffer.concat([bytes.subarray(0, at), add, bytes.subarray(at + drop)])
      for (const options of [{}, { format: "delimited" as const }, { columns: "user=1,query=2,time=3" }]) {
        const outcome: unknown = await read(write(bytes), options).catch((error: unknown) => error)
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(QueryveilError)
      }
    }),
    { numRuns: 150 },
  )
})

const excite = new URL("../../../shared/data/excite-small.log", import.meta.url).pathname

test.skipIf(!existsSync(excite))("a real log of 1997 is read as it is: 3,968 searches, 533 empty ones", async () => {
  const { log, intake } = await read(excite)
  expect([log.rows, intake.rejected, intake.format]).toEqual([3968, { query: 533 }, "delimited"])
  expect(new Date(log.time.reduce((a, b) => Math.min(a, b)) * 1000).toISOString().slice(0, 10)).toBe("1997-09-16")
})
