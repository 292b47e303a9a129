import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { laplaceProbability, laplaceUpperTail } from "#dist/kernels/noise/laplace-distribution.js"
import { createLaplaceSampler } from "#dist/kernels/noise/laplace-sampler.js"
import { rationalOf } from "#dist/kernels/noise/rational.js"
import { seededRandom } from "#dist/kernels/random.js"
import { optimalSelection } from "#dist/methods/counts/optimal-selection.js"
import { laplaceThreshold, searchesThreshold, truncation } from "#dist/methods/counts/thresholds.js"

const tau = (epsilon: string, delta: string, l0 = 1, perKey = 1) =>
  laplaceThreshold({ epsilon: rationalOf(epsilon), delta: rationalOf(delta), l0, perKey })

/** What a reader sees of one key, with probabilities: nothing, or a value from `from` on. */
interface Seen {
  nothing: number
  value(v: number): number
}

/** A key of n users, each counted once, under discrete Laplace noise, a minimum of p users and a threshold. */
function seen(n: number, { scale, p, threshold }: { scale: number; p: number; threshold: number }): Seen {
  if (n < p) return { nothing: 1, value: () => 0 }
  return {
    nothing: 1 - laplaceUpperTail(threshold - n, scale),
    value: (v) => (v < threshold ? 0 : laplaceProbability(v - n, scale)),
  }
}

/** The same with noise within [−k, k]. A value is seen from the threshold on. */
function seenTruncated(n: number, { epsilon, k, p }: { epsilon: number; k: number; p: number }): Seen {
  if (n < p) return { nothing: 1, value: () => 0 }
  const a = Math.exp(-epsilon)
  const chance = (x: number) => (Math.abs(x) > k ? 0 : ((1 - a) / (1 + a - 2 * a ** (k + 1))) * a ** Math.abs(x))
  const threshold = k + 1 + (p - 1)
  let nothing = 0
  for (let x = -k; x <= k; x++) if (n + x < threshold) nothing += chance(x)
  return { nothing, value: (v) => (v < threshold ? 0 : chance(v - n)) }
}

/** The hockey-stick divergence Σ max(0, P − e^ε·Q): the smallest δ for which P ≤ e^ε·Q + δ on every set. */
function divergence(p: Seen, q: Seen, { epsilon, most }: { epsilon: number; most: number }): number {
  let sum = Math.max(0, p.nothing - Math.exp(epsilon) * q.nothing)
  for (let v = 0; v <= most; v++) sum += Math.max(0, p.value(v) - Math.exp(epsilon) * q.value(v))
  return sum
}

/** The worst of both directions over neighbouring numbers of users. */
function worst(of: (n: number) => Seen, options: { epsilon: number; most: number }): number {
  let most = 0
  for (let n = 0; n < options.most / 2; n++) {
    most = Math.max(most, divergence(of(n), of(n + 1), options), divergence(of(n + 1), of(n), options))
  }
  return most
}

