import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { normaliseQuery } from "#dist/text/normalise.js"

/** Any text: every code point, characters that people see as one, and those that normalisation changes. */
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(..."aAI \t\u0000\u0085\u00a0\u0130\u00df\u03a3\u0307\u030c\u0345\u00a8ﬁＡ㎏ǅϓ\u1e9e"),
    maxLength: 12,
  }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 20 }),
)

describe("a normalised query", () => {
  test.each([
    ["New  York", "new york", "lower case and single spaces"],
    ["  cell phone  ", "cell phone", "no space at either end"],
    ["ＣＡＦＥ１２", "cafe12", "full-width letters and digits"],
    ["ｶﾞ", "ガ", "half-width katakana"],
    ["ﬁnance", "finance", "a ligature"],
    ["№ ½ ㎏", "no 1⁄2 kg", "compatibility characters"],
    ["cafe\u0301", "caf\u00e9", "a combining accent"],
    ["İstanbul", "i\u0307stanbul", "the Turkish capital İ"],
    ["STRASSE", "strasse", "two s"],
    ["Straße", "straße", "ß stays itself"],
    ["GRO\u1e9e", "groß", "the capital ẞ"],
    ["ΟΔΟΣ ΣΟΦΟΣ", "οδος σοφος", "the final sigma"],
    ["J\u030c", "\u01f0", "a pair that composes only in lower case"],
    ["new\u00a0york", "new york", "a no-break space"],
    ["new\u3000york\u2009city\u2028", "new york city", "wide, thin and line-separating spaces"],
    ["new\t\r\nyork", "new york", "tabs and line ends"],
    ["new\u0007york\u0000\u007fcity\u0085", "new york city", "control characters"],
    ["\u00a8x", "\u0308x", "a character that normalises to a space and a mark"],
    ["!#$%&()", "!#$%&()", "punctuation stays"],
    ["", "", "nothing"],
    [" \t\u00a0\u0001", "", "nothing but space"],
  ])("of %j is %j (%s)", (text, expected) => {
    expect(normaliseQuery(text)).toBe(expected)
  })

  test("is not changed by normalising it again, for any text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = normaliseQuery(text)
        expect(normaliseQuery(once)).toBe(once)
      }),
      { numRuns: 3000 },
    )
  })

  test("of every single character is not changed by normalising it again", () => {
    const changed: string[] = []
    for (let code = 0; code <= 0x10ffff; code++) {
      const once = normaliseQuery(`x${String.fromCodePoint(code)}`)
      if (normaliseQuery(once) !== once) changed.push(code.toString(16))
    }
    expect(changed).toEqual([])
  })

  test("is NFKC, in lower case, with single spaces inside and no other white space or control character", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const query = normaliseQuery(text)
        expect(query.normalize("NFKC")).toBe(query)
        expect(query.toLowerCase()).toBe(query)
        expect(query.replaceAll(" ", "")).not.toMatch(/[\p{White_Space}\p{Cc}]/u)
        expect(query).not.toMatch(/^ | $| {2}/)
      }),
      { numRuns: 1000 },
    )
  })

  test("does not depend on the case or on the white space around and between words", () => {
    const word = fc.string({ unit: fc.constantFrom(..."abcxyz019"), minLength: 1, maxLength: 8 })
    const gap = fc.string({
      unit: fc.constantFrom(" ", "\t", "\u00a0", "\u2003", "\u0001"),
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), gap, (words, space) => {
        expect(normaliseQuery(`${space}${words.join(space).toUpperCase()}${space}`)).toBe(words.join(" "))
      }),
    )
  })
})
