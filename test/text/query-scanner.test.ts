import { Buffer } from "node:buffer"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { hashBytes } from "#dist/kernels/dictionary.js"
import { normaliseQuery, QueryScanner } from "#dist/text/normalise.js"

const tab = 9
const seed = 0x5eed

/** Scans a field that starts after `before` and is followed by `after`. */
function scan(field: string | Uint8Array, options: { scanner?: QueryScanner; before?: string; after?: string } = {}) {
  const { scanner = new QueryScanner({ seed }), before = "", after = "\n" } = options
  const start = Buffer.byteLength(before)
  const stop = scanner.scan(Buffer.concat([Buffer.from(before), Buffer.from(field), Buffer.from(after)]), start, tab)
  const { length, hash, utf8, nul } = scanner
  return { text: Buffer.from(scanner.out.subarray(0, length)).toString(), hash, utf8, nul, taken: stop - start }
}

/** Texts that can be a field: no tab, no line feed, no NUL. */
const without = (text: string) => text.replace(/[\t\n\0]/g, " ")
const ascii = fc
  .string({ unit: fc.integer({ min: 1, max: 127 }).map((code) => String.fromCharCode(code)) })
  .map(without)
const fieldText = fc.oneof(
  ascii,
  fc.string({ unit: "binary" }).map(without),
  fc.string({ unit: "grapheme" }).map(without),
  fc.tuple(ascii, fc.constantFrom("é", "İ", "\u00a0", "ﷺ", "\u0085", "👍"), ascii).map((parts) => parts.join("")),
)

describe("the query column of a file", () => {
  test("is the normalised text, for any text that a field can hold", () => {
    fc.assert(
      fc.property(fieldText, (text) => {
        expect(scan(text)).toMatchObject({ text: normaliseQuery(text), utf8: true, nul: false })
      }),
      { numRuns: 3000 },
    )
  })

  test("ends at the delimiter or at the line feed, wherever it starts", () => {
    fc.assert(
      fc.property(fieldText, fc.constantFrom("\n", "\t", "\tmore\n", "\nmore"), (text, after) => {
        const scanned = scan(text, { before: "user 7\t", after })
        expect(scanned).toMatchObject({ text: normaliseQuery(text), taken: Buffer.byteLength(text) })
      }),
    )
  })

  test("has the hash of its normalised bytes, so that spellings of one query share it", () => {
    fc.assert(
      fc.property(fieldText, (text) => {
        const bytes = Buffer.from(normaliseQuery(text))
        expect(scan(text).hash).toBe(hashBytes(bytes, 0, bytes.length, seed))
      }),
    )
    expect(scan("  NEW York").hash).toBe(scan("ｎew\u00a0york").hash)
  })

  test("does not depend on the fields scanned before", () => {
    const field = fc.oneof(fieldText, fc.constantFrom("a\0b", "é\0"), fc.uint8Array().map(Buffer.from))
    fc.assert(
      fc.property(fc.array(field, { maxLength: 8 }), fieldText, (before, text) => {
        const scanner = new QueryScanner({ seed })
        for (const one of before) scan(one, { scanner })
        expect(scan(text, { scanner })).toEqual(scan(text))
      }),
    )
  })

  test.each([4095, 4096, 4097, 100_000])("may be %d bytes long", (length) => {
    const plain = `${"Ab ".repeat(length / 3)}${"x".repeat(length % 3)}`
    expect(scan(plain).text).toBe(normaliseQuery(plain))
    const accented = "É".repeat(length / 2)
    expect(scan(accented).text).toBe(normaliseQuery(accented))
    const expanding = "\ufdfa".repeat(length / 16) // 3 bytes per character, 33 when normalised
    expect(scan(expanding).text).toBe(normaliseQuery(expanding))
  })

  test("reports a NUL byte, in ASCII and in other text", () => {
    for (const text of ["\0", "a\0", "\0a", "é\0", "\0é", "a\0é"]) expect(scan(text).nul).toBe(true)
    for (const text of ["", "a", "é"]) expect(scan(text).nul).toBe(false)
  })

  test.each<[string, number[]]>([
    ["a continuation byte alone", [0x80]],
    ["Latin-1", [0x63, 0x61, 0x66, 0xe9]],
    ["a character cut short", [0x61, 0xe2, 0x82]],
    ["an overlong form", [0xc0, 0xaf]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["beyond Unicode", [0xf4, 0x90, 0x80, 0x80]],
  ])("reports that it is not UTF-8: %s", (_name, bytes) => {
    expect(scan(Uint8Array.from(bytes))).toMatchObject({ utf8: false, taken: bytes.length })
    expect(scan(Uint8Array.from(bytes), { after: "\tx\n" })).toMatchObject({ utf8: false, taken: bytes.length })
  })
})