describe("the threshold of discrete Laplace noise", () => {
  test.each([
    ["1", "1e-6", 1, 15],
    ["1", "1e-6", 10, 156],
    ["0.5", "1e-8", 20, 831],
    ["1", "0.05", 1, 4],
  ])("for ε = %s, δ = %s and %i keys is %i", (epsilon, delta, l0, expected) => {
    expect(tau(epsilon, delta, l0)).toBe(expected)
  })

  test("is that of its formula, wherever floating point is precise enough", () => {
    const cases = fc.record({
      epsilon: fc.constantFrom("0.01", "0.1", "0.5", "1", "3", "10"),
      delta: fc.constantFrom("0.3", "1e-2", "1e-6", "1e-12", "1e-60"),
      l0: fc.integer({ min: 1, max: 200 }),
      c: fc.integer({ min: 1, max: 5 }),
    })
    fc.assert(
      fc.property(cases, ({ epsilon, delta, l0, c }) => {
        const rate = Number(epsilon) / (l0 * c)
        const each = -Math.expm1(Math.log1p(-Number(delta)) / l0)
        const m = Math.log(1 / (each * (1 + Math.exp(-rate)))) / rate
        fc.pre(Math.abs(m - Math.round(m)) > 1e-6 * Math.max(1, m))
        expect(tau(epsilon, delta, l0, c)).toBe(c + Math.max(0, Math.ceil(m)))
      }),
      { numRuns: 200 },
    )
  })

  test("is decided exactly where the two sides differ by one in 10⁴⁶", () => {
    // e^−30/(1 + e^−1) is between these two, to 60 places. So 30 more than the user's own count is enough for the
    // larger δ.
    expect(tau("1", "68409705469557844845035085773271862952256915290e-60")).toBe(31)
    expect(tau("1", "68409705469557844845035085773271862952256915289e-60")).toBe(32)
  })

  test.each([1, 2, 5, 8])("keeps δ for every neighbour, exactly, with at least %i users", (p) => {
    for (const [epsilon, delta] of [
      [1, "0.05"],
      [0.5, "1e-3"],
      [2, "1e-6"],
    ] as const) {
      const threshold = tau(`${epsilon}`, delta) + p - 1
      const found = worst((n) => seen(n, { scale: 1 / epsilon, p, threshold }), { epsilon, most: 160 })
      expect(found).toBeLessThanOrEqual(Number(delta))
      expect(found).toBeGreaterThan(Number(delta) * Math.exp(-epsilon)) // one less would not be enough: see below
    }
  })

  test.each([1, 5])("less one breaks δ = 0.05 at ε = 1, exactly, with at least %i users", (p) => {
    const found = (threshold: number) => worst((n) => seen(n, { scale: 1, p, threshold }), { epsilon: 1, most: 160 })
    expect(found(tau("1", "0.05") + p - 1)).toBeCloseTo(Math.exp(-3) / (1 + Math.exp(-1)), 12)
    expect(found(tau("1", "0.05") + p - 2)).toBeCloseTo(Math.exp(-2) / (1 + Math.exp(-1)), 12)
    expect(found(tau("1", "0.05") + p - 2)).toBeGreaterThan(0.05)
  })

  test("without raising it by p − 1, p users at least would break δ", () => {
    const found = worst((n) => seen(n, { scale: 1, p: 5, threshold: tau("1", "0.05") }), { epsilon: 1, most: 160 })
    expect(found).toBeGreaterThan(0.05)
  })

  test("shows one user's key in 3.6 % of 300,000 runs, and in 9.9 % with one less (5 σ: false alarm 10⁻⁶)", () => {
    const noise = createLaplaceSampler({ scale: rationalOf("1") }, seededRandom(4))
    const runs = 300_000
    const [kept, broken] = [0, 1].map((less) => {
      let shown = 0
      for (let run = 0; run < runs; run++) if (1 + noise.draw() >= tau1 - less) shown++
      return shown / runs
    })
    const error = (share: number) => 5 * Math.sqrt((share * (1 - share)) / runs)
    expect(Math.abs(kept - 0.036397)).toBeLessThan(error(0.036397))
    expect(kept + error(kept)).toBeLessThan(0.05)
    expect(broken - error(broken)).toBeGreaterThan(0.05)
  })
})

const tau1 = tau("1", "0.05")

/** All ways to write n as a sum of numbers ≥ 1, largest first. */
function partitions(n: number, most = n): number[][] {
  if (n === 0) return [[]]
  return Array.from({ length: Math.min(n, most) }, (_, i) => i + 1).flatMap((part) =>
    partitions(n - part, part).map((rest) => [part, ...rest]),
  )
}

