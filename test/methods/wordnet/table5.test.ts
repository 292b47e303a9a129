import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { wordnet as method } from "#dist/methods/wordnet/wordnet.js"
import { anonymize } from "#dist/release/anonymize.js"
import { openDraftAudit } from "#dist/release/read-audit.js"
import { openDraft } from "#dist/release/read-release.js"
import { verify } from "#dist/verify/registry.js"
import { conceptLabel, findConcept } from "#dist/wordnet/concept-label.js"
import { hypernymChain } from "#dist/wordnet/hypernym-chain.js"
import { findNoun } from "#dist/wordnet/lemmatise.js"
import { openWordNet } from "#dist/wordnet/open-wordnet.js"
import { aolText, type Search, timeAfter } from "../../support/aol-log.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"

const { write } = scratchFolder()
const context = createContext({ workers: 1, seed: 1 })
const wordnet = await openWordNet({}, context)

type Options = Parameters<typeof method.run>[1]
const usual: Options = { k: 1, counts: "users", split: "finest", match: "content" }
const asPaper: Partial<Options> = { counts: "queries", split: "greedy", match: "all" }

async function generalise(searches: readonly Search[], k: number, options: Partial<Options> = {}) {
  const { log } = await readLog(write(aolText(searches)), {}, context)
  const result = await method.run(log, { ...usual, ...options, k }, context)
  const table = (name: string) => {
    const { rows, columns, cell } = result.audit[name] ?? { rows: 0, columns: [], cell: () => "" }
    return Array.from({ length: rows }, (_, row) => columns.map((_name, column) => cell(row, column)))
  }
  return { log, result, queries: table("queries"), concepts: table("concepts") }
}

const sum = (numbers: readonly (string | number | undefined)[]) =>
  numbers.reduce<number>((all, n) => all + Number(n), 0)

/** Searches of 300 users for nouns of WordNet, some with two words, some without a noun. */
function manySearches(): Search[] {
  const { random } = createContext({ seed: 7 })
  const noun = () => wordnet.lemmas.text(random.below(wordnet.nouns))
  const nouns = Array.from({ length: 400 }, noun)
  return Array.from({ length: 6000 }, (_, i): Search => {
    const text = nouns[Math.floor(nouns.length * (random.below(1000) / 1000) ** 3)] ?? ""
    const query = i % 5 === 0 ? `xyzzy${random.below(200)}` : i % 7 === 0 ? `${noun()} and ${text}` : text
    return { user: `${random.below(300)}`, query, time: timeAfter(i) }
  })
}

