import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { seededRandom } from "#dist/kernels/random.js"
import { algorithms } from "#dist/personal/generalisers.js"
import { type AskOptions, PersonalSearch, standardLifetimeDelta } from "#dist/personal/personal-search.js"
import {
  emptyStore,
  forgetDay,
  forgetTopic,
  markNever,
  markSensitive,
  type PersonalStore,
} from "#dist/personal/personal-store.js"
import { decodeStore, encodeStore } from "#dist/personal/store-json.js"
import type { TopicSearcher } from "#dist/taxonomy/classify/topic-searcher.js"
import { exposureRisk } from "#dist/verify/exposure-risk.js"
import { verifyExposures } from "#dist/verify/exposures.js"
import { overall } from "#dist/verify/verifier.js"
import { sampleTree } from "./sample-tree.ts"
import { tenTopics, wideTree, words } from "./wide-tree.ts"

const wide = await wideTree()
const searcher = await sampleTree().searcher()
const { taxonomy } = searcher
const find = (path: string) => {
  const topic = taxonomy.find(path)
  if (topic < 0) throw new Error(path)
  return topic
}
const leaves = Array.from({ length: taxonomy.size }, (_, topic) => topic).filter(
  (topic) => topic > 0 && taxonomy.end[topic] === topic + 1,
)
/** Queries that may mean several topics. Only those gain from a profile. */
const queries = [
  "eagles",
  "eagles harmonica",
  "eagles ice skating",
  "figure piano",
  "owls giants",
  "queen speed",
  "adults eagles",
  "harmonica owls",
  "speed giants",
]
const everything = leaves.map((topic) => taxonomy.path(topic))
/** Small topics, so that the root alone reveals little. */
const rare = ["Arts/Music/Instrument/Harmonica", "Science/Birds/Eagles", "Science/Birds/Owls", "Adults"]
const day = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10)

/** A person who has read about everything. Some topics are sensitive to them, all equally. */
function reader({ taxonomy }: TopicSearcher, sensitive: readonly string[]): PersonalStore {
  const store = emptyStore(taxonomy)
  for (let topic = 1; topic < taxonomy.size; topic++)
    if (taxonomy.end[topic] === topic + 1) store.interests.add(topic, { day: 0, count: 1 + (topic % 4) })
  for (const path of sensitive) markSensitive(store, taxonomy.find(path), 1)
  return store
}

const limits = { delta: 0.1, sessionDelta: 0.3, mu: 2, sensitiveQueries: "send" } as const

describe("a year of searching", () => {
  /** The verifier's risk of these paths: ten topics, equally sensitive. */
  const riskOfTen = exposureRisk(wide.taxonomy, { sensitive: tenTopics.map((path) => [path, 1] as const) })

  /** 365 days of 1 to 6 queries to two engines. What each engine received is kept here, apart from the history. */
  function searchForAYear(store: PersonalStore, options: Partial<AskOptions>) {
    const random = seededRandom(14)
    const search = new PersonalSearch(store, wide)
    const received = { one: new Set<string>(), two: new Set<string>() }
    let exposures = 0
    for (let date = 20_000; date < 20_365; date++) {
      for (let count = 1 + random.below(6); count > 0; count--) {
        const engine = random.below(4) === 0 ? "two" : "one"
        const asked = { ...limits, delta: 0.15, ...options, engine, session: day(date) }
        const answer = search.ask(words[random.below(words.length)] ?? "", asked)
        search.record(answer, { ...asked, time: date * 86_400 })
        for (const path of answer.decision.exposure.paths) received[engine].add(path)
        if (answer.decision.outcome === "exposed") exposures++
      }
    }
    return { ...received, exposures }
  }

  test.each(algorithms)("keeps everything that an engine was ever shown within the lifetime bound: %s", (algorithm) => {
    const store = reader(wide, tenTopics)
    const { one, two, exposures } = searchForAYear(store, { algorithm })
    expect(exposures).toBeGreaterThan(200) // the bound is not met by showing nothing
    for (const paths of [one, two]) {
      expect(paths.size).toBeGreaterThan(10)
      expect(riskOfTen(paths)).toBeLessThanOrEqual(standardLifetimeDelta + 1e-9)
    }
    expect(riskOfTen(one)).toBeGreaterThan(0.2) // and the bound is used
    expect(overall(verifyExposures({ taxonomy: wide.taxonomy, history: store.history }))).toBe("passed")
  })

  test("would be far above it with the daily bound alone, as in version 0.1", () => {
    const { one } = searchForAYear(reader(wide, tenTopics), { lifetimeDelta: 1 })
    expect(riskOfTen(one)).toBeGreaterThan(2 * standardLifetimeDelta)
    expect(tenTopics.filter((path) => one.has(path)).length).toBeGreaterThan(5) // literally
  })

  test.each(algorithms)(
    "never shows a topic marked never show, nor anything below it, whatever the bounds: %s",
    (algorithm) => {
      const store = reader(wide, tenTopics)
      const never = ["Art", tenTopics[4] ?? "", "Food/Part 1"]
      for (const path of never) markNever(store, wide.taxonomy.find(path), true)
      const bounds = { delta: 1, sessionDelta: 1, lifetimeDelta: 1 }
      const { one, two } = searchForAYear(store, { algorithm, ...bounds })
      const shown = [...one, ...two]
      expect(new Set(shown).size).toBeGreaterThan(50)
      expect(shown.filter((path) => never.some((above) => `${path}/`.startsWith(`${above}/`)))).toEqual([])
      expect(overall(verifyExposures({ taxonomy: wide.taxonomy, history: store.history }))).toBe("passed")
    },
  )
})

