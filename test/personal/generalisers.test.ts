import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { seededRandom, shuffle } from "#dist/kernels/random.js"
import { exposureOf } from "#dist/personal/exposure.js"
import { metricsOf, stepsOf } from "#dist/personal/generalise.js"
import { type Algorithm, algorithms, generalisers } from "#dist/personal/generalisers.js"
import { discriminatingPower, powerWithoutProfile } from "#dist/personal/metrics.js"
import { optimal } from "#dist/personal/optimal.js"
import { isPathBefore } from "#dist/personal/path-order.js"
import { riskOf } from "#dist/personal/risk.js"
import { trieOf } from "#dist/personal/topic-tree.js"
import { randomWords, type Situation, situationOf, taxonomyOf, type Words } from "../support/synthetic-profiles.ts"
import { plainMetrics, rootedSubtrees } from "./plain-metrics.ts"
import { smallWorld, twelveTopics } from "./small-world.ts"

function run({ seed, risk }: Situation, algorithm: Algorithm, delta: number) {
  const found = generalisers[algorithm](seed, [{ model: risk, delta }])
  const { paths } = exposureOf(seed, found.kept)
  const DP = paths.length === 0 ? Number.NaN : discriminatingPower(seed, found.kept)
  return { ...found, paths, DP, steps: stepsOf(seed, risk, found.order) }
}

/** A person with at most nine topics in the seed. */
const small = fc.record({ seed: fc.nat(), size: fc.integer({ min: 2, max: 9 }) }).map(({ seed, size }): Words => {
  return randomWords(seededRandom(seed), { size, sensitive: 5, children: 4 })
})
const medium = fc.record({ seed: fc.nat(), size: fc.integer({ min: 2, max: 60 }) }).map(({ seed, size }): Words => {
  return randomWords(seededRandom(seed), { size, sensitive: 12, children: 8 })
})
const someDelta = fc.double({ min: 0, max: 1, noNaN: true })

describe("GreedyIL on the example worked out by hand", () => {
  const world = situationOf(smallWorld)

  test("prunes the lowest loss first and stops at δ", () => {
    const { steps, paths, taken } = run(world, "il", 0.3)
    // Losses in bits: y ¼; x 1 − (¾·log2 1.5 + ½) = 0.061, because y is already in the shadow; a, which is then a leaf,
    // 0.439, less than z with ½ (case C1: ¼·(4 − 2)); then z.
    expect(steps.map(({ pruned }) => pruned)).toEqual(["a/y", "a/x", "a", "b/z"])
    expect(steps.map(({ risk }) => risk)).toEqual([3.25 / 4, 3.25 / 4, 3 / 4, 0.75 / 4])
    expect(steps[1]?.PG).toBeCloseTo(0.75 * Math.log2(1.5) + 0.5, 12)
    expect(steps[2]?.PG).toBeCloseTo(0.5, 12)
    expect(paths).toEqual(["", "b"])
    expect(taken).toBe(4)
  })

  test("ends at nothing if even the best profile is worth less than none", () => {
    expect(run(world, "il", 0.3).DP).toBeCloseTo(0, 12)
    // {a, x, b}: x ½, the shadow of a 0, b 0. {a, x, y}: ½ + ¼, and −¼ for b in the shadow of the root. Both have risk
    // ¼.
    for (const algorithm of ["optimal", "tree"] as const) {
      expect(run(world, algorithm, 0.3).DP).toBeCloseTo(0.5 / 5.5, 12)
    }
    expect(0.5 / 5.5).toBeLessThan(powerWithoutProfile(world.taxonomy, world.relevant))
  })

  test("exposes nothing below the floor, the cost of the root", () => {
    const floor = 0.3125 / 4
    for (const algorithm of algorithms) {
      expect(run(world, algorithm, floor).paths).toContain("")
      expect(run(world, algorithm, floor - 1e-9).paths).toEqual([])
    }
  })

  test("among equal losses prunes the first path in text order: a space comes before a slash", () => {
    const equal = situationOf({
      taxonomy: { "": 12, "p/q": 4, "p q": 4 },
      profile: { "p/q": 1, "p q": 1 },
      topics: { "p/q": 1, "p q": 1 },
      sensitive: { "p/q": 1, "p q": 1 },
    })
    // p/q is the only child of p and costs nothing to prune. After that, p and "p q" are equal.
    expect(run(equal, "il", 0.8).steps.map(({ pruned }) => pruned)).toEqual(["p/q", "p"])
    expect(
      run(equal, "dp", 0.8)
        .steps.map(({ pruned }) => pruned)
        .slice(0, 2),
    ).toEqual(["p/q", "p"])
    const flat = situationOf({
      taxonomy: { "": 12, "p/q": 4, p: 4, "p q/r": 4, "p q": 4 },
      profile: { "p/q": 1, "p q/r": 1 },
      topics: { "p/q": 1, "p q/r": 1 },
      sensitive: { "p/q": 1, "p q/r": 1 },
    })
    expect(run(flat, "il", 0.8).steps.map(({ pruned }) => pruned)).toEqual(["p q/r"])
    expect(run(flat, "dp", 0.8).steps[0]?.pruned).toBe("p q/r")
  })
})

