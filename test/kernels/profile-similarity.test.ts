import * as fc from "fast-check"
import { expect, test } from "vitest"
import { createProfileMatcher } from "#dist/kernels/linkage/match-profiles.js"
import { createSharedMatcher } from "#dist/kernels/linkage/match-shared.js"
import { indexProfiles } from "#dist/kernels/linkage/profile-index.js"
import { describeCandidates, rankPerson } from "#dist/kernels/linkage/rank-person.js"
import { namingCurve, recallAtPrecision } from "#dist/kernels/linkage/recall-at-precision.js"

type Words = readonly number[]

/** Cosines ascending, then m ← a·c + (1 − a)·m, as in the definition. */
function similarity(query: Words, profile: readonly Words[], smoothing: number): number {
  const cosines = profile.map((search) => {
    const common = query.filter((word) => search.includes(word)).length
    return search.length === 0 ? 0 : common / Math.sqrt(query.length * search.length)
  })
  return cosines.sort((a, b) => a - b).reduce((m, c, i) => (i === 0 ? c : smoothing * c + (1 - smoothing) * m), 0)
}

const words = (least: number) =>
  fc.uniqueArray(fc.nat({ max: 7 }), { minLength: least, maxLength: 5 }).map((own) => own.sort((a, b) => a - b))

test("the similarity of a query to every profile is that of the plain formula", () => {
  fc.assert(
    fc.property(
      fc.array(words(0), { minLength: 1, maxLength: 8 }),
      fc.array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 4 })), { maxLength: 40 }),
      fc.array(words(1), { minLength: 1, maxLength: 4 }),
      fc.constantFrom(0.3, 0.6, 1),
      (texts, given, queries, smoothing) => {
        const searches = given.map(([set, user]) => [set % texts.length, user] as const)
        const offsets = [0]
        for (const text of texts) offsets.push((offsets.at(-1) ?? 0) + text.length)
        const index = indexProfiles(
          { offsets: Uint32Array.from(offsets), members: Int32Array.from(texts.flat()), size: 8 },
          {
            set: Int32Array.from(searches, ([set]) => set),
            user: Int32Array.from(searches, ([, user]) => user),
            users: 5,
          },
        )
        const profiles = [0, 1, 2, 3, 4].map((user) =>
          searches.flatMap(([set, own]) => (own === user ? [texts[set] ?? []] : [])),
        )
        expect(index.profiles).toBe(profiles.filter((profile) => profile.length > 0).length)
        const match = createProfileMatcher(index, { smoothing })
        for (const query of queries) {
          const found = match(Int32Array.from(query))
          profiles.forEach((profile, user) => {
            const place = found.users.indexOf(user)
            expect(place < 0 ? 0 : found.similarity[place]).toBeCloseTo(similarity(query, profile, smoothing), 12)
          })
        }
      },
    ),
    { numRuns: 300 },
  )
})

test("naming only the surest names as many as nine in ten right allow", () => {
  const curve = (confidence: number[], right: number[]) =>
    namingCurve(Float64Array.from(confidence), Float64Array.from(right))
  const found = curve([0.2, 1, 0.5, 0.5], [0, 1, 1, 1])
  expect(found.map(({ confidence, named, precision, recall }) => [confidence, named, precision, recall])).toEqual([
    [1, 0.25, 1, 0.25],
    [0.5, 0.75, 1, 0.75],
    [0.2, 1, 0.75, 0.75],
  ])
  expect(recallAtPrecision(found, 0.9)).toBe(0.75)
  // One of the two with confidence 0.5 is wrong. They are taken together.
  expect(recallAtPrecision(curve([1, 0.5, 0.5], [1, 1, 0]), 0.9)).toBeCloseTo(1 / 3, 12)
  expect(recallAtPrecision(curve([1, 0.5], [0, 1]), 0.9)).toBe(0)
  expect(recallAtPrecision([], 0.9)).toBe(0)
})

/** All orders of some items. */
const orders = (items: readonly number[]): number[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((item) => orders(items.filter((other) => other !== item)).map((rest) => [item, ...rest]))

test("ties count as often as a person wins them: the mean over all orders of equals", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(0, 0.25, 0.5, 1), { minLength: 2, maxLength: 5 }), (similarity) => {
      const people = [...similarity.keys()]
      const isMarked = Uint8Array.from(people, (person) => person % 2)
      const match = {
        users: Int32Array.from(people.filter((person) => (similarity[person] ?? 0) > 0)),
        similarity: Float64Array.from(similarity.filter((value) => value > 0)),
      }
      const value = (person: number) => similarity[person] ?? 0
      const rankings = orders(people).filter((order) =>
        order.every((p, i) => i === 0 || value(order[i - 1] ?? 0) >= value(p)),
      )
      const mean = (of: (order: number[]) => number) =>
        rankings.reduce((sum, order) => sum + of(order), 0) / rankings.length
      const candidates = describeCandidates(isMarked, { count: people.length })
      const [best = 0, second = 0] = [...similarity].sort((a, b) => b - a)
      for (const person of people) {
        const ranked = rankPerson(match, person, candidates)
        expect(ranked.right).toBeCloseTo(
          mean(([first]) => (first === person ? 1 : 0)),
          12,
        )
        expect(ranked.reciprocalRank).toBeCloseTo(
          mean((order) => 1 / (order.indexOf(person) + 1)),
          12,
        )
        expect(ranked.marked).toBeCloseTo(
          mean(([first = 0]) => first % 2),
          12,
        )
        expect(ranked.confidence).toBeCloseTo(best === 0 ? 0 : (best - second) / best, 12)
      }
    }),
  )
})

test("what is shared counts by its rarity", () => {
  fc.assert(
    fc.property(fc.array(words(0), { minLength: 1, maxLength: 8 }), words(0), (sets, own) => {
      const offsets = [0]
      for (const set of sets) offsets.push((offsets.at(-1) ?? 0) + set.length)
      const match = createSharedMatcher({
        offsets: Uint32Array.from(offsets),
        members: Int32Array.from(sets.flat()),
        size: 8,
      })
      const having = (word: number) => sets.filter((set) => set.includes(word)).length
      const found = match(own)
      sets.forEach((set, i) => {
        const shared = own.filter((word) => set.includes(word))
        const expected = shared.reduce((sum, word) => sum + Math.log(sets.length / having(word)), 0)
        const place = found.users.indexOf(i)
        expect(place < 0 ? 0 : found.similarity[place]).toBeCloseTo(expected, 12)
      })
    }),
  )
})