const topic = fc.integer({ min: 1, max: taxonomy.size - 1 })

describe("a topic marked never show", () => {
  test("changes no exposure: they are the same as for a person who never read about it", () => {
    fc.assert(
      fc.property(
        fc.array(topic, { minLength: 1, maxLength: 14 }),
        fc.array(topic, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...queries),
        fc.constantFrom(...algorithms),
        (read, never, query, algorithm) => {
          const isHidden = (id: number) => never.some((above) => id >= above && id < Number(taxonomy.end[above]))
          const make = (topics: readonly number[]) => {
            const store = emptyStore(taxonomy)
            for (const id of topics) store.interests.add(id, { day: 0 })
            for (const id of never) markNever(store, id, true)
            const options = { ...limits, engine: "one", session: "", delta: 1, sessionDelta: 1, algorithm }
            return new PersonalSearch(store, searcher).ask(query, options).decision.exposure.paths
          }
          const shown = make(read)
          expect(shown).toEqual(make(read.filter((id) => !isHidden(id))))
          expect(shown.filter((path) => isHidden(find(path)))).toEqual([])
        },
      ),
      { numRuns: 300, seed: 7 },
    )
  })
})

/** Changes between searches, as people make them: learning, marking, forgetting, deleting, saving and reopening. */
const step = fc.record({
  query: fc.constantFrom(...queries),
  engine: fc.constantFrom("one", "two"),
  days: fc.nat(2),
  change: fc.oneof(
    fc.record({ kind: fc.constant("learn" as const), topic }),
    fc.record({ kind: fc.constant("mark" as const), topic: fc.constantFrom(...rare.map(find)) }),
    fc.record({ kind: fc.constant("never" as const), topic: fc.constantFrom(...leaves) }),
    fc.record({ kind: fc.constant("forget" as const), topic: fc.constantFrom(...leaves) }),
    fc.record({ kind: fc.constant("day" as const), topic }),
    fc.record({ kind: fc.constant("delete" as const), topic }),
    fc.record({ kind: fc.constant("reopen" as const), topic }),
  ),
})

type Store = ReturnType<typeof reader>

function afterChange(store: Store, change: { kind: string; topic: number }, date: number): Store {
  if (change.kind === "learn") store.interests.add(change.topic, { day: date })
  if (change.kind === "mark") markSensitive(store, change.topic, 1)
  if (change.kind === "never") markNever(store, change.topic, true)
  if (change.kind === "forget") forgetTopic(store, change.topic)
  if (change.kind === "day") forgetDay(store, date)
  if (change.kind === "delete") store.history.delete(() => true)
  return change.kind === "reopen" ? decodeStore(encodeStore(store), { taxonomy, file: "" }) : store
}

/** Topics that count in the verifier's risk: those that are marked and either in the profile or received. */
function countedTopics(store: Store, seen: ReadonlySet<string>): [string, number][] {
  const profile = store.interests.profile()
  const { topic, sensitivity } = store.sensitive
  const marked = Array.from(topic, (id, i): [string, number] => [taxonomy.path(id), Number(sensitivity[i])])
  const mayBeShown = (id: number) => profile.topic.includes(id) && ![...store.never].includes(id)
  const counts = marked.filter(([path]) => seen.has(path) || mayBeShown(find(path)))
  const isCounted = (path: string) => counts.some(([other]) => other === path)
  const lost = [...store.history.accounts.lost].filter(([path]) => seen.has(path) && !isCounted(path))
  return [...counts, ...lost]
}

