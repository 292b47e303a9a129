import { describe, expect, test } from "vitest"
import { type AttackOptions, attack } from "#dist/attacks/registry.js"
import { createContext } from "#dist/kernels/context.js"
import { linkageAttackers } from "#dist/kernels/linkage/attackers.js"
import type { MethodChoice } from "#dist/release/method-options.js"
import { animalTaxonomy, crowd, crowdSize, topicsOf } from "../support/animal-log.ts"
import { aolText } from "../support/aol-log.ts"
import { draftOf, reasonsOf, valuesOf } from "../support/drafts.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()

const crowdLog = write(aolText(crowd()))
const heavyLog = write(aolText(crowd({ heavy: 0.3 })))

const topics = {
  taxonomy: write(animalTaxonomy, "taxonomy.tsv"),
  classifier: write(topicsOf([...crowd(), ...crowd({ heavy: 0.3 })]), "topics.tsv"),
}
const cellNames: MethodChoice<"swap"> = { method: "swap", k: 5, depth: "1", scrub: "none", ...topics }
/** Most attackers need names that last longer than a cell. */
const swapped: MethodChoice<"swap"> = { ...cellNames, users: "pseudonym" }

/** Each release is made once for all tests that attack it. */
const drafts = new Map<string, ReturnType<typeof draftOf>>()
const releaseOf = (path: string, options: MethodChoice) => {
  const key = JSON.stringify([path, options])
  const made = drafts.get(key) ?? draftOf(path, options)
  drafts.set(key, made)
  return made
}
const draw = async (path: string, options: MethodChoice, values: AttackOptions["values"] = {}) => {
  const { subject, audit } = await releaseOf(path, options)
  const context = createContext({ workers: 1, seed: 2 })
  return attack({ ...subject, audit }, { only: ["linkage"], values: { ...topics, ...values } }, context)
}
const scoresOf = async (...given: Parameters<typeof draw>) =>
  (await draw(...given)).flatMap((outcome) => ("scores" in outcome ? outcome.scores : []))