describe("a partition as in Table 5", () => {
  test("has each query and each search once: the counts add up, at every level", async () => {
    const { log, queries, concepts } = await generalise(manySearches(), 10)
    expect(queries.length).toBe(log.queries.size)
    expect(new Set(queries.map(([query]) => query)).size).toBe(log.queries.size)
    expect(sum(concepts.map(([, count]) => count))).toBe(log.queries.size)
    expect(sum(concepts.map(([, , events]) => events))).toBe(log.events)
    expect(Math.min(...concepts.map(([, , , users]) => Number(users)))).toBeGreaterThanOrEqual(10)
    // Cut at one of the first three levels of the tree, every concept is counted at its own node or at its ancestor
    // there.
    for (const level of [1, 2, 3]) {
      const cut = new Map<number, number>()
      for (const [label, count] of concepts) {
        const top = hypernymChain(wordnet, findConcept(wordnet, String(label)))
          .toReversed()
          .slice(0, level)
        const at = top.at(-1) ?? -1
        cut.set(at, (cut.get(at) ?? 0) + Number(count))
      }
      expect(sum([...cut.values()])).toBe(log.queries.size)
      expect(cut.size).toBeGreaterThanOrEqual(level)
    }
  })

  test("says how many words match no concept", async () => {
    const searches = ["in the zoo", "xyzzy plugh", "hot dogs"].map((query, i) => {
      return { user: "1", query, time: timeAfter(i) }
    })
    const { result } = await generalise(searches, 1)
    expect(result.withheld).toEqual({ "words of all searches": 7, "words that match no noun of WordNet": 4 })
    expect(result.measured).toEqual({ "share of words that match no noun": 4 / 7, "queries without a noun": 1 })
    // The paper also matches `in`. WordNet has no `the`.
    const paper = await generalise(searches, 1, asPaper)
    expect(paper.result.withheld).toEqual({ "words of all searches": 7, "words that match no noun of WordNet": 3 })
  })

  test("is cut at --depth: no concept is deeper, and each is above that of full depth", async () => {
    const searches = manySearches()
    const full = new Map((await generalise(searches, 1, asPaper)).queries.map(([query, label]) => [query, label]))
    for (const depth of [1, 2, 3]) {
      const { log, queries, concepts } = await generalise(searches, 1, { ...asPaper, depth })
      expect(sum(concepts.map(([, count]) => count))).toBe(log.queries.size)
      for (const [query, label] of queries) {
        const chain = hypernymChain(wordnet, findConcept(wordnet, String(full.get(query)))).toReversed()
        expect(conceptLabel(wordnet, chain[Math.min(depth, chain.length) - 1] ?? -1)).toBe(label)
      }
    }
  })

  test("counts texts in the paper's mode, and then promises nothing about people", async () => {
    const one = ["dog", "poodle", "cat", "lion"].map((query, i) => ({ user: "1", query, time: timeAfter(i) }))
    const { result, concepts } = await generalise(one, 2, asPaper)
    expect(result.guarantee).toMatchObject({ counts: "queries", k: 2, statement: expect.stringMatching(/^Nothing is/) })
    expect(result.warnings).toEqual([expect.stringContaining("one person")])
    expect(concepts.every(([, queries, , users]) => Number(queries) >= 2 && users === 1)).toBe(true)
    expect((await generalise(one, 2)).concepts).toEqual([])
  })

  test("equals sets of users on WordNet's own tree, for every log", async () => {
    const words = ["dog", "poodle", "cat", "lion", "hot dog", "weather", "paris", "xyzzy", "of"]
    const search = fc.record({ user: fc.constantFrom("1", "2", "3", "4", "5"), query: fc.constantFrom(...words) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(search, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 4 }),
        async (list, k) => {
          const { queries } = await generalise(
            list.map((one, i) => ({ ...one, time: timeAfter(i) })),
            k,
          )
          const labels = new Map(queries.map(([query, label]) => [String(query), String(label)]))
          if (new Set(list.map(({ user }) => user)).size < k) {
            for (const label of labels.values()) expect(label).toBe("")
            return
          }
          const users = new Map<string, Set<string>>()
          for (const { user, query } of list) {
            const label = labels.get(query) ?? ""
            users.set(label, (users.get(label) ?? new Set()).add(user))
            const lemma = query === "of" ? -1 : findNoun(wordnet, query)
            const chain = lemma < 0 ? [] : hypernymChain(wordnet, wordnet.synsetsOf(lemma)[0] ?? -1)
            expect(["entity.n.01", ...chain.map((synset) => conceptLabel(wordnet, synset))]).toContain(label)
          }
          for (const set of users.values()) expect(set.size).toBeGreaterThanOrEqual(k)
        },
      ),
      { numRuns: 8 },
    )
  })
})

test("a release in the paper's mode is verified by texts, and fails where it claims users", async () => {
  const searches = ["dog", "poodle", "cat", "lion", "xyzzy", "of"].flatMap((query, i) =>
    [1, 2].map((user) => ({ user: `${user}`, query, time: timeAfter(i) })),
  )
  const { log } = await readLog(write(aolText(searches)), {}, context)
  const draft = await anonymize(log, { method: "wordnet", k: 3, preset: "paper", users: "drop" }, context)
  const subject = { release: openDraft(draft), log, audit: openDraftAudit(draft) }
  const states = new Map((await verify(subject, context)).map(({ name, state }) => [name, state]))
  expect(states.get("users-release")).toBe("not promised")
  expect(["manifest", "users-original", "concepts-original", "rows"].map((name) => states.get(name))).toEqual(
    Array(4).fill("passed"),
  )
  const { counts: _, ...parameters } = draft.manifest.parameters
  const claiming = { ...draft, manifest: { ...draft.manifest, parameters } }
  const failed = await verify({ ...subject, release: openDraft(claiming) }, context)
  expect(failed.filter(({ state }) => state === "failed").map(({ name }) => name)).toEqual(
    expect.arrayContaining(["manifest", "users-original"]),
  )
})

test("the term of a query is its longest noun, the last of equals, and the sense the most frequent", async () => {
  const expected = new Map([
    ["dogs", "dog.n.01"],
    ["hot dog stand", "hotdog.n.01"],
    ["zoo parking", "parking.n.01"],
    ["café menu", "menu.n.01"],
    ["in the of", "entity.n.01"],
    ["xyzzy", "entity.n.01"],
    ["中文", "entity.n.01"],
    ["-", "entity.n.01"],
    [`${"xyzzy ".repeat(10_000)}dogs`, "dog.n.01"],
  ])
  const searches = [...expected.keys()].map((query, i) => ({ user: "1", query, time: timeAfter(i) }))
  const { queries } = await generalise(searches, 1)
  expect(new Map(queries.map(([query, label]) => [String(query), String(label)]))).toEqual(expected)
})
