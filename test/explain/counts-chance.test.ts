import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { SearchLog } from "#dist/log/search-log.js"
import type { Search } from "../support/aol-log.ts"
import { timeAfter } from "../support/aol-log.ts"
import { type Choice, explain, readRows, shownTexts, withUsers } from "./explained.ts"

/** 30 people. Three in five search for dogs, some of them twice, after some searches of their own. */
const rows = Array.from({ length: 30 }, (_, person): Search[] => {
  const search = (query: string, minute: number) => ({
    user: `${person}`,
    query,
    time: timeAfter(person * 3600 + minute * 60),
  })
  return [
    ...Array.from({ length: person % 4 }, (_, i) => search(["weather", "news", "maps"][i] ?? "", i)),
    ...(person % 5 < 3 ? [search("dog", 5)] : []),
    ...(person % 10 === 0 ? [search("dog", 6)] : []),
  ]
}).flat()

const draws = 600
/** Number of standard deviations. A correct probability is rejected in one of a million runs. */
const allowed = 4.9

const modes: [string, Choice][] = [
  ["approximate", { method: "counts", epsilon: "1.5", delta: "0.01", maxQueries: 3, minUsers: 3, split: "1,0,0" }],
  [
    "truncated noise",
    { method: "counts", epsilon: "1", delta: "0.01", maxQueries: 3, minUsers: 3, select: "optimal", split: "1,0,0" },
  ],
  [
    "several of one key",
    { method: "counts", epsilon: "3", delta: "0.01", maxQueries: 2, maxPerKey: 2, minUsers: 2, split: "1,0,0" },
  ],
  [
    "queries drawn at random",
    { method: "counts", epsilon: "1", delta: "0.01", maxQueries: 2, minUsers: 3, bound: "random", split: "1,0,0" },
  ],
  ["korolova", { method: "counts", mode: "korolova", epsilon: "2", delta: "0.01", firstQueries: 3 }],
  ["pure", { method: "counts", mode: "pure", epsilon: "2", pool: "dog\nhouse\n", threshold: 20, split: "1,0,0" }],
  [
    "paper",
    { method: "counts", mode: "paper", noiseScale: "4", cutoff: 16, firstQueries: 3, firstClicks: 3, scrub: "none" },
  ],
]

async function frequency(log: SearchLog, choice: Choice): Promise<number> {
  let shown = 0
  for (let seed = 1; seed <= draws; seed++) if ((await shownTexts(log, choice, seed)).has("dog")) shown++
  return shown / draws
}

const isLikely = (found: number, chance: number) =>
  Math.abs(found - chance) <= allowed * Math.sqrt((chance * (1 - chance)) / draws)

describe("the chance that explain counts gives", () => {
  test.each(modes)("is how often anonymize shows the query: %s", async (_name, choice) => {
    const log = await readRows(rows)
    const { chance } = await explain(log, choice, "dog")
    expect(chance.low).toBe(chance.high)
    expect([chance.low > 0.05, chance.low < 0.95]).toEqual([true, true])
    const found = await frequency(log, choice)
    expect(isLikely(found, chance.low), `${found} instead of ${chance.low}`).toBe(true)
  })

  test("would be refused if it were that of twice the ε", async () => {
    const log = await readRows(rows)
    const choice = { ...(modes[0]?.[1] ?? { method: "counts" }) }
    const other = await explain(log, { ...choice, epsilon: "3" }, "dog")
    expect(isLikely(await frequency(log, choice), other.chance.low)).toBe(false)
  })

  test("is 0 for a query that is not on the public list, or that too few users have", async () => {
    const log = await readRows(rows)
    const pure = { method: "counts", mode: "pure", epsilon: "2", pool: "house\n" }
    expect(await explain(log, pure, "dog")).toMatchObject({ verdict: "not released", changes: [] })
    const many = { method: "counts", epsilon: "8", delta: "0.01", minUsers: 50 }
    expect(await explain(log, many, "dog")).toMatchObject({ verdict: "not released" })
  })
})

describe("the changes that explain counts names", () => {
  test("reach the chance that they give, and a step less does not", async () => {
    const log = await readRows(rows)
    const choices = fc.record({
      mode: fc.constantFrom("approximate", "korolova", "pure", "paper"),
      epsilon: fc.constantFrom("0.5", "1", "3"),
      minUsers: fc.constantFrom(1, 5, 25),
      select: fc.constantFrom("laplace", "optimal"),
    })
    let tried = 0
    await fc.assert(
      fc.asyncProperty(choices, fc.constantFrom("dog", "weather", "maps"), async (given, query) => {
        const choice = choiceOf(given)
        const found = await explain(log, choice, query)
        for (const change of found.changes) {
          tried++
          const larger = change.users === undefined ? log : await readRows(withUsers(rows, query, change.users))
          const after = await explain(larger, { ...choice, ...change.options }, query)
          expect(after.chance.low).toBeCloseTo(change.chance.low, 12)
          expect(after.chance.low).toBeGreaterThanOrEqual(0.5)
          if (change.users === undefined) expect(change.options.chosenOnData).toBe(true)
          const target = after.chance.low >= 0.95 && change.price.includes("0.95") ? 0.95 : 0.5
          const fewer = change.users === undefined ? log : await readRows(withUsers(rows, query, change.users - 1))
          const less = await explain(fewer, { ...choice, ...stepDown(change.options) }, query)
          expect(less.chance.low, JSON.stringify({ choice, change })).toBeLessThan(target)
        }
      }),
      { numRuns: 20 },
    )
    expect(tried).toBeGreaterThan(10)
  })
})

function choiceOf(given: { mode: string; epsilon: string; minUsers: number; select: string }): Choice {
  const { mode, epsilon, minUsers, select } = given
  if (mode === "paper")
    return { method: "counts", mode, noiseScale: "4", cutoff: 60, firstQueries: 3, firstClicks: 3, scrub: "none" }
  if (mode === "korolova") return { method: "counts", mode, epsilon, delta: "1e-4" }
  if (mode === "pure") return { method: "counts", mode, epsilon, pool: "dog\nweather\nmaps\n", threshold: 60 }
  return { method: "counts", mode, epsilon, delta: "1e-4", minUsers, select }
}

/** One step less on the grid of a change: two digits of ε, one of δ, otherwise whole numbers. */
function stepDown(options: Record<string, string | number | boolean>): Record<string, string | number | boolean> {
  const lower = (value: string, digits: number) => {
    const [lead = "1", power = "0"] = Number(value)
      .toExponential(digits - 1)
      .split("e")
    const whole = Math.round(Number(lead) * 10 ** (digits - 1)) - 1
    const least = 10 ** (digits - 1)
    const scaled = whole < least ? [10 ** digits - 1, Number(power) - digits] : [whole, Number(power) - digits + 1]
    return String(Number(scaled.join("e")))
  }
  const { epsilon, delta, minUsers, cutoff, threshold, ...rest } = options
  return {
    ...rest,
    ...(epsilon !== undefined && { epsilon: lower(String(epsilon), 2) }),
    ...(delta !== undefined && { delta: lower(String(delta), 1) }),
    ...(minUsers !== undefined && { minUsers: Number(minUsers) + 1 }),
    ...(cutoff !== undefined && { cutoff: Number(cutoff) + 1 }),
    ...(threshold !== undefined && { threshold: Number(threshold) + 1 }),
  }
}
