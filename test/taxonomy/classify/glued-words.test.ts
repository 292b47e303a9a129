import * as fc from "fast-check"
import { expect, test } from "vitest"
import { Interner } from "#dist/kernels/dictionary.js"
import { cutGlued, gatherGlued } from "#dist/taxonomy/classify/glued-words.js"
import { indexWords, internText } from "#dist/taxonomy/classify/word-index.js"

const text = (shape: { minLength: number; maxLength: number }) =>
  fc.array(fc.constantFrom("a", "b", "z"), shape).map((letters) => letters.join(""))

const worthOf = (words: readonly string[]) => words.reduce((sum, { length }) => sum + length ** 2 - 2, 0)

/** The greatest worth of all ways to split the rest. */
function bruteForce(words: ReadonlySet<string>, rest: string): number {
  if (rest === "") return 0
  const ways = [...words].filter((word) => rest.startsWith(word))
  return Math.max(
    bruteForce(words, rest.slice(1)),
    ...ways.map((word) => worthOf([word]) + bruteForce(words, rest.slice(word.length))),
  )
}

test("a glued word is split as well as by trying every split", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(text({ minLength: 1, maxLength: 6 }), { maxLength: 12 }),
      text({ minLength: 0, maxLength: 10 }),
      (listed, glued) => {
        const interner = new Interner()
        for (const word of [...listed, "b-a", "é"]) internText(interner, word)
        const usable = new Set(listed.filter((word) => word.length > 1 && word !== "zz"))
        const trie = gatherGlued(indexWords(interner), (id) => listed[id] !== "zz")
        const { words, known } = cutGlued(trie, glued)
        expect(words.every((word) => usable.has(word))).toBe(true)
        expect(worthOf(words)).toBe(bruteForce(usable, glued))
        expect(glued).toMatch(new RegExp(`^.*${words.join(".*")}.*$`))
        expect(known).toBe(glued === "" ? 0 : words.join("").length / glued.length)
      },
    ),
  )
})