describe("the account of an engine", () => {
  test("counts what the engine received, through learning, marking, forgetting, deleting and reopening", () => {
    let exposed = 0
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 25 }), (steps) => {
        let store = reader(searcher, rare)
        const received = new Map<string, Set<string>>()
        let date = 20_000
        for (const { query, engine, days, change } of steps) {
          store = afterChange(store, change, date)
          date += days
          const search = new PersonalSearch(store, searcher)
          const options = { ...limits, delta: 0.3, engine, session: day(date) }
          const asked = search.ask(query, options)
          search.record(asked, { ...options, time: date * 86_400 })
          const seen = received.get(engine) ?? new Set<string>()
          received.set(engine, seen)
          for (const path of asked.decision.exposure.paths) seen.add(path)
          expect([...store.history.accounts.shownTo(engine)].sort()).toEqual([...seen].sort())
          if (asked.decision.outcome !== "exposed") continue
          exposed++
          expect(exposureRisk(taxonomy, { sensitive: countedTopics(store, seen) })(seen)).toBeLessThanOrEqual(
            0.3 + 1e-9,
          )
          const states = verifyExposures({ taxonomy, history: store.history }).filter(({ state }) => state === "failed")
          expect(states).toEqual([])
        }
      }),
      { numRuns: 150, seed: 3 },
    )
    expect(exposed).toBeGreaterThan(300)
  })

  test("keeps the mark of a forgotten topic only if it was shown", () => {
    const store = reader(searcher, everything)
    store.history.accounts.noteShown("one", ["", "Science", "Science/Birds", "Science/Birds/Owls"])
    forgetTopic(store, find("Science"))
    expect([...store.history.accounts.lost]).toEqual([["Science/Birds/Owls", 1]])
    const search = new PersonalSearch(store, searcher)
    const { costs, gone } = search.lifetime("one")
    expect(gone).toEqual([["Science/Birds/Owls", 1]])
    expect(costs.total).toBe(leaves.length - 1) // one of the two birds still counts
    expect(search.lifetimeRisks("one").lifetimeRisk).toBeCloseTo(1 / (leaves.length - 1), 9)
    expect(search.lifetime("two").gone).toEqual([])
    const text = encodeStore(store)
    expect(text).toContain("Science/Birds/Owls")
    expect(text).not.toContain("Science/Birds/Eagles")
  })

  test("counts a topic that was marked after it had been shown, and shows no more of it", () => {
    const store = emptyStore(taxonomy)
    for (const id of leaves) store.interests.add(id, { day: 0 })
    const search = new PersonalSearch(store, searcher)
    const options = { ...limits, engine: "one", session: "" }
    search.record(search.ask("eagles", options), { ...options, time: 0 })
    expect(store.history.accounts.shownTo("one")).toContain("Science/Birds/Eagles")
    markSensitive(store, find("Science/Birds/Eagles"), 1)
    const later = search.ask("owls giants", { ...options, session: "later", delta: 1, sessionDelta: 1 })
    expect(later).toMatchObject({ decision: { outcome: "over-lifetime-delta" }, lifetimeRisk: 1 })
  })
})

describe("what queries tell", () => {
  const options = { ...limits, engine: "one", session: "", delta: 1, sessionDelta: 1, lifetimeDelta: 1 }

  test("is counted in addition to what is shown, and compared with its own bound", () => {
    const store = emptyStore(taxonomy)
    for (const id of leaves) store.interests.add(id, { day: 0 })
    markSensitive(store, find("Arts/Music/Instrument/Harmonica"), 1)
    markSensitive(store, find("Adults"), 1)
    const search = new PersonalSearch(store, searcher)
    const plain = search.ask("harmonica", options)
    expect(plain.decision.exposure.paths).toEqual([])
    expect(plain.told).toEqual([["Arts/Music/Instrument/Harmonica", 1]])
    expect([plain.lifetimeRisk, plain.queryRisk]).toEqual([0, 0.5])
    expect(search.ask("harmonica", { ...options, queryDelta: 0.4 }).isOverQueryDelta).toBe(true)
    expect(search.ask("owls", { ...options, queryDelta: 0.4 }).isOverQueryDelta).toBe(false)
    expect(search.noteQuery(plain, options)).toBe(true)
    expect(search.noteQuery(plain, options)).toBe(false)
    const later = search.ask("owls giants", { ...options, queryDelta: 0.4 })
    expect(later).toMatchObject({ decision: { outcome: "over-query-delta" }, queryRisk: 0.5 })
    expect(search.ask("owls giants", { ...options, queryDelta: 0.6 }).decision.outcome).toBe("exposed")
    forgetTopic(store, find("Arts"))
    expect([...store.history.accounts.toldTo("one")]).toEqual([])
  })

  test("is recomputed independently by the verifier, over random days", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...queries), { minLength: 1, maxLength: 12 }),
        fc.double({ min: 0.2, max: 0.9, noNaN: true }),
        (asked, queryDelta) => {
          const store = reader(searcher, everything)
          const search = new PersonalSearch(store, searcher)
          for (const query of asked) {
            const bounded = { ...options, queryDelta }
            search.record(search.ask(query, bounded), { ...bounded, time: 0 })
          }
          expect(overall(verifyExposures({ taxonomy, history: store.history }))).toBe("passed")
          const mine = search.lifetimeRisks("one").queryRisk ?? 0
          const { accounts } = store.history
          const pairs = leaves.map((id): [string, number] => [taxonomy.path(id), 1])
          const theirs = exposureRisk(taxonomy, { sensitive: pairs })(accounts.shownTo("one"), accounts.toldTo("one"))
          expect(mine).toBeCloseTo(theirs, 9)
        },
      ),
      { numRuns: 60, seed: 5 },
    )
  })
})
