import { describe, expect, test } from "vitest"
import { boundOf, isOver } from "#dist/kernels/linkage/judge-names.js"

/** All derangements of 0 … n − 1. */
function derangements(n: number): number[][] {
  const grow = (head: number[]): number[][] => {
    if (head.length === n) return [head]
    const free = Array.from({ length: n }, (_, i) => i).filter((i) => i !== head.length && !head.includes(i))
    return free.flatMap((next) => grow([...head, next]))
  }
  return grow([])
}

/** All ways to name one of n members for each unit, other than the one shown with it. */
function guesses(n: number): number[][] {
  const grow = (head: number[]): number[][] => {
    if (head.length === n) return [head]
    return Array.from({ length: n }, (_, i) => i).flatMap((next) => (next === head.length ? [] : grow([...head, next])))
  }
  return grow([])
}

/** Probabilities of 0 … n right names in a cell, for every way of naming that gives different ones. */
function laws(n: number, ways: readonly number[][]): number[][] {
  const all = derangements(n)
  const found = new Map<string, number[]>()
  for (const way of ways) {
    const counts = new Array<number>(n + 1).fill(0)
    for (const dealt of all) counts[dealt.filter((to, i) => to === way[i]).length]++
    found.set(
      counts.join(),
      counts.map((count) => count / all.length),
    )
  }
  return [...found.values()]
}

/** The same for large n, where the names form one ring, by inclusion and exclusion over runs of the ring. */
function lawOfRing(n: number): number[] {
  const factorials = [1n]
  for (let i = 1; i <= n; i++) factorials.push(factorials[i - 1] * BigInt(i))
  const choose = (from: number, some: number) =>
    some < 0 || some > from ? 0n : factorials[from] / (factorials[some] * factorials[from - some])
  const sign = (i: number) => (i % 2 === 0 ? 1n : -1n)
  /** Number of permutations of m in which `barred` items may not keep their place. */
  const permutations = (m: number, barred: number) => {
    let sum = 0n
    for (let i = 0; i <= barred; i++) sum += sign(i) * choose(barred, i) * factorials[m - i]
    return sum
  }
  /** Σ over sets of s places of the ring: the number of derangements that are right at least at these places. */
  const atLeast = Array.from({ length: n + 1 }, (_, s) => {
    if (s === 0) return permutations(n, n)
    if (s === n) return 1n
    let sum = 0n
    for (let runs = 1; runs <= Math.min(s, n - s); runs++) {
      const sets = (BigInt(n) * choose(s - 1, runs - 1) * choose(n - s - 1, runs - 1)) / BigInt(runs)
      sum += sets * permutations(n - s, n - s - runs)
    }
    return sum
  })
  return Array.from({ length: n + 1 }, (_, right) => {
    let exactly = 0n
    for (let s = right; s <= n; s++) exactly += sign(s - right) * choose(s, right) * atLeast[s]
    return Number((exactly * 10n ** 30n) / atLeast[0]) / 1e30
  })
}

function convolve(a: Float64Array, b: Float64Array): Float64Array {
  const sum = new Float64Array(a.length + b.length - 1)
  for (let i = 0; i < a.length; i++) if (a[i] > 1e-30) for (let j = 0; j < b.length; j++) sum[i + j] += a[i] * b[j]
  return sum
}

/** The exact probability of an alarm over this many cells, if the number of right names in each follows this law. */
function alarmChance(law: readonly number[], { k, cells, level }: { k: number; cells: number; level: number }): number {
  let total: Float64Array = new Float64Array([1])
  let power: Float64Array = Float64Array.from(law)
  for (let left = cells; left > 0; left >>= 1) {
    if ((left & 1) === 1) total = convolve(total, power)
    if (left > 1) power = convolve(power, power)
  }
  const named = cells * (k + 1)
  let low = 0
  let high = named + 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (isOver({ named, right: middle, pairs: named * k }, { k, level })) high = middle
    else low = middle + 1
  }
  return total.subarray(low).reduce((sum, chance) => sum + chance, 0)
}

const levels = [1e-3 / 7, 1e-3 / 700, 1e-8]

describe("the chance of a false alarm, computed exactly where an attacker is at 1/k,", () => {
  test.each([2, 3, 4])("stays below its level for every way of naming with k = %i", (k) => {
    for (const law of laws(k + 1, guesses(k + 1))) {
      for (const level of levels)
        for (const cells of [30, 100, 400]) expect(alarmChance(law, { k, cells, level })).toBeLessThanOrEqual(level)
    }
  })

  test.each([5, 6])("stays below its level for every derangement with k = %i", (k) => {
    for (const law of laws(k + 1, derangements(k + 1))) {
      for (const level of levels)
        for (const cells of [10, 30, 100]) expect(alarmChance(law, { k, cells, level })).toBeLessThanOrEqual(level)
    }
  })

  test.each([7, 10, 20, 50])("stays below its level for names in one ring with k = %i", (k) => {
    const law = lawOfRing(k + 1)
    for (const level of levels)
      for (const cells of [10, 30, 100, 300]) expect(alarmChance(law, { k, cells, level })).toBeLessThanOrEqual(level)
  })

  test("would not, if units of one cell counted as independent", () => {
    const law = laws(3, [[1, 2, 0]])[0]
    const named = 300
    let right = 0
    while (!isOver({ named, right, pairs: 0 }, { k: 2, level: 1e-4 })) right++
    let total: Float64Array = new Float64Array([1])
    for (let cell = 0; cell < 100; cell++) total = convolve(total, Float64Array.from(law))
    expect(total.subarray(right).reduce((sum, chance) => sum + chance, 0)).toBeGreaterThan(50 * 1e-4)
  })

  test("is that of the ring counted by hand", () => {
    for (const n of [3, 4, 5, 6]) {
      const ring = Array.from({ length: n }, (_, i) => (i + 1) % n)
      expect(lawOfRing(n)).toEqual(laws(n, [ring])[0].map((chance) => expect.closeTo(chance, 12)))
    }
  })
})

describe("the lower bound of a share", () => {
  test("is Clopper and Pearson's if no cell is shared (SciPy: beta.ppf(level, right, named − right + 1))", () => {
    for (const [right, named, level, lower] of [
      [30, 100, 0.001, 0.17060950639655972],
      [500, 5000, 0.001 / 7, 0.0852445391234109],
      [9, 40, 1e-6, 0.027081289316666063],
    ]) {
      expect(boundOf({ named, right, pairs: 0 }, { k: 10, level }).lower).toBeCloseTo(lower, 9)
    }
    expect(boundOf({ named: 100, right: 0, pairs: 0 }, { k: 10, level: 0.001 })).toEqual({
      named: 100,
      share: 0,
      lower: 0,
    })
  })

  test("is over the promise exactly when there is an alarm", () => {
    for (let right = 500; right < 800; right++) {
      const trials = { named: 5500, right, pairs: 55_000 }
      const given = { k: 10, level: 1e-4 }
      expect(boundOf(trials, given).lower > 0.1).toBe(isOver(trials, given))
    }
  })
})
