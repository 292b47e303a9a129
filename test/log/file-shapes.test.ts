import { Buffer } from "node:buffer"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { scratchFolder } from "../support/scratch-folder.ts"
import { plainLog, textsOf } from "./plain-log.ts"
import { read } from "./read.ts"

const { folder, write } = scratchFolder()

const header = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
const rows = [
  "7001\tGardenShed.com\t2006-03-01 08:20:12\t\t\n",
  "7001\tkettle.com\t2006-03-17 22:23:24\t1\thttp://www.kettle.com\n",
  "7002\tharbour\t2006-03-01 12:34:56\t1\thttp://www.harbour.com\n",
].join("")

const asRead = [
  { user: "7001", query: "gardenshed.com", time: 1141201212, rank: 65535, url: undefined, event: 0 },
  { user: "7001", query: "kettle.com", time: 1142634204, rank: 1, url: "http://www.kettle.com", event: 1 },
  { user: "7002", query: "harbour", time: 1141216496, rank: 1, url: "http://www.harbour.com", event: 2 },
]
const withLines = (first: number) => asRead.map((row, i) => ({ ...row, line: first + i }))

describe("a log is read", () => {
  const mark = "\ufeff"
  test.each<[string, string | Buffer, number]>([
    ["without a header", rows, 1],
    ["with a header", header + rows, 2],
    ["with a header in other letters", header.toUpperCase() + rows, 2],
    ["with CRLF", (header + rows).replaceAll("\n", "\r\n"), 2],
    ["with CRLF and without a header", rows.replaceAll("\n", "\r\n"), 1],
    ["with a byte-order mark", mark + rows, 1],
    ["with a byte-order mark and a header", mark + header + rows, 2],
    ["without a last line end", (header + rows).slice(0, -1), 2],
    ["with blank lines around", `${header}\n\r\n${rows}\n  \n`, 4],
    ["from gzip", gzipSync(header + rows), 2],
    ["from gzip with a byte-order mark", gzipSync(mark + header + rows), 2],
    ["from gzip in two members", Buffer.concat([gzipSync(header + rows.slice(0, 50)), gzipSync(rows.slice(50))]), 2],
  ])("%s", async (_name, content, firstLine) => {
    const result = await read(write(content))
    expect(plainLog(result)).toEqual({ rows: withLines(firstLine), rejects: [] })
    expect(result.intake).toMatchObject({ format: "aol", rejected: {}, warnings: [], cached: false })
  })

  test("without the click columns", async () => {
    const { log } = await read(
      write("1\ta\t2006-03-01 08:20:12\n1\tb\t2006-03-01 08:20:13\r\n1\tc\t2006-03-01 08:20:14\t9"),
    )
    expect([log.rows, log.urls.size]).toEqual([3, 0])
    expect([[...log.rank], [...log.url]]).toEqual([
      [65535, 65535, 9],
      [-1, -1, -1],
    ])
  })

  test("of a user whose name starts like an archive", async () => {
    const { log } = await read(write("BZhang\tharbour\t2006-03-01 08:20:12\n"))
    expect(textsOf(log.users)).toEqual(["BZhang"])
  })

  test("with several clicks of one search as one event", async () => {
    const click = (rank: string, url: string) => `7\tharbour\t2006-03-01 12:34:56\t${rank}\t${url}\n`
    const later = "7\tharbour\t2006-03-01 12:34:57\t\t\n"
    const result = await read(write(later + click("2", "http://b") + click("1", "http://a") + click("", "")))
    expect(plainLog(result).rows.map(({ rank, event }) => [rank, event])).toEqual([
      [1, 0],
      [2, 0],
      [65535, 0],
      [65535, 1],
    ])
    expect(result.log.events).toBe(2)
  })

  test("on shared memory", async () => {
    const { log } = await read(write(rows))
    for (const column of [log.user, log.query, log.time, log.rank, log.url, log.event, log.line]) {
      expect(column.buffer).toBeInstanceOf(SharedArrayBuffer)
    }
  })
})

describe("several files", () => {
  mkdirSync(join(folder, "months"))
  const march = write(header + rows, "months/2006-03.txt")
  const april = write(gzipSync(`${header}7002\tApril\t2006-04-01 00:00:00\n`), "months/2006-04.txt.gz")
  write("not a log", "months/readme.md")

  test("of a glob are read in the order of their names as one log, each with its header", async () => {
    const { log, intake } = await read(join(folder, "months/*.txt*"))
    expect(intake.files.map(({ path }) => path)).toEqual([march, april])
    expect(textsOf(log.queries)).toEqual(["gardenshed.com", "kettle.com", "harbour", "april"])
    expect([...log.line]).toEqual([2, 3, 4, 6])
    expect(intake.files.map(({ linesBefore, lines }) => [linesBefore, lines])).toEqual([
      [0, 4],
      [4, 2],
    ])
  })

  test("that are named are read in the order given", async () => {
    const { log, intake } = await read([april, march])
    expect(intake.files.map(({ path }) => path)).toEqual([april, march])
    expect(textsOf(log.users)).toEqual(["7002", "7001"])
    expect([...log.line]).toEqual([6, 2, 4, 5])
  })

  test("may lack their last line end, and one may be empty", async () => {
    const open = write("1\ta\t2006-03-01 08:20:12")
    const { log, intake } = await read([open, write(""), open])
    expect([...log.line]).toEqual([1, 2])
    expect(intake.files.map(({ lines }) => lines)).toEqual([1, 0, 1])
  })

  test("a file whose name looks like a pattern is that file", async () => {
    write("1\tother\t2006-03-01 08:20:12\n", "loga.txt")
    const { log } = await read(write("1\tthis\t2006-03-01 08:20:12\n", "log[ab].txt"))
    expect(textsOf(log.queries)).toEqual(["this"])
  })

  test("of a glob are only those in the folders that it names", async () => {
    mkdirSync(join(folder, "years/2006.txt"), { recursive: true })
    const top = write("1\ttop\t2006-03-01 08:20:12\n", "years/2005.txt")
    const nested = write("1\tnested\t2006-03-01 08:20:12\n", "years/2006.txt/nested.txt")
    const paths = async (pattern: string) => (await read(join(folder, pattern))).intake.files.map(({ path }) => path)
    expect(await paths("years/*.txt")).toEqual([top])
    expect(await paths("years/*")).toEqual([top])
    expect(await paths("years/**/*.txt")).toEqual([top, nested])
  })
})