describe("the linkage attack", () => {
  const isKnown = (name: string) => name.startsWith("linkage/known-searches@")

  test.each([
    ["a name per cell", cellNames],
    ["lasting names", swapped],
  ])("finds nobody more often than 1/k if a strict release shows no habits: %s", async (_name, options) => {
    const scores = await scoresOf(crowdLog, options)
    const attackers = linkageAttackers.flatMap(({ name }) => [`linkage/${name}`, `linkage/${name}/named`])
    const known = [1, 2, 3, 4, 5, 6].map((count) => `linkage/known-searches@${count}`)
    expect(scores.map(({ name }) => name)).toEqual([...attackers, ...known, "linkage/original-pairs"])
    // No text occurs twice, so nobody is shown with a text that they issued.
    expect(scores.at(-1)).toMatchObject({ value: 0, baseline: 0 })
    for (const { name, interval = [1, 1], baseline, n = 0 } of scores.slice(0, -1)) {
      expect(baseline).toBe(0.2)
      if (n > 0 && (options === cellNames || !isKnown(name))) expect(interval[0]).toBeLessThanOrEqual(0.2)
    }
  })

  test("finds the lasting name of a person, and no name of a cell, by some of their searches", async () => {
    const found = async (options: MethodChoice<"swap">) =>
      valuesOf(await draw(crowdLog, { ...options, time: "exact" }))["linkage/known-searches@6"]
    expect(await found(swapped)).toBeGreaterThan(0.9)
    expect(await found(cellNames)).toBeLessThan(0.4)
  })

  test("says for how many records each attacker named somebody", async () => {
    const byName = new Map((await scoresOf(crowdLog, swapped)).map((score) => [score.name, score]))
    const all = byName.get("linkage/times-and-order")
    const released = all?.n ?? 0
    expect(released).toBeGreaterThan(0.9 * crowdSize)
    expect(released).toBeLessThanOrEqual(crowdSize)
    for (const { name, n = 0, value } of byName.values()) {
      if (isKnown(name)) continue
      if (name.endsWith("/named")) {
        const whole = byName.get(name.replace("/named", ""))
        expect(n).toBeLessThanOrEqual(released)
        expect(value * n).toBeCloseTo((whole?.value ?? 0) * released, 6)
      } else expect(n).toBe(released)
    }
    // No text occurs twice, so there is nothing to intersect.
    expect(byName.get("linkage/intersection/named")?.n).toBe(0)
  })

  test("links 30 % of the searches to a user of 30 % in paper mode, and no more than 1/k in strict mode", async () => {
    const name = "linkage/largest-share"
    const paper = valuesOf(await draw(heavyLog, { ...swapped, mode: "paper", time: "own" }))
    expect(paper[name]).toBeGreaterThan(0.26)
    expect(paper[name]).toBeLessThan(0.34)
    const strict = (await scoresOf(heavyLog, swapped)).find((score) => score.name === name)
    expect(strict?.interval?.[0]).toBeLessThanOrEqual(0.2)
  })

  test("also scores names of one session: any name of the user who issued the search is right", async () => {
    const own = valuesOf(await draw(crowdLog, { ...swapped, mode: "paper", users: "session" }))
    expect(own["linkage/record-linkage-1/named"]).toBeGreaterThan(0)
    expect(own["linkage/record-linkage-1/named"]).toBeLessThan(0.5)
  })

  test("can assume another k and another depth of topics", async () => {
    const right = valuesOf(await draw(crowdLog, swapped))
    const wrong = valuesOf(await draw(crowdLog, swapped, { attackK: 30, attackDepth: 9 }))
    const named = async (values: Record<string, number>) =>
      (await scoresOf(crowdLog, swapped, values)).find(({ name }) => name === "linkage/record-linkage-1/named")?.n ?? 0
    expect(wrong).not.toEqual(right)
    // An attacker who believes that 31 users must wait names fewer records before the end.
    expect(await named({ attackK: 30 })).toBeLessThan(await named({}))
  })

  test("treats texts with the same content words as one if requested", async () => {
    const half = crowdSize / 2
    const searches = crowd().map((search, i) => ({
      ...search,
      query: i < half ? `dog ${i}` : `the ${i - half} of dog`,
    }))
    const log = write(aolText(searches))
    const dogs = { ...topics, classifier: write(topicsOf(searches), "dogs.tsv") }
    const named = async (similar: boolean) =>
      (await scoresOf(log, { ...swapped, ...dogs, repeats: "keep" }, { ...dogs, similar })).find(
        ({ name }) => name === "linkage/intersection/named",
      )?.n ?? 0
    expect(await named(false)).toBe(0)
    expect(await named(true)).toBeGreaterThan(0)
  })

  test("says what is missing: the audit, users, a release with swapped users", async () => {
    const { subject, audit, context } = await releaseOf(crowdLog, swapped)
    const why = async (given: Parameters<typeof attack>[0]) =>
      reasonsOf(await attack(given, { only: ["linkage"], values: topics }, context))
    expect(await why(subject)).toEqual(["needs to know who issued each released search (--audit DIR)"])
    expect(await why({ ...subject, audit: { ...audit, release: "another" } })).toEqual([
      "the audit belongs to another release",
    ])
    expect(reasonsOf(await draw(crowdLog, { ...swapped, users: "drop" }))).toEqual(["the release names no users"])
    expect(reasonsOf(await draw(crowdLog, { method: "equality", k: 2 }))).toEqual([
      "users were not swapped in this release",
    ])
  })

  test("refuses a trail that does not lead to the log", async () => {
    const { subject, audit } = await releaseOf(crowdLog, swapped)
    const broken = {
      ...audit,
      async *rows(name: string, columns: readonly string[]) {
        let first = true
        for await (const row of audit.rows(name, columns)) {
          yield first ? [row[0] ?? "", "999999", ...row.slice(2)] : row
          first = false
        }
      },
    }
    await expect(
      attack(
        { ...subject, audit: broken },
        { only: ["linkage"], values: topics },
        createContext({ workers: 1, seed: 1 }),
      ),
    ).rejects.toMatchObject({ code: "audit-broken" })
  })
})
