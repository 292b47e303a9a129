import * as fc from "fast-check"
import { expect, test } from "vitest"
import { createKnownSearches } from "#dist/kernels/linkage/known-searches.js"
import { seededRandom } from "#dist/kernels/random.js"
import { anyWordStream, largestOf, unitsByCell, type WordRow, wordStreamOf } from "../support/word-streams.ts"

/** The names that are members for the most of these texts: in a cell with the text, and not shown with it. */
function commonestNames(rows: readonly WordRow[], texts: ReadonlySet<number>, k: number): number[] {
  const cells = unitsByCell(rows).filter((cell) => cell.length <= largestOf(k))
  const membersOf = (text: number) =>
    new Set(
      cells.flatMap((cell) =>
        cell
          .filter((unit) => unit.text === text)
          .flatMap((unit) => cell.map(({ name }) => name).filter((name) => name !== unit.name)),
      ),
    )
  const met = new Map<number, number>()
  for (const text of texts) for (const name of membersOf(text)) met.set(name, (met.get(name) ?? 0) + 1)
  const most = Math.max(...met.values())
  return [...met].filter(([, count]) => count === most).map(([name]) => name)
}

/** Keeps this many known texts of each person and no more, so that there is no choice which of them are known. */
function forgetOthers(rows: readonly WordRow[], known: number): WordRow[] {
  const textsOf = new Map<number, Set<number>>()
  return rows.map((row) => {
    const texts = textsOf.get(row.truth) ?? new Set()
    textsOf.set(row.truth, texts)
    if (texts.size < known) texts.add(row.text)
    return texts.has(row.text) ? row : { ...row, truth: -1 }
  })
}

test("an attacker who knows searches of a person finds a name that most cells of these searches share", () => {
  fc.assert(
    fc.property(anyWordStream, fc.integer({ min: 1, max: 3 }), fc.nat(), ({ rows: any, k }, known, seed) => {
      const rows = forgetOthers(any, known)
      const { stream, cell } = wordStreamOf(rows)
      const owner = Int32Array.from([3, 1, 0, 2, 4, 5, 1])
      const found = createKnownSearches(stream, { k, cell, owner, random: seededRandom(seed) })(known)
      const people = [...new Set(rows.map(({ truth }) => truth))]
        .filter((person) => person >= 0)
        .map((person) => {
          const texts = new Set(rows.filter(({ truth }) => truth === person).map(({ text }) => text))
          return { person, texts, names: commonestNames(rows, texts, k) }
        })
        .filter(({ texts }) => texts.size === known)
      expect(found.targets).toBe(people.length)
      // One of several equals is drawn.
      const isRight = (person: number) => (name: number) => owner[name] === person
      const surely = people.filter(({ person, names }) => names.length > 0 && names.every(isRight(person))).length
      const perhaps = people.filter(({ person, names }) => names.some(isRight(person))).length
      expect(found.right).toBeGreaterThanOrEqual(surely)
      expect(found.right).toBeLessThanOrEqual(perhaps)
    }),
    { numRuns: 300 },
  )
})

test("the people to look for are drawn, up to a given number", () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({
    user: i % 6,
    text: i,
    cell: Math.floor(i / 6),
    truth: (i + 1) % 6,
  }))
  const { stream, cell } = wordStreamOf(rows)
  const look = (most: number) => {
    const owner = Int32Array.from({ length: 6 }, (_, name) => name)
    return createKnownSearches(stream, { k: 5, cell, owner, most, random: seededRandom(1) })(3).targets
  }
  expect([look(4), look(100)]).toEqual([4, 6])
})
