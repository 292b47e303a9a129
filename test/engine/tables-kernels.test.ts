import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { findKernel } from "#dist/engine/kernels/registry.js"
import { createContext } from "#dist/kernels/context.js"
import { laplaceProbability } from "#dist/kernels/noise/laplace-distribution.js"
import { chiSquareTest } from "#dist/kernels/statistics/chi-square.js"
import type { JsonObject } from "#dist/log/formats/json-record.js"
import { readLog } from "#dist/log/read-log.js"
import { BoundBatches, type BoundedKey } from "#dist/methods/counts/bound-batches.js"
import { counts } from "#dist/methods/counts/counts.js"
import { type CountsOptions, tableNames } from "#dist/methods/counts/options.js"
import { planApproximate } from "#dist/methods/counts/plan-mechanisms.js"
import { completeOptions } from "#dist/release/anonymize.js"
import { openLogTopics } from "#dist/taxonomy/classify/log-topics.js"
import { countBounded, keyName } from "#dist/verify/dp-counts.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()
const seeded = (seed: number) => createContext({ workers: 1, seed })

const optionsOf = (given: Partial<CountsOptions>) => {
  const { scrub: _, ...options } = completeOptions(counts, { epsilon: "4", delta: "1e-6", ...given })
  return options as unknown as CountsOptions
}

async function runKernel(name: string, options: JsonObject, documents: readonly object[], seed = 1) {
  const run = await (await findKernel(name)).start(options, seeded(seed))
  const out: object[] = []
  for (let from = 0; from < documents.length; from += 7)
    out.push(...(await run.take(documents.slice(from, from + 7) as JsonObject[])))
  return [...out, ...((await run.finish?.()) ?? [])] as Record<string, unknown>[]
}

/** The rows as an engine sorts them: by user, time, text and url. */
const sortedRows = (searches: readonly Search[]) =>
  searches
    .map(({ user, query, time, url }) => {
      return { u: user, q: query, t: Date.parse(`${time.replace(" ", "T")}Z`) / 1000, ...(url && { l: url }) }
    })
    .sort((a, b) => {
      const [x, y] = [a, b].map(({ u, q, t, l = "" }) => [u, String(t).padStart(12), q, l].join("\t"))
      return Buffer.compare(Buffer.from(x ?? ""), Buffer.from(y ?? ""))
    })

const searches: fc.Arbitrary<Search[]> = fc
  .uniqueArray(
    fc.record({
      user: fc.integer({ min: 1, max: 6 }).map((user) => `user ${user}`),
      query: fc.constantFrom("a", "b", "ü", "c c", "😀"),
      time: fc.integer({ min: 0, max: 40 }).map((step) => timeAfter(step * 300)),
      url: fc.constantFrom(undefined, "http://a.example", "http://b.example"),
    }),
    { minLength: 1, maxLength: 60, selector: (search) => Object.values(search).join("\t") },
  )
  .map((found) => found.map(({ url, ...search }): Search => (url === undefined ? search : { ...search, url, rank: 1 })))

const chosen = fc.record({
  maxQueries: fc.integer({ min: 1, max: 4 }),
  maxClicks: fc.integer({ min: 1, max: 4 }),
  maxTransitions: fc.integer({ min: 1, max: 4 }),
  maxPerKey: fc.integer({ min: 1, max: 3 }),
  sessionGap: fc.constantFrom(10, 30),
  repeats: fc.constantFrom("drop", "keep"),
})

const textOf = ({ table, first, second }: Pick<BoundedKey, "table" | "first" | "second">) =>
  [table, first, second].join("\t")

/** Adds up the keys of all batches. */
function sumKeys(keys: readonly BoundedKey[]): Record<string, [users: number, total: number]> {
  const sums: Record<string, [number, number]> = {}
  for (const key of keys) {
    const [users, total] = sums[textOf(key)] ?? [0, 0]
    sums[textOf(key)] = [users + key.users, total + key.total]
  }
  return sums
}