describe("the threshold of Korolova et al.", () => {
  /** The probability that any query of one user is released, over the worst distribution of their searches. */
  const worstChance = (searches: number, { scale, threshold }: { scale: number; threshold: number }) =>
    Math.max(
      ...partitions(searches).map(
        (parts) => 1 - parts.reduce((none, w) => none * (1 - laplaceUpperTail(threshold - w, scale)), 1),
      ),
    )

  test("keeps δ for every spread of a user's searches, by brute force; one less is too little or barely enough", () => {
    const cases = fc.record({
      searches: fc.integer({ min: 1, max: 12 }),
      b: fc.constantFrom("0.3", "1", "2.5", "10", "40"),
      delta: fc.constantFrom("0.3", "0.05", "1e-3", "1e-6"),
    })
    fc.assert(
      fc.property(cases, ({ searches, b, delta }) => {
        const threshold = searchesThreshold({ scale: rationalOf(b), delta: rationalOf(delta), searches })
        const scale = Number(b)
        expect(threshold).toBeGreaterThanOrEqual(searches)
        expect(worstChance(searches, { scale, threshold })).toBeLessThanOrEqual(Number(delta))
        const sum = (T: number) =>
          Math.max(
            ...partitions(searches).map((w) => w.reduce((all, one) => all + laplaceUpperTail(T - one, scale), 0)),
          )
        if (threshold > searches) expect(sum(threshold - 1)).toBeGreaterThan(Number(delta))
      }),
      { numRuns: 150 },
    )
  })

  test("is at most that of their formula, δ = (d/2)·e^((d−K)/b), from which it follows for discrete noise", () => {
    for (const [searches, b, delta] of [
      [1, 5, 1e-6],
      [10, 20, 1e-6],
      [100, 10, 1e-3],
    ] as const) {
      const theirs = Math.ceil(searches + b * Math.log(searches / (2 * delta))) + 1 // a noisy count above K
      const ours = searchesThreshold({ scale: rationalOf(`${b}`), delta: rationalOf(`${delta}`), searches })
      expect(ours).toBeLessThanOrEqual(theirs)
    }
  })

  test.each([1, 3])("keeps (ε, δ) exactly for a query of %i searches of one user, both ways", (w) => {
    const [b, bq, delta] = [2, 3, 0.02]
    const threshold = searchesThreshold({ scale: rationalOf(`${b}`), delta: rationalOf(`${delta}`), searches: w })
    const epsilon = w / b + w / bq
    const of = (n: number): Seen => {
      const chosen = n === 0 ? 0 : laplaceUpperTail(threshold - n, b)
      return { nothing: 1 - chosen, value: (v) => chosen * laplaceProbability(v - 200 - n, bq) }
    }
    let worstFound = 0
    for (let n = 0; n < 40; n++) {
      const [p, q] = [of(n), of(n + w)]
      worstFound = Math.max(
        worstFound,
        divergence(p, q, { epsilon, most: 500 }),
        divergence(q, p, { epsilon, most: 500 }),
      )
    }
    expect(worstFound).toBeLessThanOrEqual(delta)
    expect(worstFound).toBeGreaterThan(delta * Math.exp(-1 / b) * 0.9)
  })
})

describe("optimal selection", () => {
  test("shows a key of n users as often as is published", () => {
    const chances = optimalSelection({ epsilon: 1, delta: 1e-5 }, 11)
    expect(chances[5]).toBeCloseTo(8.5791e-4, 8)
    expect(chances[10]).toBeCloseTo(0.128183, 6)
    expect(chances[11]).toBeCloseTo(0.348448, 6)
  })

  test.each([
    [1, "1e-5", 1],
    [0.5, "1e-3", 5],
    [2, "0.01", 3],
  ] as const)(
    "by truncated noise keeps δ for every neighbour, exactly: ε = %d, δ = %s, %i users",
    (epsilon, delta, p) => {
      const k = truncation({ epsilon: rationalOf(`${epsilon}`), delta: rationalOf(delta), l0: 1 })
      const found = worst((n) => seenTruncated(n, { epsilon, k, p }), { epsilon, most: 8 * k + 40 })
      expect(found).toBeLessThanOrEqual(Number(delta) * (1 + 1e-9))
      const less = worst((n) => seenTruncated(n, { epsilon, k: k - 1, p }), { epsilon, most: 8 * k + 40 })
      expect(less).toBeGreaterThan(Number(delta))
    },
  )

  test("finds where noise of a very large scale is cut", () => {
    // ⌈ln((e^r − 1 + 2δ)/((e^r + 1)δ))/r⌉ at r = 2e-12, δ = 1e-14, computed with 60 digits.
    expect(truncation({ epsilon: rationalOf("2e-12"), delta: rationalOf("1e-14"), l0: 1 })).toBe(2307560258421)
  })

  test("cuts the noise of a very large ε at 1: the chance of more is nearly 0", () => {
    expect(truncation({ epsilon: rationalOf("1e5"), delta: rationalOf("1e-6"), l0: 1 })).toBe(1)
  })

  test("by truncated noise is the optimal one for the δ that it spends", () => {
    const k = truncation({ epsilon: rationalOf("1"), delta: rationalOf("1e-5"), l0: 1 })
    const spent = 1 - seenTruncated(1, { epsilon: 1, k, p: 1 }).nothing
    expect(spent).toBeLessThanOrEqual(1e-5)
    const best = optimalSelection({ epsilon: 1, delta: spent }, 40)
    for (let n = 0; n <= 40; n++) expect(1 - seenTruncated(n, { epsilon: 1, k, p: 1 }).nothing).toBeCloseTo(best[n], 9)
  })

  test("shows every key more often than discrete Laplace noise does", () => {
    const k = truncation({ epsilon: rationalOf("1"), delta: rationalOf("1e-5"), l0: 1 })
    const threshold = tau("1", "1e-5")
    for (let n = 8; n < 30; n++) {
      expect(seenTruncated(n, { epsilon: 1, k, p: 1 }).nothing).toBeLessThanOrEqual(
        seen(n, { scale: 1, p: 1, threshold }).nothing + 1e-12,
      )
    }
  })
})
