import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { groupUsers } from "#dist/kernels/group-users.js"
import { buildUserMatrices, type UserMatrices, userDistance } from "#dist/kernels/user-matrices.js"

const context = createContext({ workers: 1 })

/** Matrices from lists of cells, one list per user. */
function matricesOf(lists: readonly (readonly number[])[], size: number): UserMatrices {
  const user = Int32Array.from(lists.flatMap((list, u) => list.map(() => u)))
  return buildUserMatrices({ user, cell: Int32Array.from(lists.flat()) }, { users: lists.length, size })
}

/** Half the L1 distance of the normalised matrices, as a fraction: [numerator, denominator]. */
function distanceByHand(a: readonly number[], b: readonly number[], size: number): [bigint, bigint] {
  if (a.length === 0 || b.length === 0) return [a.length === b.length ? 0n : 1n, 1n]
  let sum = 0n
  for (let cell = 0; cell < size; cell++) {
    const count = (list: readonly number[]) => BigInt(list.filter((one) => one === cell).length)
    const difference = count(a) * BigInt(b.length) - count(b) * BigInt(a.length)
    sum += difference < 0n ? -difference : difference
  }
  return [sum, 2n * BigInt(a.length) * BigInt(b.length)]
}

/** Every centroid against every unassigned user, with fractions. */
function groupByHand(
  lists: readonly (readonly number[])[],
  options: { k: number; order: readonly number[]; ties: readonly number[]; tenths: number; size: number },
) {
  const { k, order, ties, tenths, size } = options
  const groupOf = lists.map(() => -1)
  const centroids: number[] = []
  const distance = (a: number, b: number) => distanceByHand(lists[a], lists[b], size)
  const compare = (x: [bigint, bigint], y: [bigint, bigint]) => Number(x[0] * y[1] - y[0] * x[1])
  const isWithin = (found: [bigint, bigint]) => compare(found, [BigInt(tenths), 10n]) <= 0
  const nearer = (from: number) => (a: number, b: number) =>
    compare(distance(from, a), distance(from, b)) || ties.indexOf(a) - ties.indexOf(b)
  const open = () => order.filter((user) => groupOf[user] < 0)
  for (const centroid of order) {
    if (groupOf[centroid] >= 0 || open().length < k) continue
    const others = open().filter((user) => user !== centroid && isWithin(distance(centroid, user)))
    if (others.length < k - 1) continue
    const members = [centroid, ...others.sort(nearer(centroid)).slice(0, k - 1)]
    for (const user of members) groupOf[user] = centroids.length
    centroids.push(centroid)
  }
  for (const user of open()) {
    const found = centroids.map((centroid, group) => ({ group, distance: distance(user, centroid) }))
    found.sort((a, b) => compare(a.distance, b.distance) || a.group - b.group)
    if (found.length > 0 && isWithin(found[0].distance)) groupOf[user] = found[0].group
  }
  return { groupOf, centroids }
}

const size = 12
const cell = fc.oneof({ weight: 2, arbitrary: fc.nat({ max: size - 1 }) }, { weight: 3, arbitrary: fc.nat({ max: 1 }) })
const list = fc.array(cell, { maxLength: 9 })
const lists = fc.array(list, { maxLength: 50 })

describe("the distance of two users", () => {
  test("is half the L1 distance of their normalised matrices", () => {
    fc.assert(
      fc.property(list, list, (a, b) => {
        const [over, under] = distanceByHand(a, b, size)
        expect(userDistance(matricesOf([a, b], size), 0, 1)).toBe(Number(over) / Number(under))
      }),
      { numRuns: 500 },
    )
  })

  test("is a metric in [0, 1]", () => {
    fc.assert(
      fc.property(list, list, list, (a, b, c) => {
        const matrices = matricesOf([a, b, c], size)
        const [ab, ba] = [userDistance(matrices, 0, 1), userDistance(matrices, 1, 0)]
        const [bc, ac] = [userDistance(matrices, 1, 2), userDistance(matrices, 0, 2)]
        for (const distance of [ab, bc, ac]) expect(distance >= 0 && distance <= 1).toBe(true)
        expect(ab).toBe(ba)
        expect(ac).toBeLessThanOrEqual(ab + bc + 1e-12)
        const shares = (all: readonly number[]) =>
          Array.from({ length: size }, (_, one) => all.filter((other) => other === one).length / all.length).join()
        expect(ab === 0).toBe(shares(a) === shares(b))
      }),
      { numRuns: 500 },
    )
  })
})

const shuffled = (users: number) =>
  fc.shuffledSubarray([...Array(users).keys()], { minLength: users, maxLength: users })

