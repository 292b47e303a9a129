import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isTimeText, readTimeText } from "#dist/kernels/civil-time.js"

const time = fc.integer({ min: Date.UTC(2001, 8, 10) / 1000, max: Date.UTC(2038, 0, 19) / 1000 })
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

describe("a time is read in whatever way a log writes it", () => {
  test.each<[string, (seconds: number) => string]>([
    ["ISO with Z", (s) => iso(s)],
    ["ISO without a zone", (s) => iso(s).slice(0, 19)],
    ["with a space", (s) => iso(s).slice(0, 19).replace("T", " ")],
    ["with a zone east", (s) => `${iso(s + 19800).slice(0, 19)}+05:30`],
    ["with a zone west", (s) => `${iso(s - 12600).slice(0, 19)}-0330`],
    ["YYMMDDhhmmss", (s) => iso(s).slice(2, 19).replace(/\D/g, "")],
    ["YYYYMMDDhhmmss", (s) => iso(s).slice(0, 19).replace(/\D/g, "")],
    ["seconds", (s) => String(s)],
    ["milliseconds", (s) => `${s}999`],
    ["microseconds", (s) => `${s}999999`],
  ])("%s", (_name, write) => {
    fc.assert(
      fc.property(time, (seconds) => {
        expect(readTimeText(write(seconds))).toBe(seconds)
      }),
    )
  })

  test.each([
    "",
    "x",
    "2006",
    "2006-02-30",
    "2006-03-01T25:00",
    "060230120000",
    "99999999999999999",
    "12:00",
    "1e9",
    "-5",
  ])("%j is not a time", (text) => expect(isTimeText(text)).toBe(false))

  test("a year of two digits is of this century up to 69", () => {
    expect(readTimeText("970916105432")).toBe(Date.UTC(1997, 8, 16, 10, 54, 32) / 1000)
    expect(readTimeText("260916105432")).toBe(Date.UTC(2026, 8, 16, 10, 54, 32) / 1000)
  })
})