const boundedKeys = (documents: readonly Record<string, unknown>[]) =>
  documents.map(({ g, a, b, u, n }): BoundedKey => {
    const table = tableNames[Number(g)] ?? "queries"
    return { table, first: String(a), second: String(b), users: Number(u), total: Number(n) }
  })

/** The bounded counts of all keys of a log, counted as the verifier counts. */
async function countAll(given: readonly Search[], options: CountsOptions) {
  const { log } = await readLog(write(aolText(given), "log.tsv"), {}, seeded(1))
  const sums: Record<string, [number, number]> = {}
  for (const { table, l0, perKey } of planApproximate(options).mechanisms) {
    const seconds = table === "clicks" ? log.urls : log.queries
    const pairs = Array.from({ length: log.queries.size }, (_, a) =>
      table === "queries" ? [[a, 0] as const] : Array.from({ length: seconds.size }, (_, b) => [a, b] as const),
    ).flat()
    const wanted = pairs.map(([a, b]) => keyName(a, b))
    // A cluster's rows have no lines to order searches of one second by.
    const counted = countBounded(log, { ...options, table, l0, perKey, wanted, within: "text" })
    for (const [a, b] of pairs) {
      const { users, total } = counted.get(keyName(a, b)) ?? { users: 0, total: 0 }
      const key = { table, first: log.queries.text(a), second: table === "queries" ? "" : seconds.text(b) }
      if (users > 0) sums[textOf(key)] = [users, total]
    }
  }
  return sums
}

describe("the kernel that bounds users", () => {
  test("adds up to the bounded counts of the whole log", async () => {
    await fc.assert(
      fc.asyncProperty(searches, chosen, async (given, bounds) => {
        const options = optionsOf(bounds as Partial<CountsOptions>)
        const found = boundedKeys(await runKernel("bound", { counts: { ...options } }, sortedRows(given)))
        expect(sumKeys(found)).toEqual(await countAll(given, options))
      }),
      { numRuns: 40, seed: 6 },
    )
  })

  test("stops at rows that are not sorted, because a user would count twice", async () => {
    const rows = ["a", "b", "a"].map((u) => ({ u, q: "x", t: 1 }))
    const late = [2, 1].map((t) => ({ u: "a", q: "x", t }))
    for (const given of [rows, late])
      await expect(runKernel("bound", { counts: { ...optionsOf({}) } }, given)).rejects.toMatchObject({
        code: "kernel-input",
      })
  })

  test("gives the same sums in batches of whole users", async () => {
    await fc.assert(
      fc.asyncProperty(searches, fc.integer({ min: 1, max: 20 }), async (given, size) => {
        const options = optionsOf({ maxQueries: 2 })
        const settings = { options, plan: planApproximate(options), secret: undefined }
        const batches = new BoundBatches(settings, { context: seeded(1), size })
        const found: BoundedKey[] = []
        for (const { u: user, q: query, t: time, l: url } of sortedRows(given)) {
          const row = { user, query, time, ...(url !== undefined && { url }) }
          if (batches.isDue(row)) found.push(...(await batches.flush()))
          batches.add(row)
        }
        found.push(...(await batches.flush()))
        expect(sumKeys(found)).toEqual(await countAll(given, options))
      }),
      { numRuns: 40, seed: 8 },
    )
  })

  test("chooses the same random keys of a user when it is run again, and others under another secret", async () => {
    const rows = Array.from({ length: 400 }, (_, i) => {
      return { u: `user ${String(Math.floor(i / 20)).padStart(2, "0")}`, q: `query ${i % 20}`, t: i * 7200 }
    })
    const counts = { ...optionsOf({ bound: "random", maxQueries: 3 }) }
    const under = (secret: string, seed: number) =>
      runKernel(
        "bound",
        { counts },
        rows.map((row) => ({ ...row, k: secret })),
        seed,
      )
    const [one, other] = ["a".repeat(64), "b".repeat(64)]
    expect(await under(one, 1)).toEqual(await under(one, 2))
    expect(await under(one, 1)).not.toEqual(await under(other, 1))
    const kept = boundedKeys(await under(one, 1)).filter(({ table }) => table === "queries")
    expect(kept.reduce((sum, { users }) => sum + users, 0)).toBe(20 * 3)
    await expect(runKernel("bound", { counts }, rows)).rejects.toMatchObject({ code: "kernel-input" })
  })
})

