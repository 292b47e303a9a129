import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { readPoolText } from "#dist/methods/counts/pool-text.js"

const found = (text: string, options = {}) => Object.fromEntries(readPoolText(text, options))

describe("a pool", () => {
  test("is a list of queries, normalised like queries, each with its frequency", () => {
    expect(found("New York\r\nnew  york\n\nrome\t12\nParis\t3\nparis\t4\n")).toEqual({
      "new york": 2,
      rome: 12,
      paris: 7,
    })
  })

  test("may be a corpus's file of n-grams, with the frequency first and one word per column", () => {
    expect(found("205\ta\tbabe\tin\n17\tbread\tand")).toEqual({ "a babe in": 205, "bread and": 17 })
  })

  test("of public text has the runs of words of each line, not across punctuation", () => {
    const text = "The cat, (black) sat.\nO'Neill's cat-food: a review\t2"
    expect(found(text, { ngrams: 2 })).toEqual({
      the: 1,
      "the cat": 1,
      cat: 1,
      black: 1,
      sat: 1,
      "o'neill's": 2,
      "o'neill's cat-food": 2,
      "cat-food": 2,
      a: 2,
      "a review": 2,
      review: 2,
    })
  })

  test("without its rare queries has those of at least a given frequency", () => {
    expect(found("a b a\na c", { ngrams: 1, minFrequency: 2 })).toEqual({ a: 3 })
  })

  test("counts every run of up to n words, by brute force", () => {
    const word = fc.constantFrom("a", "b", "c")
    const lines = fc.array(fc.array(word, { maxLength: 6 }), { maxLength: 6 })
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 4 }), (text, ngrams) => {
        const expected: Record<string, number> = {}
        for (const words of text) {
          for (let from = 0; from < words.length; from++)
            for (let length = 1; length <= ngrams && from + length <= words.length; length++) {
              const run = words.slice(from, from + length).join(" ")
              expected[run] = (expected[run] ?? 0) + 1
            }
        }
        expect(found(text.map((words) => words.join(" ")).join("\n"), { ngrams })).toEqual(expected)
      }),
    )
  })
})
