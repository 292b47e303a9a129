import * as fc from "fast-check"
import { createProfileMatcher, indexProfiles, namingCurve, recallAtPrecision } from "queryveil/kernels"
import { expect, test } from "vitest"

type Words = readonly number[]

/** Cosines ascending, then m ← a·c + (1 − a)·m, as it is written down. */
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

test("who names only the surest names as many rightly as nine in ten right allow", () => {
  const curve = (confidence: number[], right: number[]) =>
    namingCurve(Float64Array.from(confidence), Float64Array.from(right))
  const found = curve([0.2, 1, 0.5, 0.5], [0, 1, 1, 1])
  expect(found.map(({ confidence, named, precision, recall }) => [confidence, named, precision, recall])).toEqual([
    [1, 0.25, 1, 0.25],
    [0.5, 0.75, 1, 0.75],
    [0.2, 1, 0.75, 0.75],
  ])
  expect(recallAtPrecision(found, 0.9)).toBe(0.75)
  // One of the two of confidence 0.5 is wrong: they go together.
  expect(recallAtPrecision(curve([1, 0.5, 0.5], [1, 1, 0]), 0.9)).toBeCloseTo(1 / 3, 12)
  expect(recallAtPrecision(curve([1, 0.5], [0, 1]), 0.9)).toBe(0)
  expect(recallAtPrecision([], 0.9)).toBe(0)
})
