import { describe, expect, test } from "vitest"
import { expectRefused } from "../support/expect-refused.ts"
import { runCli } from "../support/run-cli.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import type { Words } from "../support/synthetic-profiles.ts"
import { plainMetrics } from "./plain-metrics.ts"
import { smallWorld, twelveTopics } from "./small-world.ts"

const scratch = scratchFolder()

const tsv = (supports: Words["taxonomy"]) =>
  Object.entries(supports)
    .map(([path, support]) => `${path}\t${support}\t\n`)
    .join("")

function filesOf(words: Words, wrong: { profile?: string; topics?: string; sensitive?: string } = {}) {
  const taxonomy = scratch.write(tsv(words.taxonomy), "T.tsv")
  const profile = scratch.write(wrong.profile ?? JSON.stringify(words.profile), "P.json")
  const topics = scratch.write(wrong.topics ?? JSON.stringify(words.topics), "Q.json")
  const sensitive = scratch.write(wrong.sensitive ?? JSON.stringify(words.sensitive), "S.json")
  return ["--taxonomy", taxonomy, "--profile", profile, "--topics", topics, "--sensitive", sensitive]
}
const expose = (files: readonly string[], ...args: string[]) => runCli(["personal", "expose", ...files, ...args])

describe("queryveil personal expose", () => {
  test.each(["il", "dp", "optimal", "tree"])("answers with numbers that can be computed by hand: %s", async (name) => {
    const { stdout, code } = await expose(filesOf(twelveTopics), "--delta", "0.3", "--algorithm", name, "--json")
    expect(code).toBe(0)
    const { kept, dpWithoutProfile, steps, taken, exposed } = JSON.parse(stdout)
    const { seed, measure } = plainMetrics(twelveTopics)
    const left = new Set(seed)
    let last = measure(left)
    for (const [i, { pruned, ...metrics }] of steps.entries()) {
      expect(left.delete(pruned)).toBe(true)
      for (const [what, value] of Object.entries(measure(left)))
        expect(metrics[what], `${what} without ${pruned}`).toBeCloseTo(value, 9)
      if (i < taken) last = measure(left)
      if (i === taken - 1) expect(new Set(kept)).toEqual(new Set(left))
    }
    expect(exposed.DP).toBeCloseTo(last.DP, 9)
    expect(last.risk).toBeLessThanOrEqual(0.3)
    expect(dpWithoutProfile).toBeCloseTo(0.297139, 6)
  })

  test("reports that a profile is worth less than none, and shows it all the same", async () => {
    const files = filesOf(smallWorld)
    const { kept, util, outcome } = JSON.parse((await expose(files, "--delta", "0.3", "--json")).stdout)
    expect({ outcome, size: kept.length }).toEqual({ outcome: "exposed", size: 4 })
    expect(util).toBeCloseTo(0.5 / 5.5 - 1.125 / 5.75, 9)
    const { stdout, stderr } = await expose(files, "--delta", "0.3")
    expect(stdout).toContain("worth no more than sending none")
    expect(stderr).toContain("the query itself is about the sensitive topic b/z")
  })

  test("decides by μ and by the gain on request, with either denominator", async () => {
    const answer = async (...args: string[]) =>
      JSON.parse((await expose(filesOf(smallWorld), "--delta", "0.3", "--json", ...args)).stdout)
    // DP(q, R) is 1.125 / 5.75 = 0.196 by the query's topics, 1.125 / 5.5 = 0.205 by the profile's.
    const outcomes = [
      ["--decision", "gain"],
      ["--decision", "mu"],
      ["--decision", "mu", "--mu", "0.2"],
      ["--decision", "mu", "--mu", "0.2", "--denominator", "profile"],
      ["--mu", "0.1"],
    ].map(async (args) => (await answer(...args)).outcome)
    expect(await Promise.all(outcomes)).toEqual(["no-gain", "exposed", "exposed", "distinct-query", "exposed"])
    expect((await answer("--denominator", "profile")).dpWithoutProfile).toBeCloseTo(1.125 / 5.5, 9)
  })

  test("compares with forbidding, which has no bound and is never exposed", async () => {
    const answer = async (...args: string[]) =>
      JSON.parse((await expose(filesOf(smallWorld), "--delta", "0.2", "--json", ...args)).stdout)
    // Without a/y and b/z, a and b stay. Their costs are ¼ and ¾ of 4.
    const { kept, forbidding } = await answer()
    expect(forbidding).toMatchObject({ topics: 4, risk: 0.25 })
    expect(kept).not.toContain("b")
    expect((await answer("--forbid-above", "2")).forbidding).toMatchObject({ topics: 5, risk: 0.4375 }) // a/y stays
    const { stdout } = await expose(filesOf(smallWorld), "--delta", "0.2")
    expect(stdout).toContain("Forbidding alone would keep 4 topics: DP 0.0909, risk 0.2500, over the δ of 0.2.")
  })

  test("reads files with leaves only, in any order, with byte order marks", async () => {
    const lines = Object.entries(twelveTopics.taxonomy)
    const isParent = (path: string) => path === "" || lines.some(([other]) => other.startsWith(`${path}/`))
    const whole = lines.map(([path, support]) => [path, isParent(path) ? 0 : support] as const)
    const leaves = whole.filter(([path]) => !isParent(path)).reverse()
    const answer = async (taxonomy: typeof whole, profile = JSON.stringify(twelveTopics.profile)) => {
      const files = filesOf({ ...twelveTopics, taxonomy: Object.fromEntries(taxonomy) }, { profile })
      return JSON.parse((await expose(files, "--delta", "0.6", "--json")).stdout)
    }
    const told = await answer(whole)
    expect(told.kept.length).toBeGreaterThan(1)
    expect(await answer(leaves, `\uFEFF${JSON.stringify(twelveTopics.profile)}`)).toEqual(told)
  })

  test("says why nothing is exposed", async () => {
    const files = filesOf(smallWorld)
    const low = await expose(files, "--delta", "0.05")
    expect(low.stdout).toContain("Nothing is exposed: the root alone has a risk of 0.0781, over the δ of 0.05.")
    expect(JSON.parse((await expose(files, "--delta", "0.05", "--json")).stdout)).toMatchObject({
      kept: [],
      outcome: "over-delta",
      floor: 0.3125 / 4,
    })
    const elsewhere = await expose(filesOf({ ...smallWorld, topics: { c: 1 } }), "--delta", "1", "--json")
    expect(JSON.parse(elsewhere.stdout)).toMatchObject({
      kept: [],
      steps: [],
      outcome: "no-topic",
      dpWithoutProfile: 1,
    })
    const seen = scratch.write(JSON.stringify(["b/z"]))
    const session = ["--seen", seen, "--session-delta", "0.5", "--json"]
    expect(JSON.parse((await expose(filesOf(smallWorld), "--delta", "1", ...session)).stdout)).toMatchObject({
      kept: [],
      outcome: "over-session-delta",
    })
  })

  test("ignores a sensitive topic that is not in the profile, with a warning", async () => {
    const files = filesOf({ ...smallWorld, sensitive: { ...smallWorld.sensitive, c: 100 } })
    const { stdout, stderr } = await expose(files, "--delta", "0.3", "--json")
    expect(JSON.parse(stdout)).toMatchObject({ sensitiveNotInProfile: ["c"], floor: 0.3125 / 4 })
    expect(stderr).toContain("the sensitive topic c is not in the profile")
  })

  test("hides never-shown topics, bounds what was ever shown, and counts what the query tells", async () => {
    const answer = async (...args: string[]) =>
      JSON.parse((await expose(filesOf(smallWorld), "--delta", "1", "--json", ...args)).stdout)
    const all = await answer("--lifetime-delta", "1")
    expect(all.kept).toEqual(["", "a", "a/x", "a/y", "b", "b/z"])
    expect(all).toMatchObject({ lifetimeRisk: 1, queryRisk: 1 })
    const never = scratch.write(JSON.stringify(["a/y", "b"]))
    expect((await answer("--lifetime-delta", "1", "--never", never)).kept).toEqual(["", "a", "a/x"])
    expect((await answer()).lifetimeRisk).toBeLessThanOrEqual(0.3) // on by default
    const seen = scratch.write(JSON.stringify(["", "b", "b/z"]))
    expect(await answer("--ever-seen", seen, "--lifetime-delta", "0.5")).toMatchObject({
      outcome: "over-lifetime-delta",
    })
    expect(await answer("--lifetime-delta", "1", "--query-delta", "0.1")).toMatchObject({ outcome: "over-query-delta" })
  })

  test("reports no risk instead of 0 if nothing is sensitive, and warns if δ allows a topic in full", async () => {
    const none = filesOf({ ...smallWorld, sensitive: {} })
    const { stdout, stderr } = await expose(none, "--delta", "0.3", "--json")
    expect(JSON.parse(stdout)).toMatchObject({ floor: null, exposed: { risk: null }, lifetimeRisk: null, inFull: [] })
    expect(stderr).toContain("no risk is counted: nothing in the profile is marked sensitive")
    const text = (await expose(none, "--delta", "0.3")).stdout
    expect(text).toContain("no risk is counted: nothing in the profile is marked sensitive")
    expect(text).not.toMatch(/risk 0/)
    const full = await expose(filesOf({ ...smallWorld, sensitive: { "a/y": 1, "b/z": 9 } }), "--delta", "0.1")
    expect(full.stderr).toMatch(/each of these topics may be shown in full.* bound of 0\.1: a\/y \(0\.10\)/)
  })

  test("refuses wrong files, a δ out of range, and an incomplete session", async () => {
    const taxonomy = { ...smallWorld.taxonomy, "a/x": 0 }
    expectRefused(await expose(filesOf({ ...smallWorld, taxonomy }), "--delta", "0.3"), {
      code: 1,
      message: /Q\.json: The relevant topic a\/x has no support in the taxonomy/,
    })
    const wrong = { sensitive: '{"b/z": 1, "b": 1}' }
    expectRefused(await expose(filesOf(smallWorld, wrong), "--delta", "0.3"), {
      code: 1,
      message: /S\.json: The sensitive topics b and b\/z overlap/,
    })
    expectRefused(await expose(filesOf(smallWorld, { topics: "{a" }), "--delta", "0.3"), {
      code: 1,
      message: /Q\.json: is not JSON/,
    })
    expectRefused(await expose(filesOf(smallWorld, { profile: "{}" }), "--delta", "0.3"), {
      code: 1,
      message: /P\.json: the profile is empty/,
    })
    const files = filesOf(smallWorld)
    expectRefused(await expose(files, "--delta", "1.5"), { code: 2, message: /--delta 1\.5: expected a number/ })
    expectRefused(await expose(files, "--delta", "0.3", "--session-delta", "0.5"), {
      code: 2,
      message: /--seen and --session-delta need each other/,
    })
  })
})