/** Puts users with something to show first, as the method does. */
const emptyLast = (order: readonly number[], all: readonly (readonly number[])[]) => [
  ...order.filter((user) => all[user].length > 0),
  ...order.filter((user) => all[user].length === 0),
]

describe("groups of users", () => {
  test("are those of comparing each centroid with every unassigned user, within any distance", async () => {
    const input = lists.chain((all) => fc.tuple(fc.constant(all), shuffled(all.length), shuffled(all.length)))
    const tenths = fc.constantFrom(10, 10, 9, 7, 5, 2, 0)
    await fc.assert(
      fc.asyncProperty(input, fc.integer({ min: 1, max: 7 }), tenths, async ([all, drawn, ties], k, far) => {
        const order = emptyLast(drawn, all)
        const given = { k, order: Uint32Array.from(order), ties: Uint32Array.from(ties), maxDistance: far / 10 }
        const found = await groupUsers(matricesOf(all, size), given, context)
        expect({ groupOf: [...found.groupOf], centroids: [...found.centroids] }).toEqual(
          groupByHand(all, { k, order, ties, tenths: far, size }),
        )
      }),
      { numRuns: 1000 },
    )
  })

  test.each([1, 2, 3, 4])("are the same with lists so long that they are not read to the end (%i)", async (seed) => {
    // Many users share the first cells, few share the others. The draw is seeded, so that there are enough.
    const { random } = createContext({ seed })
    const hubs = seed * 3
    const all = Array.from({ length: 700 }, () => {
      const own = Array.from({ length: random.below(4) }, () => hubs + random.below(300))
      const common = Array.from({ length: random.below(9) }, () => random.below(1 + random.below(hubs)))
      return [...common, ...own]
    })
    const order = emptyLast(
      all.map((_, user) => (user * 9) % all.length),
      all,
    )
    const ties = all.map((_, user) => (user * 11) % all.length)
    const matrices = matricesOf(all, 300 + hubs)
    for (const maxDistance of [1, 0.6]) {
      const options = { k: 2 + seed, order: Uint32Array.from(order), ties: Uint32Array.from(ties), maxDistance }
      const found = await groupUsers(matrices, options, context)
      expect([...found.groupOf]).toEqual(groupPlainly(matrices, { k: 2 + seed, order, ties, maxDistance }))
    }
  })

  test("have at least k users each, and contain every user who is to be grouped", async () => {
    await fc.assert(
      fc.asyncProperty(lists, fc.integer({ min: 1, max: 9 }), async (all, k) => {
        const order = Uint32Array.from([...all.keys()].filter((user) => user % 4 !== 3))
        const { groupOf, centroids } = await groupUsers(matricesOf(all, size), { k, order, ties: order }, context)
        const sizes = Array<number>(centroids.length).fill(0)
        groupOf.forEach((group, user) => {
          expect(group >= 0).toBe(order.includes(user) && order.length >= k)
          if (group >= 0) sizes[group]++
        })
        expect(sizes.every((members) => members >= k)).toBe(true)
        centroids.forEach((centroid, group) => {
          expect(groupOf[centroid]).toBe(group)
        })
      }),
    )
  })
})

/** Each centroid against every unassigned user, by the distance that is tested above. */
function groupPlainly(
  matrices: UserMatrices,
  options: { k: number; order: readonly number[]; ties: readonly number[]; maxDistance: number },
): number[] {
  const { k, order, ties, maxDistance } = options
  const groupOf = Array<number>(matrices.totals.length).fill(-1)
  const centroids: number[] = []
  for (const centroid of order) {
    const others = order.filter((user) => groupOf[user] < 0 && user !== centroid)
    if (groupOf[centroid] >= 0 || others.length + 1 < k) continue
    const distance = new Map(others.map((user) => [user, userDistance(matrices, centroid, user)]))
    const far = (user: number) => distance.get(user) ?? 1
    const near = others.filter((user) => far(user) <= maxDistance)
    if (near.length + 1 < k) continue
    near.sort((a, b) => far(a) - far(b) || ties.indexOf(a) - ties.indexOf(b))
    for (const user of [centroid, ...near.slice(0, k - 1)]) groupOf[user] = centroids.length
    centroids.push(centroid)
  }
  groupOf.forEach((group, user) => {
    if (group >= 0) return
    const far = centroids.map((centroid) => userDistance(matrices, centroid, user))
    const least = Math.min(...far)
    if (least <= maxDistance) groupOf[user] = far.indexOf(least)
  })
  return groupOf
}