describe("the kernel that draws noise", () => {
  const options = optionsOf({ epsilon: "1", delta: "1e-6", minUsers: 5, maxQueries: 1 })
  const [mechanism] = planApproximate(options).mechanisms
  const { scale, threshold = 0 } = mechanism ?? { scale: { numerator: 1n, denominator: 1n } }
  const width = Number(scale.numerator) / Number(scale.denominator)
  const high = threshold + 200 // so far above the threshold that every key is shown
  const keys = Array.from({ length: 20_000 }, (_, i) => ({ g: 0, a: `query ${i}`, b: "", u: 9, n: high }))

  /** The p-value of noise being discrete Laplace of the stated scale. */
  function pValueOf(noise: readonly number[], stated: number): number {
    const cut = Math.ceil(stated * 2)
    const observed = new Float64Array(2 * cut + 3)
    for (const x of noise) observed[Math.max(-cut - 1, Math.min(cut + 1, x)) + cut + 1] += 1
    const expected = Array.from(observed, (_, i) => laplaceProbability(i - cut - 1, stated))
    const inner = expected.slice(1, -1).reduce((sum, one) => sum + one, 0)
    expected[0] = (1 - inner) / 2
    expected[expected.length - 1] = (1 - inner) / 2
    return chiSquareTest(
      observed,
      Float64Array.from(expected, (share) => share * noise.length),
    ).p
  }

  // The seed is fixed. With random seeds, an honest kernel would fail once in 10,000 runs.
  test("draws the noise that the ledger states", async () => {
    const shown = await runKernel("noise", { counts: { ...options } }, keys, 5)
    expect(shown.map(({ a }) => a)).toEqual(keys.map(({ a }) => a))
    const noise = shown.map(({ v }) => Number(v) - high)
    expect(pValueOf(noise, width)).toBeGreaterThan(1e-4)
  })

  test("would be caught with noise of half the scale", async () => {
    const half = optionsOf({ epsilon: "2", delta: "1e-6", minUsers: 5, maxQueries: 1 })
    const shown = await runKernel("noise", { counts: { ...half } }, keys, 5)
    expect(
      pValueOf(
        shown.map(({ v }) => Number(v) - high),
        width,
      ),
    ).toBeLessThan(1e-4)
  })

  test("shows no key under its threshold, and no key of too few users", async () => {
    const low = keys.map((key, i) => ({ ...key, n: threshold - 1 + (i % 3), u: i % 2 === 0 ? 4 : 5 }))
    const shown = await runKernel("noise", { counts: { ...options } }, low, 6)
    expect(shown.length).toBeGreaterThan(100)
    expect(shown.length).toBeLessThan(low.length / 2)
    const places = shown.map(({ a }) => Number(String(a).slice(6)))
    expect(places.filter((place) => place % 2 === 0)).toEqual([])
    expect(Math.min(...shown.map(({ v }) => Number(v)))).toBe(threshold)
  })
})

describe("the kernel that finds topics", () => {
  test("finds those of the single process", async () => {
    const queries = ["flu symptoms", "train fares", "zzqx", "migraine", "pizza", "new york hotels", "guitar chords"]
    const given = queries.map((query, i): Search => ({ user: "1", query, time: timeAfter(i) }))
    const { log } = await readLog(write(aolText(given), "log.tsv"), {}, seeded(1))
    const { topicOf } = await openLogTopics(log, { taxonomy: "wordnet" }, seeded(1))
    const found = await runKernel(
      "topics",
      {},
      queries.map((q) => ({ q })),
    )
    const expected = queries.map((q) => ({ q, c: topicOf[log.queries.find(q)] })).filter(({ c = -1 }) => c >= 0)
    expect(expected.length).toBeGreaterThan(3)
    expect(found.sort((a, b) => (String(a.q) < String(b.q) ? -1 : 1))).toEqual(
      expected.sort((a, b) => (a.q < b.q ? -1 : 1)),
    )
  })
})
