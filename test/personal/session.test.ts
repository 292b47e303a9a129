import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { seededRandom } from "#dist/kernels/random.js"
import { exposeProfile, markShown } from "#dist/personal/expose-profile.js"
import { algorithms, generalisers } from "#dist/personal/generalisers.js"
import { greedyIl } from "#dist/personal/greedy-il.js"
import { discriminatingPower } from "#dist/personal/metrics.js"
import { optimal } from "#dist/personal/optimal.js"
import { relevantTopics } from "#dist/personal/relevant-topics.js"
import { exposureRisk, riskOf, riskOfShown, sessionRisk } from "#dist/personal/risk.js"
import { generaliseTree } from "#dist/personal/tree/generalise-tree.js"
import { randomWords, type Situation, situationOf } from "../support/synthetic-profiles.ts"
import { smallWorld } from "./small-world.ts"

/** Queries about some of a person's topics, one after another. */
function* queriesOf({ taxonomy, relevant }: Situation, number: number) {
  const random = seededRandom(number)
  for (let i = 0; i < 6; i++) {
    const some = Array.from(relevant.topic).filter(() => random.below(3) === 0)
    yield relevantTopics(
      taxonomy,
      some.map((topic) => [topic, 1 + random.below(5)]),
    )
  }
}

const person = fc.record({
  seed: fc.nat(),
  size: fc.integer({ min: 4, max: 14 }),
  sensitive: fc.integer({ min: 1, max: 8 }),
  children: fc.integer({ min: 1, max: 6 }),
})

/** A random rooted subtree: marks nodes below marked nodes if `isChosen`. */
function rootedSubtree(
  { size, parent }: { size: number; parent: ArrayLike<number> },
  isChosen: (node: number) => boolean,
) {
  const marks = new Uint8Array(size)
  for (let node = 0; node < size; node++)
    if (node === 0 || marks[parent[node]] === 1) marks[node] = isChosen(node) ? 1 : 0
  return marks
}

