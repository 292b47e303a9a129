import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { sensitiveTopics } from "#dist/personal/cost-layer.js"
import { markShown } from "#dist/personal/expose-profile.js"
import { type AskOptions, PersonalSearch } from "#dist/personal/personal-search.js"
import { emptyStore, type PersonalStore } from "#dist/personal/personal-store.js"
import { riskOfShown } from "#dist/personal/risk.js"
import { verifyExposures } from "#dist/verify/exposures.js"
import { overall } from "#dist/verify/verifier.js"
import { sampleTree } from "./sample-tree.ts"

const searcher = await sampleTree().searcher()
const { taxonomy } = searcher
// Queries that may mean several topics. Only those gain from a profile.
const names = [
  "eagles",
  "eagles harmonica",
  "eagles ice skating",
  "figure piano",
  "owls giants",
  "queen speed",
  "adults eagles",
]

/** A person who has read about these topics, with this count each. Some of them are sensitive. */
function personOf(topics: readonly number[], sensitive: readonly number[]): PersonalStore {
  const store = emptyStore(taxonomy)
  topics.forEach((topic, i) => {
    store.interests.add(topic, { day: i % 3, count: 1 + (i % 4) })
  })
  const apart = [...new Set(sensitive)].filter((topic) => {
    return !sensitive.some((other) => other !== topic && other <= topic && topic < Number(taxonomy.end[other]))
  })
  store.sensitive = sensitiveTopics(
    taxonomy,
    apart.map((topic, i) => [topic, 1 + (i % 3)] as const),
  )
  return store
}

/** No bound over days, and no question before a query about a sensitive topic. */
const open = { lifetimeDelta: 1, sensitiveQueries: "send" } as const

const topic = fc.integer({ min: 1, max: taxonomy.size - 1 })
const scene = fc.record({
  topics: fc.array(topic, { minLength: 1, maxLength: 12 }),
  sensitive: fc.array(topic, { maxLength: 4 }),
  queries: fc.array(
    fc.record({ query: fc.constantFrom(...names), engine: fc.constantFrom("one", "two"), learns: topic }),
    { minLength: 1, maxLength: 12 },
  ),
  delta: fc.double({ min: 0, max: 1, noNaN: true }),
  sessionDelta: fc.double({ min: 0, max: 1, noNaN: true }),
})

describe("a day of searching", () => {
  test("passes every check of the verifier, although the profile changes during the day", () => {
    let exposed = 0
    fc.assert(
      fc.property(scene, ({ topics, sensitive, queries, delta, sessionDelta }) => {
        const search = new PersonalSearch(personOf(topics, sensitive), searcher)
        queries.forEach(({ query, engine, learns }, time) => {
          const options: AskOptions = { ...open, engine, session: "day", delta, sessionDelta, mu: 2 }
          search.record(search.ask(query, options), { ...options, time })
          search.store.interests.add(learns, { day: 5 })
        })
        const { history } = search.store
        exposed += history.records.length
        expect(overall(verifyExposures({ taxonomy, history }))).toBe("passed")
      }),
      { numRuns: 200, seed: 11 },
    )
    expect(exposed).toBeGreaterThan(80) // the bound is not met by showing nothing
  })

  test("has the risk that the verifier computes independently", () => {
    fc.assert(
      fc.property(scene, ({ topics, sensitive, queries }) => {
        const search = new PersonalSearch(personOf(topics, sensitive), searcher)
        for (const { query, engine } of queries) {
          const options: AskOptions = { ...open, engine, session: "day", delta: 1, sessionDelta: 1, mu: 2 }
          const asked = search.ask(query, options)
          search.record(asked, { ...options, time: 0 })
          const { history } = search.store
          const costs = search.costs()
          const mine = riskOfShown(costs, markShown(costs, { paths: [...history.seen(engine, "day")] }))
          // A bound just below the risk must fail, one just above must pass.
          for (const [bound, state] of [
            [mine + 1e-6, "passed"],
            [mine - 1e-6, "failed"],
          ] as const) {
            // biome-ignore format: one thing
            const last = history.records.at(-1)
            if (last === undefined || last.engine !== engine || asked.decision.outcome !== "exposed" || bound < 0)
              continue
            const copy = personOf(topics, sensitive).history
            const records = [...history.records.slice(0, -1), { ...last, sessionDelta: bound }]
            copy.restore({ records, layers: history.layers, deleted: [] })
            const union = verifyExposures({ taxonomy, history: copy }).find(({ name }) => name === "union")
            expect(union?.state).toBe(state)
          }
        }
      }),
      { numRuns: 100 },
    )
  })
})

test("an empty profile shows nothing, and nothing is recorded", () => {
  const search = new PersonalSearch(emptyStore(taxonomy), searcher)
  const options: AskOptions = { engine: "one", session: "day", delta: 1, sessionDelta: 1, mu: 2 }
  const asked = search.ask("eagles", options)
  expect(asked.decision.outcome).toBe("no-topic")
  search.record(asked, { ...options, time: 0 })
  expect(search.store.history.records).toEqual([])
})

test("a new mark counts from the next query on", () => {
  const store = personOf([taxonomy.find("Arts/Music/Artists/Eagles")], [])
  const search = new PersonalSearch(store, searcher)
  const options: AskOptions = { ...open, engine: "one", session: "day", delta: 0.01, sessionDelta: 1, mu: 2 }
  expect(search.ask("eagles", options).decision.outcome).toBe("exposed")
  store.sensitive = sensitiveTopics(taxonomy, [[taxonomy.find("Arts/Music/Artists/Eagles"), 1]])
  expect(search.ask("eagles", options).decision.outcome).toBe("over-delta")
})
