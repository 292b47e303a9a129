import { isDeepStrictEqual } from "node:util"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { BlockParser } from "#dist/log/formats/parse-block.js"
import type { LinePlan, ParsedBlock } from "#dist/log/formats/parsed-block.js"
import { aolPlan as aol } from "../support/aol-plan.ts"

const plans: Record<string, LinePlan> = {
  "the AOL layout": aol,
  "times of any form": { ...aol, times: "any" },
  "verbatim text": { ...aol, verbatim: true },
  "other columns": { ...aol, columns: { user: 2, query: 4, time: 0, rank: -1, url: 1 }, minFields: 5, maxFields: 6 },
  "no user": { ...aol, columns: { user: -1, query: 1, time: 0, rank: -1, url: -1 }, minFields: 2, maxFields: 2 },
  "the query last": { ...aol, columns: { user: 0, query: 2, time: 1, rank: -1, url: -1 }, minFields: 3, maxFields: 3 },
}

const times = [
  "2006-03-01 00:00:00",
  "2006-03-01 23:59:59",
  "2004-02-29 12:00:00",
  "2005-02-29 12:00:00",
  "2000-02-29 01:02:03",
  "2006-04-31 00:00:00",
  "2006-12-31 23:59:60",
  "1901-12-13 20:45:52",
  "1902-01-01 00:00:00",
  "2038-01-19 03:14:07",
  "2038-01-19 03:14:08",
  "2006-00-10 00:00:00",
  "2006-03-01T00:00:00",
  "2006/03/01 00:00:00",
  "2006-03-01 0a:00:00",
  "1141171200",
]
const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("rose", "Rose garden", "a", "how to grow roses in the shade", "x".repeat(16)),
  },
  { weight: 2, arbitrary: fc.stringMatching(/^[ -~]{0,40}$/) },
  { weight: 1, arbitrary: fc.constantFrom("", " ", "a  b", " a", "a ", "é", "ﷺ", "a\u007fb", "a\rb", "\u0085") },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
)
const time = fc.oneof(
  fc.constantFrom(...times),
  fc
    .date({ min: new Date("1900-01-01"), max: new Date("2040-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 19).replace("T", " ")),
)
const rank = fc.oneof(
  fc.constantFrom("", "0", "1", "10", "65534", "65535", "007", " 1", "1 ", "x", "00000001"),
  fc.nat().map(String),
)
const cell = fc.oneof({ weight: 5, arbitrary: text }, { weight: 2, arbitrary: time }, { weight: 1, arbitrary: rank })
const url = fc.constantFrom("", "http://a.example", "b.example", " c", "http://a.example/with a space")
const bytesOf = (line: string) => Buffer.from(line)
const line = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(text, text, time, rank, url).map((cells) => bytesOf(cells.join("\t"))) },
  { weight: 4, arbitrary: fc.tuple(time, url, text, rank, text).map((cells) => bytesOf(cells.join("\t"))) },
  { weight: 4, arbitrary: fc.tuple(text, time, text).map((cells) => bytesOf(cells.join("\t"))) },
  { weight: 4, arbitrary: fc.tuple(time, text).map((cells) => bytesOf(cells.join("\t"))) },
  { weight: 2, arbitrary: fc.array(cell, { maxLength: 7 }).map((cells) => bytesOf(cells.join("\t"))) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)) },
)
const ending = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r\r\n")
const lines = fc.tuple(fc.array(fc.tuple(line, ending), { maxLength: 40 }), fc.boolean()).map(([all, isCut]) => {
  const bytes = Buffer.concat(all.flatMap(([content, end]) => [content, Buffer.from(end)]))
  return isCut ? bytes.subarray(0, Math.max(0, bytes.length - 1)) : bytes
})

const seed = 12345
function read(parser: BlockParser, bytes: Uint8Array, options: { plan: LinePlan; skipLines?: number }): ParsedBlock {
  const { plan, skipLines = 0 } = options
  const block = new Uint8Array(bytes.length + 1)
  block.set(bytes)
  return parser.parse({ bytes: block, length: bytes.length, plan, skipLines, seed })
}

/** Reads the same lines with the reader of plain lines and without it. */
function readBoth(bytes: Uint8Array, options: { plan: LinePlan; skipLines?: number }): [ParsedBlock, ParsedBlock] {
  return [
    read(new BlockParser({ seed }), bytes, options),
    read(new BlockParser({ seed, plain: false }), bytes, options),
  ]
}