describe("the order of paths", () => {
  test("is that of their bytes", () => {
    const name = fc.string({ unit: fc.constantFrom("a", " ", "-", "0", "z", "é", "😀"), minLength: 1, maxLength: 3 })
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"))
    fc.assert(
      fc.property(fc.uniqueArray(path, { minLength: 2, maxLength: 8 }), (paths) => {
        const taxonomy = taxonomyOf(Object.fromEntries(paths.map((each) => [each, 1])))
        const tree = trieOf(taxonomy, Array(taxonomy.size).keys())
        for (let a = 0; a < tree.size; a++)
          for (let b = 0; b < tree.size; b++) {
            const [one, other] = [Buffer.from(taxonomy.path(a)), Buffer.from(taxonomy.path(b))]
            if (a !== b) expect(isPathBefore(tree, a, b)).toBe(Buffer.compare(one, other) < 0)
          }
      }),
    )
  })
})

describe("on twelve topics with δ = 0.3", () => {
  const situation = situationOf(twelveTopics)

  test("greedy algorithms end at a DP of 0.280; the tree finds 0.314", () => {
    const power = (algorithm: Algorithm) => run(situation, algorithm, 0.3).DP.toFixed(3)
    expect(algorithms.map((algorithm) => [algorithm, power(algorithm)])).toEqual([
      ["il", "0.280"],
      ["dp", "0.280"],
      ["optimal", "0.314"],
      ["tree", "0.314"],
    ])
  })
})

