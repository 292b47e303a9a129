import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { anonymize } from "#dist/release/anonymize.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()
/** Groups with their own users and queries, so that one run of the method counts as many. */
const groups = 100
const runs = 40 * groups
const [epsilon, delta, l0, p] = [2, 0.1, 2, 2]
const deltaOfKey = 1 - (1 - delta) ** (1 / l0)
const a = Math.exp(-epsilon / l0)

interface Noise {
  threshold: number
  /** P(X = −reach) … P(X = reach). */
  chances: number[]
  reach: number
}

/** Computed by sums over all outcomes, not by the formulas of the method. */
function noiseOf(reach: number): Omit<Noise, "threshold"> {
  const weights = Array.from({ length: 2 * reach + 1 }, (_, i) => a ** Math.abs(i - reach))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  return { reach, chances: weights.map((weight) => weight / all) }
}

function laplaceByHand(): Noise {
  const noise = noiseOf(60)
  const atLeast = (m: number) => noise.chances.slice(60 + m).reduce((sum, chance) => sum + chance, 0)
  let m = 0
  while (atLeast(m) > deltaOfKey) m++
  return { ...noise, threshold: 1 + m + (p - 1) }
}

function truncatedByHand(): Noise {
  let k = 0
  while ((noiseOf(k).chances[0] ?? 1) > deltaOfKey) k++
  return { ...noiseOf(k), threshold: k + 1 + (p - 1) }
}

/** The probability of everything that may be shown of one key of n users: a count, or "-". */
function shownOf(n: number, { threshold, chances, reach }: Noise): Map<string, number> {
  const shown = new Map<string, number>()
  for (const [i, chance] of n < p ? [] : chances.entries()) {
    const value = n + i - reach
    const key = value >= threshold ? `${value}` : "-"
    shown.set(key, (shown.get(key) ?? 0) + chance)
  }
  return n < p ? new Map([["-", 1]]) : shown
}

/** The probabilities of all tables of keys with these numbers of users. */
function tablesOf(users: readonly number[], noise: Noise): Map<string, number> {
  let tables = new Map([["", 1]])
  for (const n of users) {
    const more = [...tables].flatMap(([table, chance]) =>
      [...shownOf(n, noise)].map(([shown, own]): [string, number] => [`${table} ${shown}`, chance * own]),
    )
    tables = new Map(more)
  }
  return tables
}

function divergence(given: Map<string, number>, without: Map<string, number>): number {
  let sum = 0
  for (const [table, chance] of given) sum += Math.max(0, chance - Math.exp(epsilon) * (without.get(table) ?? 0))
  return sum
}

/** How many standard deviations χ² is above its mean. Tables with fewer than 8 expected runs form one cell. */
function misfit(observed: Map<string, number>, expected: Map<string, number>): number {
  let [chi, cells, rare] = [0, 0, 0]
  let left = runs
  for (const [table, chance] of expected) {
    const mean = chance * runs
    if (mean < 8) {
      rare += mean
      continue
    }
    const count = observed.get(table) ?? 0
    chi += (count - mean) ** 2 / mean
    left -= count
    cells++
  }
  chi += (left - rare) ** 2 / Math.max(rare, 1e-9)
  return (chi - cells) / Math.sqrt(2 * cells)
}

const queries = ["xray", "yard", "zeta"]

/**
 * Users of the three queries of each group. With `withUser`, each group has one more, whose third query does not count.
 */
function town(threshold: number, withUser: boolean): { searches: Search[]; users: number[] } {
  const others = [threshold - 1, p - 1, 8]
  const group = (number: number): Search[] => {
    const search = (user: string, query: string, at: number): Search => ({
      user: `${user} ${number}`,
      query: `${query} ${number}`,
      time: timeAfter(at),
    })
    const own = withUser ? queries.map((query, i) => search("one more", query, i)) : []
    const theirs = queries.flatMap((query, i) =>
      Array.from({ length: others[i] ?? 0 }, (_, user) => search(`${query} ${user}`, query, user)),
    )
    return [...own, ...theirs]
  }
  return {
    searches: Array.from({ length: groups }, (_, number) => group(number)).flat(),
    users: withUser ? others.map((n, i) => (i < l0 ? n + 1 : n)) : others,
  }
}

async function observe(searches: readonly Search[], select: "laplace" | "optimal"): Promise<Map<string, number>> {
  const context = createContext({ workers: 1, seed: 19 })
  const { log } = await readLog(write(aolText(searches), "log.tsv"), {}, context)
  const observed = new Map<string, number>()
  const spend = { epsilon: `${epsilon}`, delta: `${delta}`, split: "1,0,0", maxQueries: l0, minUsers: p }
  for (let run = 0; run < runs; run += groups) {
    const { tables } = await anonymize(log, { method: "counts" as const, ...spend, select, scrub: "none" }, context)
    const shown = new Map<string, number>()
    const [texts, counts] = tables.queries?.columns ?? []
    if (texts === undefined || counts === undefined || !("ids" in texts) || !("values" in counts))
      throw new Error("no table")
    for (const [row, id] of texts.ids.entries()) shown.set(texts.texts.text(id), counts.values[row] ?? 0)
    for (let number = 0; number < groups; number++) {
      const table = queries.map((query) => ` ${shown.get(`${query} ${number}`) ?? "-"}`).join("")
      observed.set(table, (observed.get(table) ?? 0) + 1)
    }
  }
  return observed
}

describe.each([
  ["laplace" as const, laplaceByHand()],
  ["optimal" as const, truncatedByHand()],
])("what is released of a small log, --select %s", (select, noise) => {
  const [given, without] = [town(noise.threshold, true), town(noise.threshold, false)]

  test("has the proved distribution, with and without a user (6 standard deviations: false alarm < 10⁻⁴)", async () => {
    for (const { searches, users } of [given, without]) {
      const observed = await observe(searches, select)
      expect(misfit(observed, tablesOf(users, noise))).toBeLessThan(6)
      // Another threshold, or one more user, would not fit.
      expect(misfit(observed, tablesOf(users, { ...noise, threshold: noise.threshold - 1 }))).toBeGreaterThan(6)
      expect(misfit(observed, tablesOf([(users[0] ?? 0) + 1, ...users.slice(1)], noise))).toBeGreaterThan(6)
    }
  })

  test("keeps ε and δ exactly, over all counts of both keys, whatever others did", () => {
    for (let x = 0; x <= noise.threshold + 3; x++) {
      for (let y = 0; y <= x; y++) {
        const [more, less] = [tablesOf([x + 1, y + 1], noise), tablesOf([x, y], noise)]
        expect(divergence(more, less)).toBeLessThanOrEqual(delta)
        expect(divergence(less, more)).toBeLessThanOrEqual(delta + 1e-12)
      }
    }
  })
})
