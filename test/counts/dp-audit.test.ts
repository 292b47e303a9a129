import { describe, expect, test } from "vitest"
import { type AuditedRun, auditRun } from "#dist/attacks/dp-audit/dp-audit.js"
import { attack } from "#dist/attacks/registry.js"
import { createContext } from "#dist/kernels/context.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { countsWith } from "#dist/methods/counts/counts.js"
import { type CountsParts, shippedParts } from "#dist/methods/counts/parts.js"
import type { Method } from "#dist/methods/method.js"
import { nameFindings } from "#dist/probes/score.js"
import { completeOptions, type OptionValues } from "#dist/release/anonymize.js"
import { aolText, timeAfter } from "../support/aol-log.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { releaseLog, townText } from "./busy-town.ts"

const { write } = scratchFolder()

const oneSearch = write(aolText([{ user: "1", query: "one", time: timeAfter(0) }]), "one.tsv")

/** ε = 1 and δ = 0.05 for the queries alone, one key per user. */
const small = { epsilon: "1", delta: "0.05", split: "1,0,0", maxQueries: 1, minUsers: 1 }

/** The result of an audit of the mechanism with some parts replaced: the bound on ε by scenario. */
async function audit(
  parts: Partial<CountsParts>,
  choices: OptionValues = {},
  { trials = 3000, table = "queries" }: { trials?: number; table?: string } = {},
) {
  const context = createContext({ workers: 1, seed: 8 })
  const method: Method = countsWith({ ...shippedParts, ...parts })
  const options = completeOptions(method, { ...small, ...choices })
  const run: AuditedRun = async (log, own) => {
    const made = await method.run(log, options, own)
    if (made.kind !== "tables") throw new Error("tables are expected")
    return made.tables
  }
  const { release } = await releaseLog(oneSearch, { ...small, ...choices })
  const { guarantee } = release.manifest
  const findings = await auditRun(run, { guarantee, table, gap: 1800, trials }, context)
  const scores = nameFindings({ name: "dp-audit" }, findings)
  return Object.fromEntries(scores.map(({ name, value }) => [name, value]))
}

const halfNoise: Partial<CountsParts> = {
  createNoise: (mechanism, random) => {
    const { numerator, denominator } = mechanism.scale
    return shippedParts.createNoise({ ...mechanism, scale: { numerator, denominator: denominator * 2n } }, random)
  },
}

/** The mechanism in the paper's order: what is rare in the raw log is left out before users are bounded. */
function withoutRare(log: SearchLog, least: number): SearchLog {
  const users = new Map<number, Set<number>>()
  for (const [row, query] of log.query.entries()) {
    users.set(query, (users.get(query) ?? new Set<number>()).add(log.user[row]))
  }
  const rows = [...log.query.keys()].filter((row) => (users.get(log.query[row])?.size ?? 0) >= least)
  const pick = <A extends Int32Array | Uint32Array | Uint16Array>(column: A) =>
    column.filter((_, row) => (users.get(log.query[row])?.size ?? 0) >= least) as A
  const { user, query, time, rank, url, event, line } = log
  return {
    ...log,
    rows: rows.length,
    user: pick(user),
    query: pick(query),
    time: pick(time),
    rank: pick(rank),
    url: pick(url),
    event: pick(event),
    line: pick(line),
  }
}