describe("lines read by the reader of plain lines are the same rows, texts and rejects", () => {
  for (const [name, plan] of Object.entries(plans)) {
    test(`with ${name}`, () => {
      fc.assert(
        fc.property(lines, fc.nat({ max: 3 }), (bytes, skipLines) => {
          const [fast, plain] = readBoth(bytes, { plan, skipLines })
          expect(fast).toEqual(plain)
        }),
        { numRuns: 300 },
      )
    })
  }

  test("at every length of a text", () => {
    const rows = Array.from({ length: 200 }, (_, length) => {
      const long = "Abc d".repeat(40).slice(0, length)
      return [`u${long.trim()}x`, `${long}e`, "2006-03-01 07:17:12", length, `h${"abc".repeat(70).slice(0, length)}`]
    })
    const all = rows.flatMap((row) => [row.join("\t"), row.join("\t")]).join("\n")
    const [fast, plain] = readBoth(Buffer.from(all), { plan: aol })
    expect(isDeepStrictEqual(fast, plain)).toBe(true)
    expect(fast.lines).toBe(400)
  })

  test("on every day from 1901 to 2038", () => {
    const days = Array.from({ length: 138 * 366 }, (_, day) => {
      return new Date(Date.UTC(1901, 0, 1 + day, day % 24, day % 60, day % 59)).toISOString().slice(0, 19)
    })
    const all = days.map((day) => `u\tq\t${day.replace("T", " ")}`).join("\n")
    const [fast, plain] = readBoth(Buffer.from(all), { plan: aol })
    expect(isDeepStrictEqual(fast, plain)).toBe(true)
  })

  test("on every day that could be written", () => {
    const two = (number: number) => String(number).padStart(2, "0")
    const days: string[] = []
    for (const year of [1999, 2000, 2004, 2023])
      for (let month = 0; month <= 13; month++)
        for (let day = 0; day <= 33; day++) days.push(`u\tq\t${year}-${two(month)}-${two(day)} 10:20:30`)
    const [fast, plain] = readBoth(Buffer.from(days.join("\n")), { plan: aol })
    expect(isDeepStrictEqual(fast, plain)).toBe(true)
  })

  test("with long lines, and with texts that normalisation makes longer", () => {
    for (const length of [59_000, 60_000, 65_500, 65_536, 65_537, 70_000, (1 << 20) + 5]) {
      for (const place of [0, 1, 4]) {
        const cells = ["u", "q", "2006-03-01 07:17:12", "1", "b.example"]
        cells[place] = "x".repeat(length)
        const [fast, plain] = readBoth(Buffer.from(`${cells.join("\t")}\nu\tq\t2006-03-01 07:17:12\n`), { plan: aol })
        expect(isDeepStrictEqual(fast, plain)).toBe(true)
      }
    }
    const longer = Array.from({ length: 300 }, (_, i) => `u\t${"ﷺ".repeat(500)}${i}\t2006-03-01 07:17:12\n`).join("")
    const [fast, plain] = readBoth(Buffer.from(longer), { plan: aol })
    expect(isDeepStrictEqual(fast, plain)).toBe(true)
  })

  test("with more texts than the tables first have room for, block after block", () => {
    const [fast, plain] = [new BlockParser({ seed }), new BlockParser({ seed, plain: false })]
    for (let block = 0; block < 3; block++) {
      const all = Array.from({ length: 60_000 }, (_, i) => `${i % 20_000}\tq${i * (block + 1)}\t2006-03-01 07:17:12\n`)
      const bytes = Buffer.from(all.join(""))
      expect(isDeepStrictEqual(read(fast, bytes, { plan: aol }), read(plain, bytes, { plan: aol }))).toBe(true)
    }
  })

  test("block after block, when plain lines and other lines take turns", () => {
    const [fast, plain] = [new BlockParser({ seed }), new BlockParser({ seed, plain: false })]
    for (const query of ["rose", "röse", "röse", "rose", ...Array<string>(12).fill("rose")]) {
      const bytes = Buffer.from(`u\t${query}\t2006-03-01 07:17:12\nv\t${query}\t2006-03-01 07:17:12\n`)
      expect(isDeepStrictEqual(read(fast, bytes, { plan: aol }), read(plain, bytes, { plan: aol }))).toBe(true)
    }
  })
})