describe("a session", () => {
  test("keeps the union of all that an engine has seen within its own δ, with every algorithm", () => {
    fc.assert(
      fc.property(person, fc.double({ min: 0.05, max: 0.6, noNaN: true }), ({ seed, ...shape }, delta) => {
        const situation = situationOf(randomWords(seededRandom(seed), shape))
        const { costs } = situation
        for (const algorithm of algorithms) {
          let shown = markShown(costs, { paths: [] })
          for (const relevant of queriesOf(situation, seed)) {
            const session = { shown, delta: delta * 1.5 }
            const { exposure, metrics } = exposeProfile(costs, relevant, { delta, algorithm, session, decision: "off" })
            shown = markShown(costs, exposure, shown)
            if (metrics !== undefined) expect(metrics.risk).toBeLessThanOrEqual(delta)
            expect(riskOfShown(costs, shown)).toBeLessThanOrEqual(session.delta + 1e-12)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  test("counts the risk of what would have been seen, node by node", () => {
    fc.assert(
      fc.property(person, fc.nat(), ({ seed: number, ...shape }, mask) => {
        const { seed, costs } = situationOf(randomWords(seededRandom(number), shape))
        const { profile } = costs
        const pick = seededRandom(mask)
        const shown = rootedSubtree(profile, () => pick.below(3) > 0)
        const kept = rootedSubtree(seed, (node) => node === 0 || pick.below(2) > 0)
        const union = shown.slice()
        kept.forEach((mark, node) => {
          if (mark === 1) union[seed.origin[node]] = 1
        })
        expect(riskOf(seed, sessionRisk(seed, costs, shown), kept)).toBeCloseTo(riskOfShown(costs, union), 12)
      }),
      { numRuns: 100 },
    )
  })

  test("is solved within 1 % of trying every subtree on average, and never worse than GreedyIL", () => {
    let best = 0
    let reached = 0
    for (let number = 0; number < 150; number++) {
      const shape = { size: 12, sensitive: 6, children: 4 }
      const { seed, costs } = situationOf(randomWords(seededRandom(number), shape))
      const random = seededRandom(number)
      const { profile } = costs
      const shown = rootedSubtree(profile, () => random.below(2) === 1)
      const limits = [
        { model: exposureRisk(seed, costs), delta: 0.25 },
        { model: sessionRisk(seed, costs, shown), delta: 0.35 },
      ]
      const [top, tree, il] = [optimal(seed, limits), generaliseTree(seed, limits), greedyIl(seed, limits)]
      expect([tree.kept[0], il.kept[0]]).toEqual([top.kept[0], top.kept[0]])
      if (top.kept[0] === 0) continue
      const powers = [top, tree, il].map(({ kept }) => discriminatingPower(seed, kept))
      expect(powers[0]).toBeLessThanOrEqual(powers[1] + (tree.gap ?? Number.NaN) + 1e-9)
      expect(powers[1]).toBeGreaterThanOrEqual(powers[2] - 1e-12)
      best += powers[0]
      reached += powers[1]
    }
    expect(reached / best).toBeGreaterThan(0.99)
  })

  test("that is already above its δ exposes nothing more, and says so", () => {
    const { costs, relevant, seed, risk } = situationOf(smallWorld)
    const everything = markShown(costs, { paths: ["a/y", "b/z"] })
    expect(riskOfShown(costs, everything)).toBe(1)
    const decision = exposeProfile(costs, relevant, { delta: 1, session: { shown: everything, delta: 0.5 } })
    expect(decision).toMatchObject({ outcome: "over-session-delta", exposure: { paths: [] } })
    // What was seen before adds no risk when it is shown again.
    const again = generalisers.tree(seed, [
      { model: risk, delta: 1 },
      { model: sessionRisk(seed, costs, everything), delta: 1 },
    ])
    expect(again.kept).toEqual(new Uint8Array(seed.size).fill(1))
  })
})

describe("what goes with a query", () => {
  const { costs, relevant, taxonomy } = situationOf(smallWorld)

  test("is nothing if no topic of the query is in the profile", () => {
    const other = relevantTopics(taxonomy, [
      [taxonomy.find("c"), 1],
      [taxonomy.find("b"), 1],
    ])
    expect(
      exposeProfile(costs, relevantTopics(taxonomy, [[taxonomy.find("c"), 1]]), { delta: 1, mu: 2 }),
    ).toMatchObject({ outcome: "no-topic", exposure: { paths: [] } })
    // b is in the profile, above z
    expect(exposeProfile(costs, other, { delta: 1 }).seed?.size).toBe(2)
  })

  test("is nothing for a query that is distinct by itself: DP(q, R) ≥ μ (default 0.82)", () => {
    const single = relevantTopics(taxonomy, [[taxonomy.find("a/x"), 1]])
    expect(exposeProfile(costs, single, { delta: 1 })).toMatchObject({
      outcome: "distinct-query",
      powerWithoutProfile: 1,
      exposure: { paths: [] },
    })
    expect(exposeProfile(costs, single, { delta: 1, mu: 1.01, decision: "off" }).outcome).toBe("exposed")
  })

  test("is nothing if the best profile within δ is worth no more than none", () => {
    const tight = exposeProfile(costs, relevant, { delta: 0.3 })
    expect(tight).toMatchObject({ outcome: "no-gain", exposure: { paths: [] } })
    expect(tight.util).toBeCloseTo(0.5 / 5.5 - 1.125 / 5.75, 12)
    expect(exposeProfile(costs, relevant, { delta: 1 })).toMatchObject({ outcome: "exposed" })
    expect(exposeProfile(costs, relevant, { delta: 0.05 })).toMatchObject({ outcome: "over-delta" })
  })

  test("comes with a warning if the query itself is about a sensitive topic", () => {
    const paths = exposeProfile(costs, relevant, { delta: 1 }).sensitiveInQuery.map((topic) => taxonomy.path(topic))
    expect(paths).toEqual(["a/y", "b/z"])
    const above = relevantTopics(taxonomy, [[taxonomy.find("b"), 1]])
    expect(exposeProfile(costs, above, { delta: 1 }).sensitiveInQuery).toEqual([])
  })

  test("has paths and nothing else", () => {
    expect(exposeProfile(costs, relevant, { delta: 1 }).exposure).toEqual({
      paths: ["", "a", "a/x", "a/y", "b", "b/z"],
    })
  })
})
