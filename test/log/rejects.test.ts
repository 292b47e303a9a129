import { Buffer } from "node:buffer"
import { describe, expect, test } from "vitest"
import { scratchFolder } from "../support/scratch-folder.ts"
import { plainLog, textsOf } from "./plain-log.ts"
import { read } from "./read.ts"

const { write } = scratchFolder()
const time = "2006-03-01 08:20:12"
const before = `1\tbefore\t${time}\t1\thttp://before\n`
const after = `\n2\tafter\t${time}\t2\thttp://after\n`

const badLines: [string, string, string | Buffer][] = [
  ["columns", "one field", "text"],
  ["columns", "two fields", "7\tbad"],
  ["columns", "six fields", `7\tbad\t${time}\t1\thttp://bad\tmore`],
  ["columns", "tabs only", "\t\t\t\t\t\t\t"],
  ["user", "no user", `\tbad\t${time}\t1\thttp://bad`],
  ["user", "a blank user", `  \tbad\t${time}\t1\thttp://bad`],
  ["query", "no query", `7\t\t${time}\t1\thttp://bad`],
  ["query", "a blank query", `7\t \u00a0\u3000\x07\t${time}\t1\thttp://bad`],
  ["time", "no time", "7\tbad\t\t1\thttp://bad"],
  ["time", "a word for a time", "7\tbad\tyesterday\t1\thttp://bad"],
  ["time", "ISO 8601", "7\tbad\t2006-03-01T08:20:12\t1\thttp://bad"],
  ["time", "February 29 of 2006", "7\tbad\t2006-02-29 08:20:12\t1\thttp://bad"],
  ["time", "February 33", "7\tbad\t2006-02-33 08:20:12\t1\thttp://bad"], // a March 1 comes before it
  ["time", "a control character for the space", "7\tbad\t2006-03-01\x0108:20:12\t1\thttp://bad"],
  ["time", "a carriage return for the space", "7\tbad\t2006-03-01\r08:20:12\t1\thttp://bad"],
  ["time", "hour 24", "7\tbad\t2006-03-01 24:00:00\t1\thttp://bad"],
  ["time", "second 60", "7\tbad\t2006-03-01 23:59:60\t1\thttp://bad"],
  ["time", "the year 2040", "7\tbad\t2040-01-01 00:00:00\t1\thttp://bad"],
  ["rank", "a word for a rank", `7\tbad\t${time}\tfirst\thttp://bad`],
  ["rank", "a negative rank", `7\tbad\t${time}\t-1\thttp://bad`],
  ["rank", "a broken rank", `7\tbad\t${time}\t1.5\thttp://bad`],
  ["rank", "two ranks", `7\tbad\t${time}\t1 2\thttp://bad`],
  ["rank", "a rank over 65534", `7\tbad\t${time}\t65535\thttp://bad`],
  ["rank", "a rank of forty digits", `7\tbad\t${time}\t${"9".repeat(40)}\thttp://bad`],
  ["encoding", "a user in Latin-1", Buffer.from(`zo\xe9\tbad\t${time}\t1\thttp://bad`, "latin1")],
  ["encoding", "a query in Latin-1", Buffer.from(`7\tbad caf\xe9\t${time}\t1\thttp://bad`, "latin1")],
  ["encoding", "a url in Latin-1", Buffer.from(`7\tbad\t${time}\t1\thttp://bad/\xe9`, "latin1")],
  ["encoding", "an overlong form", Buffer.from(`7\tbad \xc0\xaf\t${time}\t1\thttp://bad`, "latin1")],
  ["nul", "NUL in the user", `7\0\tbad\t${time}\t1\thttp://bad`],
  ["nul", "NUL in the query", `7\tba\0d\t${time}\t1\thttp://bad`],
  ["nul", "NUL in a query of other letters", `7\tbäd\0\t${time}\t1\thttp://bad`],
  ["nul", "NUL in the time", `7\tbad\t${time}\0\t1\thttp://bad`],
  ["nul", "NUL in the rank", `7\tbad\t${time}\t\0\thttp://bad`],
  ["nul", "NUL in the url", `7\tbad\t${time}\t1\t\0http://bad`],
  ["nul", "NUL in a column too many", `7\tbad\t${time}\t1\thttp://bad\t\0`],
  ["nul", "NUL alone", "\0"],
  ["length", "a user of more than 64 KiB", `${"7".repeat(65_537)}\tbad\t${time}\t1\thttp://bad`],
  ["length", "a query of more than 64 KiB", `7\t${"é".repeat(32_769)}\t${time}\t1\thttp://bad`],
  ["length", "a query that is longer than 64 KiB when normalised", `7\t${"\ufdfa".repeat(2_000)}\t${time}`],
  ["length", "a url of more than 64 KiB", `7\tbad\t${time}\t1\thttp://${"b".repeat(65_530)}`],
  ["length", "a line of more than 1 MiB", `7\tbad ${"x".repeat(1 << 20)}\t${time}\t1\thttp://bad`],
]

