import { Buffer } from "node:buffer"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  civilFromDays,
  civilTimeReader,
  civilTimeWriter,
  daysFromCivil,
  isCivilDay,
  noTime,
} from "#dist/kernels/civil-time.js"

const first = -(2 ** 31) // 1901-12-13 20:45:52
const last = 2 ** 31 - 1 // 2038-01-19 03:14:07

/** The oracle: the same text by way of a Date. */
const byDate = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")

/** Reads a text between other bytes, with a new reader or one that has read `before`. */
function read(text: string, before?: string): number {
  const reader = civilTimeReader()
  if (before !== undefined) reader(Buffer.from(before), 0, before.length)
  const bytes = Buffer.from(`9${text}9`)
  return reader(bytes, 1, bytes.length - 1)
}

function write(seconds: number): string {
  const out = Buffer.alloc(23, "#")
  civilTimeWriter()(out, 2, seconds)
  return out.toString()
}

const seconds = fc.oneof(fc.integer({ min: first, max: last }), fc.constantFrom(first, last, -1, 0, 86399, 86400))

describe("times in a log", () => {
  test("are read as Date reads them, from 1901-12-13 to 2038-01-19", () => {
    expect([byDate(first), byDate(last)]).toEqual(["1901-12-13 20:45:52", "2038-01-19 03:14:07"])
    fc.assert(
      fc.property(seconds, (time) => {
        expect(read(byDate(time))).toBe(time)
      }),
    )
  })

  test("are written as Date writes them, in nineteen bytes", () => {
    fc.assert(
      fc.property(seconds, (time) => {
        expect(write(time)).toBe(`##${byDate(time)}##`)
      }),
    )
  })

  test("are read and written the same whatever was read or written before", () => {
    fc.assert(
      fc.property(fc.array(seconds, { minLength: 2, maxLength: 20 }), (times) => {
        const reader = civilTimeReader()
        const writer = civilTimeWriter()
        const out = Buffer.alloc(19)
        for (const time of times.flatMap((one) => [one, Math.max(first, one - 1), one])) {
          writer(out, 0, time)
          expect(out.toString()).toBe(byDate(time))
          expect(reader(out, 0, 19)).toBe(time)
        }
      }),
    )
  })

  test.each([
    ["2006-02-29 00:00:00", "no leap year"],
    ["1900-02-29 00:00:00", "a century is no leap year"],
    ["2006-02-30 00:00:00", "no such day"],
    ["2006-04-31 00:00:00", "no such day"],
    ["2006-01-32 00:00:00", "no such day"],
    ["2006-01-00 00:00:00", "no day"],
    ["2006-00-10 00:00:00", "no month"],
    ["2006-13-10 00:00:00", "no such month"],
    ["2006-03-01 24:00:00", "no such hour"],
    ["2006-03-01 00:60:00", "no such minute"],
    ["2006-03-01 23:59:60", "a leap second"],
    ["2006-3-01 00:00:000", "one digit"],
    ["2006-03-01T00:00:00", "ISO 8601"],
    ["2006/03/01 00:00:00", "slashes"],
    ["2006-03-01 00.00.00", "dots"],
    ["2006-03-01 00:00:0x", "a letter"],
    ["2006-03-01 00:00:-1", "a sign"],
    ["+006-03-01 00:00:00", "a sign"],
    ["2006-03-01 00:00", "no seconds"],
    ["2006-03-01 00:00:00Z", "a zone"],
    [" 2006-03-01 00:00:00", "a space"],
    ["", "nothing"],
    ["garbage garbage gar", "nineteen letters"],
    ["1901-12-13 20:45:51", "before what 32 bits hold"],
    ["2038-01-19 03:14:08", "after what 32 bits hold"],
    ["0000-01-01 00:00:00", "year 0"],
    ["9999-12-31 23:59:59", "year 9999"],
  ])("%j is not a time (%s)", (text) => {
    expect(read(text)).toBe(noTime)
    expect(read(text, "2006-03-01 00:00:00")).toBe(noTime)
  })

  test.each(["2004-02-29 23:59:59", "2000-02-29 00:00:00"])("%s, of a leap year, is a time", (text) => {
    expect(byDate(read(text))).toBe(text)
  })

  // A reader caches the last day. The cache must not turn an invalid day into a valid one.
  test.each([
    ["2006-02-33 00:00:00", "2006-03-01 00:00:00"],
    ["2006-17-05 00:00:00", "2007-01-05 00:00:00"],
  ])("%s is not a time, also after %s", (text, before) => {
    expect(read(text)).toBe(noTime)
    expect(read(text, before)).toBe(noTime)
  })

  test("what has the shape of a time is one only if Date says so, whatever was read before", () => {
    const pair = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, "0"))
    const year = fc.integer({ min: 1890, max: 2050 }).map(String)
    const month = fc.oneof(pair(14), pair(99))
    const day = fc.oneof(pair(31), pair(99))
    fc.assert(
      fc.property(seconds, year, month, day, pair(26), pair(63), pair(63), (before, y, mo, d, h, mi, s) => {
        const text = `${y}-${mo}-${d} ${h}:${mi}:${s}`
        const time = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`) / 1000
        const valid = time >= first && time <= last && byDate(time) === text
        expect(read(text, byDate(before))).toBe(valid ? time : noTime)
      }),
      { numRuns: 2000 },
    )
  })
})

describe("days of the calendar", () => {
  test("every day from 1901 to 2038 has the number that Date gives it, and back", () => {
    for (let days = Math.floor(first / 86400); days <= Math.floor(last / 86400); days++) {
      const date = new Date(days * 86_400_000)
      const civil: [number, number, number] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
      if (daysFromCivil(...civil) !== days || civilFromDays(days).join() !== civil.join() || !isCivilDay(...civil)) {
        expect.fail(`day ${days} is not ${civil.join("-")}`)
      }
    }
    expect(daysFromCivil(1970, 1, 1)).toBe(0)
  })
})
