import { describe, expect, test } from "vitest"
import { linkageAttackers } from "#dist/kernels/linkage/attackers.js"
import { countTrials, isOver } from "#dist/kernels/linkage/judge-names.js"
import { createKnownSearches } from "#dist/kernels/linkage/known-searches.js"
import { seededRandom } from "#dist/kernels/random.js"
import { binomialTail } from "#dist/kernels/statistics/binomial.js"
import type { NameLifetime } from "#dist/methods/name-lifetime.js"
import { groupSimilarTexts } from "#dist/text/content-words.js"
import { type Planted, plantStream, underNames } from "../support/planted-streams.ts"

const k = 5
const size = { k, searches: 4000, people: 100, pool: 300 }
/** Half of the searches have a word of their user's own. */
const habits = plantStream({ ...size, seed: 1, own: 500 })
const noHabits = plantStream({ ...size, seed: 2, own: 0 })
const byWords = ["similar-texts", "shared-words", "self-trained", "member-cells"]

function trialsOf(attacker: string, planted: Planted, users: NameLifetime) {
  const { stream, owner } = underNames(planted, users)
  const { cell, words } = planted
  const options = { k, cell, words, similarTexts: groupSimilarTexts(words), cells: true, once: true }
  const { link } = linkageAttackers.find(({ name }) => name === attacker) ?? linkageAttackers[0]
  const named = link(stream, { ...options, random: seededRandom(3) })
  return countTrials(
    named.map((who) => (who < 0 ? -1 : owner[who])),
    stream,
    cell,
  )
}

function foundBy(known: number, planted: Planted, users: NameLifetime) {
  const { stream, owner } = underNames(planted, users)
  return createKnownSearches(stream, { k, cell: planted.cell, owner, random: seededRandom(3) })(known)
}

describe.each(byWords)("the attacker %s", (attacker) => {
  test.each<NameLifetime>(["pseudonym", "day"])(
    "is right far more often than 1/k where people have words of their own, with --users %s",
    (users) => {
      const { named, right } = trialsOf(attacker, habits, users)
      expect(named).toBeGreaterThan(50)
      expect(right / named).toBeGreaterThan(2.5 / k)
    },
  )

  // False alarms: one in a million for each lifetime, if the seed were not fixed.
  test.each<NameLifetime>(["pseudonym", "day", "session"])(
    "is right 1 in k times at most where nobody has words of their own, with --users %s",
    (users) => {
      expect(isOver(trialsOf(attacker, noHabits, users), { k, level: 1e-6 })).toBe(false)
    },
  )

  test("names nobody where a name lasts one cell, whatever words people have", () => {
    expect(trialsOf(attacker, habits, "cell").named).toBe(0)
  })
})

describe("a word that one person types all day", () => {
  // Each of 16 people has one word of their own, in more searches than a rare word may have.
  const busy = plantStream({ k: 3, searches: 2400, people: 16, pool: 300, seed: 5, own: 1000 })

  test.each<NameLifetime>(["day", "session"])("reveals them to the attacker member-cells, with --users %s", (users) => {
    const { named, right } = trialsOf("member-cells", busy, users)
    expect(named).toBeGreaterThan(500)
    expect(right / named).toBeGreaterThan(0.6)
  })
})

describe("the attacker who knows searches of a person", () => {
  test("finds a lasting name, the surer the more are known, and a name of a day less often", () => {
    const shares = [1, 2, 6].map((known) => foundBy(known, habits, "pseudonym").right / size.people)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares[2]).toBeGreaterThan(0.95)
    expect(foundBy(2, habits, "day").right).toBeLessThan(foundBy(2, habits, "pseudonym").right)
  })

  // False alarms: six in a million, if the seed were not fixed.
  test.each([1, 2, 3, 4, 5, 6])("finds a name of a cell 1 in k times at most, with %i known", (known) => {
    const { targets, right } = foundBy(known, habits, "cell")
    expect(targets).toBe(size.people)
    expect(binomialTail(right, targets, { p: 1 / k })).toBeGreaterThan(1e-6)
  })
})
