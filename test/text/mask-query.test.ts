import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { maskQuery, shownWords } from "#dist/text/mask-query.js"

const sign = fc.constantFrom(..."@.,:/()+%-")
const word = fc.stringMatching(/^[a-z\u00c0-\u024f'_&]{1,12}$/).filter((text) => !shownWords.has(text))
const digits = fc.stringMatching(/^\d{1,25}$/)
const piece = fc.oneof(
  word.map((text) => ({ kind: "word", text })),
  digits.map((text) => ({ kind: "digits", text })),
  sign.map((text) => ({ kind: "sign", text })),
  fc.constantFrom(...shownWords).map((text) => ({ kind: "shown", text })),
)

describe("the shape of a query", () => {
  test.each([
    ["jane.doe84@example.com", "•••.•••##@•••.com"],
    ["ssn 078-05-1120", "ssn ###-##-####"],
    ["phone number of john smith", "phone number of ••• •••"],
    ["12 rue de l'église", "## ••• ••• •••"],
    ["o'neill 東京 ٣٤", "••• ••• •••"],
  ])("has only words of a fixed list, and no digit: %s", (text, shape) => {
    expect(maskQuery(text)).toBe(shape)
  })

  test("is the same for every text that differs only in other words and in digits", () => {
    const other = fc.record({ word, digit: fc.integer({ min: 0, max: 9 }) })
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), other, (pieces, replaced) => {
        const text = pieces.map((one) => one.text).join(" ")
        const changed = pieces.map(({ kind, text }) => {
          if (kind === "word") return replaced.word
          return kind === "digits" ? String(replaced.digit).repeat(text.length) : text
        })
        expect(maskQuery(changed.join(" "))).toBe(maskQuery(text))
      }),
    )
  })

  test("shows only signs, # and words of the list", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        for (const shown of maskQuery(text).split(/[ @.,:/()+%#•…-]+/))
          expect(shown === "" || shownWords.has(shown)).toBe(true)
      }),
    )
  })

  test("has a bounded length, however long the query is", () => {
    expect(maskQuery("9".repeat(500)).length).toBeLessThan(30)
    expect(maskQuery("secret ".repeat(500)).length).toBeLessThan(120)
  })
})
