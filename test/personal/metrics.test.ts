import { describe, expect, test } from "vitest"
import type { Kept } from "#dist/personal/exposure.js"
import {
  discriminatingPower,
  powerWithoutProfile,
  profileGranularity,
  topicSimilarity,
} from "#dist/personal/metrics.js"
import { relevantTopics } from "#dist/personal/relevant-topics.js"
import { riskOf } from "#dist/personal/risk.js"
import { nodeOf } from "#dist/personal/topic-tree.js"
import { type Situation, situationOf } from "../support/synthetic-profiles.ts"
import { smallWorld } from "./small-world.ts"

const world = situationOf(smallWorld)

/** The rooted subtree of these paths. */
function keeping({ seed, taxonomy }: Situation, paths: readonly string[]): Kept {
  const kept = new Uint8Array(seed.size)
  for (const path of ["", ...paths]) kept[nodeOf(seed, taxonomy.find(path))] = 1
  return kept
}
const kept = (...paths: string[]) => keeping(world, paths)
const all = kept("a", "a/x", "a/y", "b", "b/z")

describe("profile granularity, by hand", () => {
  test.each([
    // x ½·log2(½ : ¼) = ½, y ¼·log2(¼ : ⅛) = ¼, z ¼·log2(¼ : 1/16) = ½
    ["the whole seed", all, 1.25],
    // y is in the shadow of a: preference ¼, probability (32 − 16) / 64 = ¼, so it adds nothing: ½ + 0 + ½
    ["without y", kept("a", "a/x", "b", "b/z"), 1],
    // the shadow of a: preference ½, probability (32 − 8) / 64 = ⅜: ½·log2(4/3) + ¼ + ½
    ["without x", kept("a", "a/y", "b", "b/z"), 0.5 * Math.log2(4 / 3) + 0.75],
    // a is a leaf, not a shadow: ¾·log2(¾ : ½) + ½
    ["without x and y", kept("a", "b", "b/z"), 0.75 * Math.log2(1.5) + 0.5],
    // b is a leaf: ¼·log2(¼ : ¼) = 0
    ["without z", kept("a", "a/x", "a/y", "b"), 0.75],
    // b is in the shadow of the root: preference ¼, probability (64 − 32) / 64 = ½: ½ + ¼ − ¼
    ["without b", kept("a", "a/x", "a/y"), 0.5],
    ["the root alone", kept(), 0],
  ])("of %s", (_, part, bits) => {
    expect(profileGranularity(world.seed, part)).toBeCloseTo(bits, 14)
  })
})

describe("topic similarity", () => {
  test("is the information content of what all leaves share", () => {
    expect(topicSimilarity(world.seed, all)).toBe(0)
    const { seed, ...rest } = situationOf({ ...smallWorld, topics: { "a/x": 1, "a/y": 1 } })
    const within = (...paths: string[]) => topicSimilarity(seed, keeping({ seed, ...rest }, paths))
    expect(within("a", "a/x", "a/y")).toBe(1) // a
    expect(within("a", "a/x")).toBe(1) // still a: the shadow of a is a leaf next to x
    expect(within("a")).toBe(1) // a is the only leaf
    expect(within()).toBe(0)
  })

  test("of a single leaf is its own content, and after pruning the parent's", () => {
    const single = situationOf({ ...smallWorld, topics: { "a/x": 1 } })
    expect(topicSimilarity(single.seed, keeping(single, ["a", "a/x"]))).toBe(2)
    expect(topicSimilarity(single.seed, keeping(single, ["a"]))).toBe(1)
    // DP is 1 for the leaf: (IC + IC) / 2·IC, and (1 + 1) / (2 · 2) above it.
    expect(discriminatingPower(single.seed, keeping(single, ["a", "a/x"]))).toBe(1)
    expect(discriminatingPower(single.seed, keeping(single, ["a"]))).toBe(0.5)
  })
})

describe("discriminating power", () => {
  test("divides by twice the expected content of the seed's leaves", () => {
    // ½·2 + ¼·3 + ¼·4 = 2.75
    expect(discriminatingPower(world.seed, all)).toBeCloseTo(1.25 / 5.5, 14)
    expect(discriminatingPower(world.seed, kept("a", "a/x", "a/y"))).toBeCloseTo(0.5 / 5.5, 14)
    expect(discriminatingPower(world.seed, kept())).toBe(0)
  })

  test("without a profile is that of the query's own topics, divided by their expected content", () => {
    // PG: x ¼·log2(¼ : ¼) = 0, y ⅛·log2(⅛ : ⅛) = 0, z ⅛·log2(⅛ : 1/16) = ⅛, c ½·log2(½ : ⅛) = 1. TS 0.
    // Expected content: ¼·2 + ⅛·3 + ⅛·4 + ½·3 = 2.875.
    expect(powerWithoutProfile(world.taxonomy, world.relevant)).toBeCloseTo(1.125 / 5.75, 14)
    const one = relevantTopics(world.taxonomy, [[world.taxonomy.find("a/x"), 7]])
    expect(powerWithoutProfile(world.taxonomy, one)).toBe(1)
    // x and y share a: PG ½·log2(½ : ¼) + ½·log2(½ : ⅛) = 1.5, TS 1, divided by 2·(½·2 + ½·3).
    const two = relevantTopics(world.taxonomy, [
      [world.taxonomy.find("a/x"), 1],
      [world.taxonomy.find("a/y"), 1],
    ])
    expect(powerWithoutProfile(world.taxonomy, two)).toBe(0.5)
    expect(powerWithoutProfile(world.taxonomy, relevantTopics(world.taxonomy, []))).toBe(0)
  })

  test("without a profile, divided as with one, is eq. 12 to the letter", () => {
    const { taxonomy, relevant, seed } = world
    expect(powerWithoutProfile(taxonomy, relevant, { seed })).toBeCloseTo(1.125 / 5.5, 14) // divided as DP(q, G) above
  })
})

describe("cost and risk, by hand", () => {
  test("costs add up in the tree, weighted by the public probability of each child", () => {
    // a: 1·8/32, b: 3·4/16, root: ¼·32/64 + ¾·16/64
    const { seed, costs } = world
    const cost = (path: string) => costs.cost[nodeOf(seed.profile, seed.taxonomy.find(path))]
    expect(["a/x", "a/y", "a", "b/z", "b", ""].map(cost)).toEqual([0, 1, 0.25, 3, 0.75, 0.3125])
    expect(costs.total).toBe(4)
  })

  test.each([
    ["everything: both sensitive topics", all, 1],
    ["without y: cost of a, though x has none", kept("a", "a/x", "b", "b/z"), 3.25 / 4],
    ["without y and z: cost of a and b", kept("a", "a/x", "b"), 0.25],
    ["without b: the root costs more than a", kept("a", "a/x"), 0.3125 / 4],
    ["the root alone: the floor", kept(), 0.3125 / 4],
  ])("risk of %s", (_, part, risk) => {
    expect(riskOf(world.seed, world.risk, part)).toBe(risk)
  })

  test("topics below a sensitive topic add no risk", () => {
    const { seed, risk } = situationOf({ ...smallWorld, sensitive: { a: 2, "b/z": 6 } })
    expect(riskOf(seed, risk, new Uint8Array(seed.size).fill(1))).toBe(1)
    expect(risk.cost[nodeOf(seed, seed.taxonomy.find("a/y"))]).toBe(0)
  })

  test("nothing is at risk if nothing is sensitive", () => {
    const { seed, risk } = situationOf({ ...smallWorld, sensitive: {} })
    expect(riskOf(seed, risk, new Uint8Array(seed.size).fill(1))).toBe(0)
  })
})
