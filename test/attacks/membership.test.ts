import { beforeAll, describe, expect, test } from "vitest"
import { guessMembers } from "#dist/attacks/membership/membership.js"
import { attack } from "#dist/attacks/registry.js"
import { createContext } from "#dist/kernels/context.js"
import { seededRandom } from "#dist/kernels/random.js"
import { countsWith } from "#dist/methods/counts/counts.js"
import { type CountsParts, shippedParts } from "#dist/methods/counts/parts.js"
import type { Method } from "#dist/methods/method.js"
import { nameFindings, type Score } from "#dist/probes/score.js"
import { anonymize, completeOptions, type OptionValues } from "#dist/release/anonymize.js"
import { openDraft } from "#dist/release/read-release.js"
import { releaseLog } from "../counts/busy-town.ts"
import { aolText, type Search, smallTown, timeAfter } from "../support/aol-log.ts"
import { draftOf, reasonsOf } from "../support/drafts.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { synthLog } from "../support/synth-log.ts"

const { at, write } = scratchFolder()

/** People with this many different searches each, from this many texts. */
function people({ count, searches, texts }: { count: number; searches: number; texts: number }): Search[] {
  const random = seededRandom(5)
  return Array.from({ length: count }, (_, person): Search[] => {
    const own = new Set<number>()
    while (own.size < searches) own.add(random.below(texts))
    return [...own].map((text, i) => ({ user: `${person}`, query: `text ${text}`, time: timeAfter(i * 60) }))
  }).flat()
}

/** What the attack finds if parts of the mechanism are replaced while the manifest describes the sound mechanism. */
async function guess(file: string, choices: OptionValues, parts: Partial<CountsParts> = {}) {
  const { release, log } = await releaseLog(file, choices)
  const method: Method = countsWith({ ...shippedParts, ...parts })
  const options = completeOptions(method, choices)
  const findings = await guessMembers(
    async (some, own) => {
      const made = await method.run(some, options, own)
      const draft = await anonymize(some, { ...choices, method: "counts" as const }, own)
      return openDraft(made.kind === "tables" ? { ...draft, tables: made.tables } : draft)
    },
    { release, log, members: 1000 },
    createContext({ workers: 1, seed: 7 }),
  )
  const scores = nameFindings({ name: "membership" }, findings)
  return Object.fromEntries(scores.map((score) => [score.name, score]))
}

const noiseOver = (divisor: bigint): Partial<CountsParts> => ({
  createNoise: (mechanism, random) => {
    const { numerator, denominator } = mechanism.scale
    return shippedParts.createNoise({ ...mechanism, scale: { numerator, denominator: denominator * divisor } }, random)
  },
})

const intervalOf = (score: Score | undefined) => score?.interval ?? [Number.NaN, Number.NaN]

describe("the membership attack on tables", () => {
  // Each person makes one search out of 300 texts, so they are in one count. This is the worst case that ε allows:
  // tanh(ε/2) = 0.462. People who share a text share its noise, so over 300 texts the advantage has a standard
  // deviation of 0.03.
  const one = { epsilon: "1", delta: "1e-3", split: "1,0,0", maxQueries: 1, minUsers: 1, scrub: "none" }
  let single = ""
  beforeAll(() => {
    single = write(aolText(people({ count: 9000, searches: 1, texts: 300 })), "single.tsv")
  })

  test("comes near what ε allows, and not above it (false alarm 1 in 1000, fixed seed)", async () => {
    const found = await guess(single, one)
    expect(found["membership/bound"]?.value).toBeCloseTo((Math.E - 1 + 0.002) / (Math.E + 1), 12)
    expect(found["membership/informed"]?.value).toBeGreaterThan(0.462 - 0.09)
    expect(found["membership/informed"]?.value).toBeLessThan(0.462 + 0.09)
  })

  test("catches half the noise", async () => {
    const { "membership/informed": informed, "membership/bound": bound } = await guess(single, one, noiseOver(2n))
    expect(intervalOf(informed)[0]).toBeGreaterThan(bound?.value ?? Number.NaN)
  })

  test("catches no noise and no threshold, also when nobody else's searches are known", async () => {
    const rare = write(aolText(people({ count: 2000, searches: 3, texts: 4000 })), "rare.tsv")
    const parts: Partial<CountsParts> = {
      createNoise: () => ({ draw: () => 0 }),
      plan: (options) => {
        const plan = shippedParts.plan(options)
        return { ...plan, mechanisms: plan.mechanisms.map((one) => ({ ...one, minUsers: 1, threshold: 1 })) }
      },
    }
    const found = await guess(rare, { ...one, maxQueries: 3 }, parts)
    expect(found["membership/informed"]?.value).toBeGreaterThan(0.95)
    expect(intervalOf(found.membership)[0]).toBeGreaterThan(0.3)
  })

  // False alarms: 1 in 20 by the interval, and 1 in 10 because the noise of one of 20 texts is 0, which reveals much at
  // once.
  test("finds next to nothing at ε = 0.1 (false alarm 15 %, fixed seed)", async () => {
    const many = write(aolText(people({ count: 3000, searches: 10, texts: 20 })), "many.tsv")
    const found = await guess(many, { ...one, epsilon: "0.1", maxQueries: 10 })
    for (const name of ["membership", "membership/informed"]) {
      const [low, high] = intervalOf(found[name])
      expect(low).toBeLessThanOrEqual(0)
      expect(high).toBeGreaterThanOrEqual(0)
      expect(found[name]?.value).toBeLessThan(found["membership/bound"]?.value ?? Number.NaN)
    }
  })
})

describe("the membership attack on a release", () => {
  beforeAll(() => synthLog(at("log.tsv"), { rows: 8000, users: 400 }))

  test("finds everybody in a release of everything, and hardly anybody if many must share a query", async () => {
    for (const [k, least, most] of [
      [1, 0.9, 1],
      [40, -0.2, 0.2],
    ] as const) {
      const { subject, context } = await draftOf(at("log.tsv"), { method: "equality", k })
      const [outcome] = await attack(subject, { only: ["membership"] }, context)
      const [score, ...more] = outcome !== undefined && "scores" in outcome ? outcome.scores : []
      expect(more).toEqual([])
      expect(score).toMatchObject({ name: "membership", baseline: 0, better: "lower" })
      expect(score?.value).toBeGreaterThanOrEqual(least)
      expect(score?.value).toBeLessThanOrEqual(most)
      expect(score?.n).toBeGreaterThan(100)
    }
  })

  test("says why it cannot be made", async () => {
    const small = await draftOf(write(aolText(smallTown()), "small.tsv"), { method: "equality", k: 2 })
    const concepts = await draftOf(at("log.tsv"), { method: "wordnet", k: 5 })
    const listed = await releaseLog(at("log.tsv"), { mode: "pure", epsilon: "1", delta: undefined, pool: "weather" })
    const reasons = []
    for (const { subject, context } of [small, concepts, { ...listed, subject: listed }]) {
      reasons.push(...reasonsOf(await attack(subject, { only: ["membership"] }, context)))
    }
    expect(reasons).toEqual([
      "the log has fewer than 20 users",
      "the release has concepts, not queries",
      "the manifest has no method and parameters that can run again",
    ])
  })
})
