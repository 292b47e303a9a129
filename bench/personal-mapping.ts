import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createContext } from "#dist/kernels/context.js"
import { type RandomSource, seededRandom } from "#dist/kernels/random.js"
import { sensitiveTopics } from "#dist/personal/cost-layer.js"
import { learnDocuments } from "#dist/personal/learn.js"
import { mapQuery } from "#dist/personal/map-query.js"
import { type AskOptions, PersonalSearch } from "#dist/personal/personal-search.js"
import { emptyStore } from "#dist/personal/personal-store.js"
import { ProfileFile } from "#dist/personal/profile-file.js"
import { fuseBorda, upRank, uscores } from "#dist/personal/rank.js"
import { encodeStore } from "#dist/personal/store-json.js"
import { type TopicSearcher, topicSearcher } from "#dist/taxonomy/classify/topic-searcher.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import type { Taxonomy } from "#dist/taxonomy/taxonomy.js"
import type { Bench, Finding, Target } from "./case.ts"

const queries = 5000
const documents = 3000
const results = 100
/** The number of searches in a long day. */
const sessionQueries = 500

/**
 * Queries like those that people type: one to three topic names, more frequent topics more often, sometimes with a
 * common word in front.
 */
function makeQueries({ size, support, name }: Taxonomy, random: RandomSource, count: number): string[] {
  const common: number[] = []
  while (common.length < 4000) {
    const topic = 1 + random.below(size - 1)
    if ((support[topic] ?? 0) > random.below(20)) common.push(topic)
  }
  const words = ["", "", "free ", "best ", "pictures of ", "how to make "]
  return Array.from({ length: count }, () => {
    const topics = Array.from({ length: 1 + random.below(3) }, () => common[random.below(common.length)] ?? 1)
    return `${words[random.below(words.length)]}${topics.map(name).join(" ").replaceAll("_", " ").toLowerCase()}`
  })
}

/** A person with some thousand past searches, over all of WordNet. */
async function openPerson(): Promise<{ search: PersonalSearch; searcher: TopicSearcher; asked: string[] }> {
  const context = createContext({ workers: 1 })
  const taxonomy = await openTaxonomy(undefined, {}, context)
  const searcher = topicSearcher(taxonomy)
  const random = seededRandom(3)
  const pool = makeQueries(taxonomy, random, 1500)
  const pick = () => pool[random.below(pool.length)] ?? ""
  const store = emptyStore(taxonomy)
  const read = Array.from({ length: documents }, (_, i) => ({ query: pick(), text: pick(), time: i * 3600 }))
  await learnDocuments(store.interests, read, { searcher, context })
  const profile = store.interests.profile()
  const leaves = [...profile.topic].filter((_, node) => profile.end[node] === node + 1)
  store.sensitive = sensitiveTopics(
    taxonomy,
    leaves.filter((_, i) => i % 200 === 0).map((topic) => [topic, 1]),
  )
  return { search: new PersonalSearch(store, searcher), searcher, asked: Array.from({ length: queries }, pick) }
}

/** Times each action separately. The first tenth is warm-up and does not count. */
function timeEach<T>(items: readonly T[], action: (item: T) => void): Finding {
  const times: number[] = []
  const begun = performance.now()
  for (const item of items) {
    const start = performance.now()
    action(item)
    times.push(performance.now() - start)
  }
  const seconds = (performance.now() - begun) / 1000
  const counted = times.slice(Math.floor(items.length / 10)).sort((a, b) => a - b)
  const at = (share: number) => counted[Math.min(counted.length - 1, Math.floor(share * counted.length))] ?? 0
  return { count: items.length, seconds, medianMs: at(0.5), p99Ms: at(0.99) }
}

function millisecondsAtMost(name: string, key: "medianMs" | "p99Ms", most: number): Target {
  return {
    what: `${name}: ${key === "medianMs" ? "median" : "p99"}`,
    limit: `≤ ${most} ms`,
    check: (findings) => {
      const value = Number(findings.get(name)?.[key] ?? Number.NaN)
      return { value: `${value.toFixed(2)} ms`, met: value <= most }
    },
  }
}

const exposing = "query to exposure, learning"
const mapping = "mapping alone"
const ranking = "ranking 100 results"
const saving = "saving the profile"

export const personalMapping: Bench = {
  name: "personal-mapping",
  prepare: async () => {},
  cases: [
    {
      name: exposing,
      run: async () => {
        const { search, asked } = await openPerson()
        let exposed = 0
        const finding = timeEach([...asked.entries()], ([time, query]) => {
          const session = String(Math.floor(time / sessionQueries))
          const options: AskOptions = {
            engine: "one",
            session,
            delta: 0.1,
            sessionDelta: 0.3,
            sensitiveQueries: "send",
          }
          const decided = search.ask(query, options)
          search.record(decided, { ...options, time })
          if (decided.decision.outcome === "exposed") exposed++
          const [topic] = decided.relevant.topic
          if (topic !== undefined) search.store.interests.add(topic, { day: 0 })
        })
        const whole = encodeStore(search.store).length
        search.store.history.delete(() => true)
        const bytesPerExposure = Math.round((whole - encodeStore(search.store).length) / exposed)
        return { ...finding, exposed, bytesPerExposure, topics: search.store.interests.profile().size }
      },
    },
    {
      name: mapping,
      run: async () => {
        const { searcher, asked } = await openPerson()
        return timeEach(asked, (query) => void mapQuery(searcher, query))
      },
    },
    {
      name: ranking,
      run: async () => {
        const { searcher, asked } = await openPerson()
        const { taxonomy } = searcher
        const random = seededRandom(8)
        const texts = Array.from({ length: results * 20 }, () => taxonomy.text(1 + random.below(taxonomy.size - 1)))
        return timeEach(asked.slice(0, 500), (query) => {
          const relevant = mapQuery(searcher, query)
          const from = random.below(texts.length - results)
          const scores = uscores(texts.slice(from, from + results), {
            searcher,
            relevant,
            shown: [0, ...relevant.topic],
          })
          fuseBorda([Uint32Array.from(scores, (_, i) => i), upRank(scores)])
        })
      },
    },
    {
      name: saving,
      run: async () => {
        const { search } = await openPerson()
        const folder = await mkdtemp(join(tmpdir(), "queryveil-bench-"))
        try {
          const path = join(folder, "mine.profile")
          const begun = performance.now()
          const file = await ProfileFile.create(path, { passphrase: "bench", store: search.store })
          const createMs = performance.now() - begun
          const start = performance.now()
          for (let i = 0; i < 20; i++) await file.save()
          const seconds = (performance.now() - start) / 1000
          return { count: 20, seconds, createMs, medianMs: (seconds * 1000) / 20 }
        } finally {
          await rm(folder, { recursive: true, force: true })
        }
      },
    },
  ],
  targets: [
    millisecondsAtMost(exposing, "medianMs", 5),
    millisecondsAtMost(exposing, "p99Ms", 20),
    millisecondsAtMost(mapping, "medianMs", 1),
    millisecondsAtMost(ranking, "medianMs", 10),
  ],
}