describe("a line that is not a row", () => {
  test.each(badLines)(
    "is left out as %j: %s, without effect on its neighbours and the dictionaries",
    async (reason, _name, bad) => {
      const result = await read(write(Buffer.concat([Buffer.from(before), Buffer.from(bad), Buffer.from(after)])))
      const { log, intake } = result
      expect(intake.rejected).toEqual({ [reason]: 1 })
      expect(plainLog(result).rejects).toEqual([{ line: 2, reason }])
      expect(plainLog(result).rows.map(({ user, query, line }) => [user, query, line])).toEqual([
        ["1", "before", 1],
        ["2", "after", 3],
      ])
      expect(textsOf(log.users)).toEqual(["1", "2"])
      expect(textsOf(log.queries)).toEqual(["before", "after"])
      expect(textsOf(log.urls)).toEqual(["http://before", "http://after"])
      expect(intake.lines).toBe(3)
    },
  )

  test("is counted in a warning by what is wrong with it, without its text", async () => {
    const bad = "7\tmarker\tyesterday\nmarker\nmarker\n7\t\t2006-03-01 08:20:12\n"
    const { intake } = await read(write(before + bad))
    expect(intake.rejected).toEqual({ columns: 2, query: 1, time: 1 })
    expect(intake.warnings).toHaveLength(1)
    expect(intake.warnings[0]).toMatch(
      /^4 lines \(80\.0 %\).*2 too few or too many columns, 1 empty query, 1 unreadable time/,
    )
    expect(intake.warnings[0]).not.toContain("marker")
  })

  test("gives a hint if the encoding is the cause", async () => {
    const { intake } = await read(write(Buffer.from(`${before}7\tcaf\xe9\t${time}\n`, "latin1")))
    expect(intake.warnings[0]).toMatch(/try --encoding latin1/)
  })
})

describe("a line that looks odd", () => {
  test.each<[string, string, object]>([
    ["a query of 64 KiB", `7\t${"X".repeat(65_536)}\t${time}`, { query: "x".repeat(65_536) }],
    ["a query of 900 KB that is short when normalised", `7\tq${" ".repeat(900_000)}r\t${time}`, { query: "q r" }],
    ["a user and a url of 64 KiB", `${"7".repeat(65_536)}\tq\t${time}\t1\t${"h".repeat(65_536)}`, { query: "q" }],
    [
      "white space around every field",
      ` 7 \t q \t ${time} \t 3 \t http://x \r`,
      { user: "7", query: "q", rank: 3, url: "http://x" },
    ],
    ["a rank without a url", `7\tq\t${time}\t3\t`, { rank: 3, url: undefined }],
    ["a url without a rank", `7\tq\t${time}\t\thttp://x`, { rank: 65535, url: "http://x" }],
    ["rank 65534", `7\tq\t${time}\t65534\thttp://x`, { rank: 65534 }],
    ["a rank with zeros in front", `7\tq\t${time}\t0000000007\thttp://x`, { rank: 7 }],
    ["a user with a space inside", `a b\tq\t${time}`, { user: "a b" }],
    ["control characters in user and url, for spaces", `a\x0bb\tq\t${time}\t\th\rx`, { user: "a b", url: "h x" }],
    ["a user of other letters, as it is", `ZOÉ\tq\t${time}`, { user: "ZOÉ" }],
    ["the query of a hyphen", `7\t-\t${time}`, { query: "-" }],
    ["the first second that 32 bits hold", "7\tq\t1901-12-13 20:45:52", { time: -(2 ** 31) }],
    ["the last second that 32 bits hold", "7\tq\t2038-01-19 03:14:07", { time: 2 ** 31 - 1 }],
  ])("is still a row: %s", async (_name, text, expected) => {
    const result = await read(write(text))
    expect(plainLog(result).rows[0]).toMatchObject(expected)
    expect(result.intake.rejected).toEqual({})
  })
})

test("a query that is too long, or becomes so by normalisation, is left out as length", async () => {
  const row = (query: string) => `1\t${query}\t2006-03-01 00:00:00\n`
  const path = write(Buffer.from(["short", "x".repeat(65_537), "\ufdfa".repeat(30_000)].map(row).join("")))
  const { log, intake } = await read(path)
  expect([log.rows, intake.rejected]).toEqual([1, { length: 2 }])
})