describe("every generaliser", () => {
  test("stays within δ, on any profile and any δ", () => {
    fc.assert(
      fc.property(medium, someDelta, (words, delta) => {
        const situation = situationOf(words)
        for (const algorithm of ["il", "dp", "tree"] as const) {
          const { kept } = run(situation, algorithm, delta)
          if (kept[0] === 1) expect(riskOf(situation.seed, situation.risk, kept)).toBeLessThanOrEqual(delta)
          else expect(situation.risk.cost[0] / situation.risk.total).toBeGreaterThan(delta)
        }
      }),
      { numRuns: 60 },
    )
  })

  test("gives steps that each prune a leaf and end at the result", () => {
    fc.assert(
      fc.property(small, someDelta, (words, delta) => {
        const situation = situationOf(words)
        const { seed } = situation
        for (const algorithm of algorithms) {
          const { order, kept, taken } = run(situation, algorithm, delta)
          const left = new Uint8Array(seed.size).fill(1)
          order.forEach((node, i) => {
            if (i === taken && kept[0] === 1) expect(left).toEqual(kept)
            expect(left[node]).toBe(1)
            left[node] = 0
            for (let below = node + 1; below < seed.end[node]; below++) expect(left[below]).toBe(0)
          })
          if (taken === order.length && kept[0] === 1) expect(left).toEqual(kept)
        }
      }),
      { numRuns: 60 },
    )
  })

  test("does not depend on the order in which topics are given", () => {
    const shuffled = (words: Words, seed: number): Words => {
      const random = seededRandom(seed)
      const mix = (values: Record<string, number>) => {
        const entries = Object.entries(values)
        const order = Uint32Array.from(entries, (_, i) => i)
        shuffle(order, random)
        return Object.fromEntries(Array.from(order, (i) => entries[i]))
      }
      return {
        taxonomy: mix(words.taxonomy),
        profile: mix(words.profile),
        topics: mix(words.topics),
        sensitive: mix(words.sensitive),
      }
    }
    fc.assert(
      fc.property(small, someDelta, fc.nat(), (words, delta, seed) => {
        const [one, other] = [situationOf(words), situationOf(shuffled(words, seed))]
        for (const algorithm of algorithms) {
          expect(run(other, algorithm, delta).paths).toEqual(run(one, algorithm, delta).paths)
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe("metrics and risk", () => {
  test("equal the definitions, implemented again on paths, for every rooted subtree", () => {
    fc.assert(
      fc.property(small, (words) => {
        const { seed, risk } = situationOf(words)
        const plain = plainMetrics(words)
        for (const subtree of rootedSubtrees(plain.seed)) {
          const kept = Uint8Array.from(exposureOf(seed, new Uint8Array(seed.size).fill(1)).paths, (path) =>
            subtree.has(path) ? 1 : 0,
          )
          const [found, wanted] = [metricsOf(seed, risk, kept), plain.measure(subtree)]
          for (const name of ["PG", "TS", "DP", "risk"] as const) expect(found[name]).toBeCloseTo(wanted[name], 9)
        }
      }),
      { numRuns: 25 },
    )
  })

  test("neither DP nor risk rises when a leaf is pruned (Theorem 2)", () => {
    fc.assert(
      fc.property(medium, fc.nat(), (words, seedNumber) => {
        const { seed, risk } = situationOf(words)
        const random = seededRandom(seedNumber)
        const kept = new Uint8Array(seed.size).fill(1)
        let before = metricsOf(seed, risk, kept)
        for (;;) {
          const leaves = Array.from(kept.keys()).filter((node) => {
            return node > 0 && kept[node] === 1 && !kept.subarray(node + 1, seed.end[node]).includes(1)
          })
          if (leaves.length === 0) break
          kept[leaves[random.below(leaves.length)]] = 0
          const after = metricsOf(seed, risk, kept)
          expect(after.DP).toBeLessThanOrEqual(before.DP + 1e-12)
          expect(after.risk).toBeLessThanOrEqual(before.risk + 1e-12)
          before = after
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe("GreedyDP and GreedyIL", () => {
  test("give the same result: a loss of DP is a loss of PG until there is no choice", () => {
    fc.assert(
      fc.property(medium, someDelta, (words, delta) => {
        const situation = situationOf(words)
        const [dp, il] = [run(situation, "dp", delta), run(situation, "il", delta)]
        expect(dp.paths).toEqual(il.paths)
        expect(dp.order.slice(0, dp.taken)).toEqual(il.order)
      }),
      { numRuns: 60 },
    )
  })
})

describe("the optimum", () => {
  test("is the best of all rooted subtrees by the definitions", () => {
    fc.assert(
      fc.property(small, someDelta, (words, delta) => {
        const { DP } = run(situationOf(words), "optimal", delta)
        const plain = plainMetrics(words)
        let best = Number.NaN
        for (const subtree of rootedSubtrees(plain.seed)) {
          const { DP: power, risk } = plain.measure(subtree)
          // Not at the edge, where rounding decides.
          if (Math.abs(risk - delta) < 1e-9) return
          if (risk <= delta && !(power <= best)) best = power
        }
        if (Number.isNaN(best)) expect(DP).toBeNaN()
        else expect(DP).toBeCloseTo(best, 9)
      }),
      { numRuns: 40 },
    )
  })

  test("is refused if there are too many subtrees to try", () => {
    const { seed, risk } = situationOf(randomWords(seededRandom(1), { size: 80, sensitive: 5, children: 4 }))
    expect(() => optimal(seed, [{ model: risk, delta: 0.1 }])).toThrow(/rooted subtrees. At most 262,144.* Choose tree/)
  })
})
