import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { measure } from "#dist/measures/registry.js"
import { growConceptTree, treeOf } from "#dist/methods/wordnet/concept-tree.js"
import { type AuditFolder, openAudit } from "#dist/release/read-audit.js"
import { readRelease } from "#dist/release/read-release.js"
import { hypernymChain } from "#dist/wordnet/hypernym-chain.js"
import { indexHyponyms } from "#dist/wordnet/hyponyms.js"
import { findNoun } from "#dist/wordnet/lemmatise.js"
import { openWordNet } from "#dist/wordnet/open-wordnet.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { publish } from "../support/publish.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { fresh, write } = scratchFolder()
const context = createContext({ workers: 1 })
const wordnet = await openWordNet({}, context)

/** A log in which each text has this many searchers, all different. */
const logOf = (searchers: Record<string, number>): Search[] =>
  Object.entries(searchers).flatMap(([query, count], text) =>
    Array.from({ length: count }, (_, i) => ({ user: `${text}-${i}`, query, time: timeAfter(i) })),
  )

async function scoreOf(searches: readonly Search[], options: Record<string, string | number>, audit?: AuditFolder) {
  const folder = fresh()
  const { input } = await publish(write(aolText(searches)), folder, options, { audit: `${folder}-audit` })
  const subject = {
    release: await readRelease(folder),
    log: input.log,
    audit: audit ?? (await openAudit(`${folder}-audit`)),
  }
  const [outcome] = await measure(subject, { only: ["ncp"] }, context)
  return outcome !== undefined && "scores" in outcome ? outcome.scores[0] : undefined
}

const penaltyOf = async (...given: Parameters<typeof scoreOf>) => (await scoreOf(...given))?.value

/** Leaves below a concept by its definition: walks down the synsets that have it as first hypernym. */
function leavesBelow(synset: number): number {
  const { offsets, items } = indexHyponyms(wordnet)
  const count = (at: number): number => {
    const below = items.subarray(offsets[at], offsets[at + 1]).filter((one) => wordnet.parent(one) === at)
    return below.length === 0 ? 1 : below.reduce((sum, one) => sum + count(one), 0)
  }
  return count(synset)
}

describe("the normalised certainty penalty", () => {
  test("is the share of a concept's leaves, 0 for a leaf and 1 for the root (eq. 6)", () => {
    const { penalty, leaves, root } = growConceptTree(wordnet)
    const dog = wordnet.synsetsOf(findNoun(wordnet, "dog"))[0] ?? -1
    const poodle = wordnet.synsetsOf(findNoun(wordnet, "toy poodle"))[0] ?? -1
    expect(leaves[dog]).toBe(leavesBelow(dog))
    expect([penalty[root], penalty[dog], penalty[poodle]]).toEqual([1, leavesBelow(dog) / leavesBelow(root), 0])
    expect(hypernymChain(wordnet, dog).at(-1)).toBe(root)
  })

  test("is the mean over all words of all searches (eq. 7)", async () => {
    const { penalty } = growConceptTree(wordnet)
    const dog = wordnet.synsetsOf(findNoun(wordnet, "dog"))[0] ?? -1
    // Six words in four searches: `dog` twice, one term (a leaf) of `toy poodle for`, and `xyzzy` is gone.
    const log = logOf({ dogs: 2, "toy poodle for": 1, xyzzy: 1 })
    expect(await penaltyOf(log, { method: "wordnet", k: 1 })).toBeCloseTo(
      1 - (2 * (1 - (penalty[dog] ?? 0)) + 1) / 6,
      12,
    )
  })

  test("is 0.5 when two concepts with half of the leaves each stand for single words (§4.4.2)", async () => {
    const [entity, one, other] = [0, 1, 2]
    const small = treeOf(Int32Array.of(-1, entity, entity, one, one, other, other))
    expect([small.penalty[one], small.penalty[other], small.penalty[3]]).toEqual([0.5, 0.5, 0])
    // In WordNet the two are physical entity and abstract entity. Each search has two words, and one term is left.
    const { penalty, root } = growConceptTree(wordnet)
    const halves = ["physical entity", "abstract entity"].map(
      (text) => wordnet.synsetsOf(findNoun(wordnet, text))[0] ?? -1,
    )
    expect(halves.map((half) => wordnet.parent(half))).toEqual([root, root])
    const [a = 0, b = 0] = halves.map((half) => penalty[half] ?? 0)
    expect(a + b).toBeGreaterThan(0.999)
    const value = await penaltyOf(logOf({ "physical entity": 3, "abstract entity": 3 }), { method: "wordnet", k: 3 })
    expect(value).toBeCloseTo(1 - (3 * (1 - a) + 3 * (1 - b)) / 12, 12)
  })

  test("is 0.5 when half of the searches are left out and the others are unchanged (§4.4.2)", async () => {
    expect(await penaltyOf(logOf({ one: 3, two: 2, three: 1 }), { method: "equality", k: 3 })).toBe(0.5)
  })

  test("is 0 if everything is released unchanged, and 1 if nothing is", async () => {
    for (const [k, value] of [
      [1, 0],
      [7, 1],
    ] as const)
      expect(await penaltyOf(logOf({ "one two": 3, three: 1 }), { method: "equality", k })).toBe(value)
    expect(await penaltyOf(logOf({ dogs: 3 }), { method: "wordnet", k: 7 })).toBe(1)
    expect(await penaltyOf(logOf({ xyzzy: 3 }), { method: "wordnet", k: 3 })).toBe(1)
  })

  test("counts a search once, however many clicks it has", async () => {
    const clicks: Search[] = [1, 2, 3].map((rank) => ({
      user: "a",
      query: "dogs",
      time: timeAfter(0),
      rank,
      url: `http://${rank}`,
    }))
    const score = await scoreOf([...clicks, ...logOf({ "two words": 1 })], { method: "wordnet", k: 1 })
    expect(score?.n).toBe(3)
  })
})

describe("measures that do not apply say why", () => {
  test("comparisons of texts on concepts; the penalty without its audit, or with another audit", async () => {
    const folder = fresh()
    const { input } = await publish(
      write(aolText(logOf({ dogs: 3 }))),
      folder,
      { method: "wordnet" },
      { audit: `${folder}-audit` },
    )
    const subject = { release: await readRelease(folder), log: input.log }
    const reasons = Object.fromEntries(
      (await measure(subject, {}, context)).map((one) => [one.probe, "skipped" in one ? one.skipped : ""]),
    )
    expect(reasons).toMatchObject({
      "events-kept": expect.stringContaining("concepts, not queries"),
      "queries-kept": expect.stringContaining("concepts, not queries"),
      "top-queries": expect.stringContaining("concepts, not queries"),
      ncp: expect.stringContaining("--audit"),
    })
    const other = { ...(await openAudit(`${folder}-audit`)), release: "another" }
    const [outcome] = await measure({ ...subject, audit: other }, { only: ["ncp"] }, context)
    expect(outcome).toMatchObject({ skipped: expect.stringContaining("another release") })
  })
})
