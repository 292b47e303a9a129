import { describe, expect, test } from "vitest"
import { sensitiveTopics } from "#dist/personal/cost-layer.js"
import { pathValues } from "#dist/personal/path-values.js"
import { isEmpty, profileFrom } from "#dist/personal/profile.js"
import { relevantTopics } from "#dist/personal/relevant-topics.js"
import { taxonomyOf } from "../support/synthetic-profiles.ts"
import { smallWorld } from "./small-world.ts"

const taxonomy = taxonomyOf(smallWorld.taxonomy)
const read = {
  profile: (value: unknown) => profileFrom(taxonomy, pathValues(taxonomy, value, { file: "P.json", what: "support" })),
  topics: (value: unknown) =>
    relevantTopics(taxonomy, pathValues(taxonomy, value, { file: "Q.json", what: "relevance" }), { file: "Q.json" }),
  sensitive: (value: unknown) => {
    const pairs = pathValues(taxonomy, value, { file: "S.json", what: "sensitivity", positive: true })
    return sensitiveTopics(taxonomy, pairs, { file: "S.json" })
  },
}

describe("topics in files", () => {
  test.each([
    ["a topic that is not in the taxonomy", "profile", { "a/q": 1 }, /P\.json: there is no topic "a\/q" in the tax/],
    ["a path with a slash before it", "profile", { "/a/x": 1 }, /P\.json: there is no topic "\/a\/x".* Similar: a\/x/],
    ["a negative support", "profile", { "a/x": -1 }, /P\.json: the support of "a\/x" is -1: expected 0 or more/],
    ["a support that is text", "profile", { "a/x": "1" }, /P\.json: the support of "a\/x" is "1"/],
    ["a list", "topics", ["a/x"], /Q\.json: expected an object of the form/],
    ["nothing", "topics", null, /Q\.json: expected an object of the form/],
    ["an invalid relevance", "topics", { "a/x": null }, /Q\.json: the relevance of "a\/x" is null/],
    ["overlapping topics", "topics", { "a/x": 1, a: 1 }, /Q\.json: The relevant topics a and a\/x overlap/],
    ["the root and another topic", "topics", { "": 1, c: 1 }, /Q\.json: The relevant topics \(root\) and c overlap/],
    ["overlapping sensitive topics", "sensitive", { "b/z": 1, b: 1 }, /S\.json: The sensitive topics b and b\/z ov/],
    ["a sensitivity of 0", "sensitive", { "b/z": 0 }, /S\.json: the sensitivity of "b\/z" is 0: expected a number ab/],
    ["a negative sensitivity", "sensitive", { "b/z": -2 }, /S\.json: the sensitivity of "b\/z" is -2/],
    ["an infinite sensitivity", "sensitive", { "b/z": Number.POSITIVE_INFINITY }, /S\.json: the sensitivity of "b\/z"/],
    ["an unknown sensitive topic", "sensitive", { "b/q": 1 }, /S\.json: there is no topic "b\/q"/],
  ] as const)("are refused with the file and the topic: %s", (_, file, value, message) => {
    expect(() => read[file](value)).toThrow(expect.objectContaining({ code: "topics-broken" }))
    expect(() => read[file](value)).toThrow(message)
  })

  test("are refused from code too, where there is no file", () => {
    const a = taxonomy.find("a")
    expect(() => sensitiveTopics(taxonomy, [[a, Number.NaN]])).toThrow(/sensitivity of a is NaN/)
    expect(() =>
      sensitiveTopics(taxonomy, [
        [a, 1],
        [a, 2],
      ]),
    ).toThrow(/a is given twice/)
    expect(() => relevantTopics(taxonomy, [[a, -1]])).toThrow(/relevance of a is -1/)
    expect(() => profileFrom(taxonomy, [[a, Number.NaN]])).toThrow(/support of a must be a number/)
  })

  test("may have a sensitivity above 1, and a relevance or support of 0", () => {
    expect([...read.sensitive({ "b/z": 100 }).sensitivity]).toEqual([100])
    expect([...read.topics({ "a/x": 0, "a/y": 2, c: 6 }).probability]).toEqual([0.25, 0.75])
    expect(isEmpty(read.profile({ "a/x": 0 }))).toBe(true)
  })

  test("add up their supports in the tree: their own and those of their children", () => {
    const { support, own, size, topic } = read.profile({ a: 5, "a/x": 2, "b/z": 1 })
    expect(Array.from(topic, (id) => taxonomy.path(id))).toEqual(["", "a", "a/x", "b", "b/z"])
    expect([size, [...own], [...support]]).toEqual([5, [0, 5, 2, 0, 1], [8, 7, 2, 1, 1]])
  })
})
