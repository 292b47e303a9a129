import * as fc from "fast-check"
import { expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { phraseFinder } from "#dist/taxonomy/classify/phrase-finder.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import { scratchFolder } from "../../support/scratch-folder.ts"

const { write } = scratchFolder()
const letters = fc.constantFrom("ka", "lo", "mi", "nu", "pe")
const phrase = fc.array(letters, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "))

/** The longest phrase at each word. Of phrases that overlap, the longer, then the earlier. */
function bruteForce(phrases: ReadonlySet<string>, words: readonly string[]): string[] {
  const spans = words.flatMap((_, start) => {
    const ends = words
      .map((_, i) => i + 1)
      .filter((end) => end > start && phrases.has(words.slice(start, end).join(" ")))
    const end = Math.max(0, ...ends)
    return end === 0 ? [] : [{ start, end }]
  })
  const kept: typeof spans = []
  for (const span of spans.sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start))
    if (kept.every(({ start, end }) => span.end <= start || span.start >= end)) kept.push(span)
  return kept.sort((a, b) => a.start - b.start).map(({ start, end }) => `${start}:${words.slice(start, end).join(" ")}`)
}

test("phrases are found as by looking up every run of words", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(phrase, { minLength: 1, maxLength: 12 }),
      fc.array(fc.oneof(letters, fc.constant("zz")), { maxLength: 12 }),
      async (names, words) => {
        const taxonomy = await openTaxonomy(
          write(names.map((name) => `${name}\t1\t\n`).join(""), "names.tsv"),
          {},
          createContext(),
        )
        const found = phraseFinder(taxonomy)(words.join(" "))
        expect(found.map(({ start, topics }) => `${start}:${taxonomy.name(topics[0] ?? 0)}`)).toEqual(
          bruteForce(new Set(names), words),
        )
      },
    ),
    { numRuns: 60 },
  )
})