describe("an audit of the mechanism", () => {
  test.each<[string, OptionValues]>([
    ["one key a user", {}],
    ["several keys", { maxQueries: 4 }],
    ["several times a key", { maxPerKey: 3 }],
    ["users that a key needs", { minUsers: 4 }],
    ["truncated noise", { select: "optimal", minUsers: 2 }],
    ["a random choice", { bound: "random", maxQueries: 2, minUsers: 3 }],
  ])("does not refute its claim with %s (false alarm 5 %, fixed seed)", async (_how, choices) => {
    const found = await audit({}, choices, { trials: 800 })
    expect(found["dp-audit/queries"]).toBeLessThanOrEqual(1)
  })

  // ε = 3 and δ = 0.15 over three tables: each gets what the queries get above.
  const three = { epsilon: "3", delta: "0.15", split: "1,1,1", maxClicks: 2, maxTransitions: 2 }
  test.each(["clicks", "transitions"])(
    "does not refute its claim on %s, and refutes half the noise there",
    async (table) => {
      const claim = await audit({}, three, { table })
      expect(claim[`dp-audit/${table}`]).toBeLessThanOrEqual(1)
      const broken = await audit(halfNoise, three, { table, trials: 1600 })
      expect(broken[`dp-audit/${table}/shift`]).toBeGreaterThan(1)
    },
  )

  test.each(["clicks", "transitions"])("refutes %s that are not bounded", async (table) => {
    const loose = { most: 100, perKey: 100, choose: "first" } as const
    const broken = await audit(
      {
        countClicks: (log, _bound, ...rest) => shippedParts.countClicks(log, loose, ...rest),
        countTransitions: (log, _bound, ...rest) => shippedParts.countTransitions(log, loose, ...rest),
      },
      { ...three, minUsers: 4 },
      { table, trials: 400 },
    )
    expect(broken[`dp-audit/${table}/excess`]).toBeGreaterThan(1)
  })

  const korolova = { mode: "korolova", epsilon: "2", firstQueries: 2, firstClicks: 2 }
  test("does not refute the mechanism of Korolova et al., and refutes a quarter of its noise", async () => {
    const found = await audit({}, korolova, { trials: 1500 })
    expect(Object.keys(found)).toContain("dp-audit/queries/rare-together")
    expect(found["dp-audit/queries"]).toBeLessThanOrEqual(2)
    const quarter: Partial<CountsParts> = {
      createNoise: ({ scale: { numerator, denominator }, ...mechanism }, random) =>
        shippedParts.createNoise({ ...mechanism, scale: { numerator, denominator: denominator * 4n } }, random),
    }
    const broken = await audit(quarter, korolova, { trials: 3000 })
    expect(broken["dp-audit/queries"]).toBeGreaterThan(2)
  })

  test("comes near the claim, so that it would notice more", async () => {
    const { "dp-audit/queries": found } = await audit({}, {}, { trials: 5000 })
    expect(found).toBeGreaterThan(0.7)
    expect(found).toBeLessThanOrEqual(1)
  })

  test("refutes noise of half the scale", async () => {
    const found = await audit(halfNoise)
    expect(found["dp-audit/queries/shift"]).toBeGreaterThan(1)
  })

  test("refutes users who are counted twice", async () => {
    const found = await audit({
      countQueries: async (...given) => {
        const { users, total } = await shippedParts.countQueries(...given)
        return { users, total: total.map((count) => 2 * count) }
      },
    })
    expect(found["dp-audit/queries"]).toBeGreaterThan(1)
  })

  test.each([1, 4])("refutes a threshold less one, with at least %i users", async (minUsers) => {
    const found = await audit(
      {
        plan: (options) => {
          const plan = shippedParts.plan(options)
          const mechanisms = plan.mechanisms.map((one) => ({ ...one, threshold: Number(one.threshold) - 1 }))
          return { ...plan, mechanisms }
        },
      },
      { minUsers },
    )
    expect(found["dp-audit/queries/rare"]).toBeGreaterThan(1)
  })

  test("refutes a filter of rare queries before users are bounded", async () => {
    const found = await audit(
      { countQueries: (log, bound, context) => shippedParts.countQueries(withoutRare(log, 4), bound, context) },
      { minUsers: 4 },
    )
    expect(found["dp-audit/queries/filter"]).toBeGreaterThan(1)
  })
})

describe("the attack dp-audit", () => {
  test("audits the mechanism of a release with the release's own parameters", async () => {
    const { release, log, context } = await releaseLog(write(townText(), "town.tsv"), small)
    const [outcome] = await attack({ release, log }, { only: ["dp-audit"], values: { trials: 400 } }, context)
    const scores = outcome !== undefined && "scores" in outcome ? outcome.scores : []
    expect(scores.map(({ name }) => name)).toEqual([
      "dp-audit/queries",
      "dp-audit/refuted/queries",
      "dp-audit/queries/rare",
      "dp-audit/queries/shift",
      "dp-audit/queries/excess",
    ])
    for (const { score, value, baseline } of scores) {
      expect(value).toBeLessThanOrEqual(score === "refuted" ? 0 : 1)
      expect(baseline).toBe(score === "refuted" ? 0 : 1)
    }
  })

  test("audits public keys too, and says why it does not audit the paper's mode", async () => {
    const file = write(townText(), "town.tsv")
    const pool = { pool: "topic 1 cheap\t9", poolNgrams: 2, poolMinFrequency: 3, poolFrequencies: "add" }
    const pure = await releaseLog(file, { ...small, mode: "pure", delta: undefined, ...pool })
    const [outcome] = await attack(pure, { only: ["dp-audit"], values: { trials: 2000 } }, pure.context)
    const scores = outcome !== undefined && "scores" in outcome ? outcome.scores : []
    const shift = scores.find(({ name }) => name === "dp-audit/queries/shift")?.value ?? 0
    expect([shift > 0.3, shift <= 1]).toEqual([true, true]) // out of ε = 1: the keys are there to be counted
    const chosen = { mode: "korolova", split: "1,1,0", firstQueries: 2, firstClicks: 2, poolUrls: "http://a.example" }
    const korolova = await releaseLog(file, { ...small, ...chosen })
    const [clicks] = await attack(korolova, { only: ["dp-audit"], values: { trials: 100 } }, korolova.context)
    expect(clicks).toMatchObject({
      scores: expect.arrayContaining([expect.objectContaining({ name: "dp-audit/clicks/shift" })]),
    })
    const choices = { epsilon: undefined, delta: undefined, mode: "paper", firstQueries: 5, firstClicks: 5 }
    const paper = await releaseLog(file, { ...choices, noiseScale: "2", cutoff: 20 })
    expect(await attack(paper, { only: ["dp-audit"] }, paper.context)).toEqual([
      { probe: "dp-audit", skipped: "δ = 1 claims nothing that could be refuted" },
    ])
  })
})
