import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { default as MiniSearch } from "minisearch"
import { createContext } from "#dist/kernels/context.js"
import { seededRandom } from "#dist/kernels/random.js"
import { sensitiveTopics } from "#dist/personal/cost-layer.js"
import { builtIn } from "#dist/personal/engines/built-in.js"
import type { SearchEngine } from "#dist/personal/engines/engine.js"
import { openGlossIndex } from "#dist/personal/engines/gloss-cache.js"
import { buildGlossIndex, glossSearcher } from "#dist/personal/engines/gloss-index.js"
import { topicFinder } from "#dist/personal/find-topics.js"
import { learnDocuments } from "#dist/personal/learn.js"
import { emptyStore } from "#dist/personal/personal-store.js"
import { ProfileFile } from "#dist/personal/profile-file.js"
import { PersonalProxy } from "#dist/personal/proxy/personal-proxy.js"
import { topicSearcher } from "#dist/taxonomy/classify/topic-searcher.js"
import { openTaxonomy } from "#dist/taxonomy/open-taxonomy.js"
import type { Taxonomy } from "#dist/taxonomy/taxonomy.js"
import { type Bench, type Finding, secondsAtMost, type Target } from "./case.ts"

const searches = 600
const results = 100
const documents = 3000

const open = () => openTaxonomy(undefined, {}, createContext({ workers: 1 }))

async function inFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "queryveil-bench-"))
  try {
    return await action(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Queries of one or two topic names, more frequent topics more often. */
function makeQueries({ size, support, name }: Taxonomy, count: number): string[] {
  const random = seededRandom(5)
  const pick = (): string => {
    const topic = 1 + random.below(size - 1)
    return (support[topic] ?? 0) > random.below(20) ? name(topic).replaceAll("_", " ") : pick()
  }
  return Array.from({ length: count }, () => (random.below(2) === 0 ? pick() : `${pick()} ${pick()}`))
}

/** An engine whose hundred results are available at once, so that only the proxy is timed. */
function instantEngine(taxonomy: Taxonomy, acceptsExposure: boolean): SearchEngine {
  const random = seededRandom(8)
  const topics = Array.from({ length: 20 * results }, () => 1 + random.below(taxonomy.size - 1))
  const texts = topics.map((topic) => ({ title: taxonomy.name(topic), url: null, snippet: taxonomy.text(topic) }))
  return {
    name: "instant",
    kind: "searxng",
    observer: "instant",
    acceptsExposure,
    search: async () => {
      const from = random.below(texts.length - results)
      return texts.slice(from, from + results)
    },
  }
}

/** A day of searching by someone with 3,000 past documents. The profile is in a file that is synced to disk. */
function searchThroughProxy(acceptsExposure: boolean): Promise<Finding> {
  return inFolder(async (folder) => {
    const taxonomy = await open()
    const searcher = topicSearcher(taxonomy)
    const store = emptyStore(taxonomy)
    const pool = makeQueries(taxonomy, 1500)
    const read = Array.from({ length: documents }, (_, i) => {
      const query = pool[i % pool.length] ?? ""
      return { query, text: query, time: i * 3600 }
    })
    await learnDocuments(store.interests, read, { searcher, context: createContext({ workers: 1 }) })
    const profile = store.interests.profile()
    const leaves = [...profile.topic].filter((_, node) => profile.end[node] === node + 1)
    store.sensitive = sensitiveTopics(
      taxonomy,
      leaves.filter((_, i) => i % 200 === 0).map((topic) => [topic, 1]),
    )
    store.settings = { sensitiveQueries: "send" }
    const file = await ProfileFile.create(join(folder, "profile.qvp"), { passphrase: "bench words", store })
    const engines = [instantEngine(taxonomy, acceptsExposure)]
    const proxy = new PersonalProxy({ file, searcher, engines, count: results })
    const { signal } = new AbortController()
    const times: number[] = []
    let sent = 0
    let processor = 0
    const begun = performance.now()
    for (let i = 0; i < searches; i++) {
      const before = process.cpuUsage()
      const found = await proxy.find(pool[(i * 7) % pool.length] ?? "", { signal })
      const { user, system } = process.cpuUsage(before)
      processor += (user + system) / 1000
      times.push(found.milliseconds.proxy)
      if (found.sent) sent++
      await proxy.close() // learned data is written between searches, as it is for a real person
    }
    const seconds = (performance.now() - begun) / 1000
    const counted = times.slice(searches / 10).sort((a, b) => a - b)
    const at = (share: number) => counted[Math.floor(share * counted.length)] ?? 0
    return {
      count: searches,
      seconds,
      medianMs: at(0.5),
      p99Ms: at(0.99),
      sent,
      topics: profile.size,
      processorMs: processor / searches,
    }
  })
}

function atMost(name: string, key: "medianMs" | "p99Ms", most: number): Target {
  return {
    what: `${name}: ${key === "medianMs" ? "median" : "p99"}`,
    limit: `≤ ${most} ms`,
    check: (findings) => {
      const value = Number(findings.get(name)?.[key] ?? Number.NaN)
      return { value: `${value.toFixed(2)} ms`, met: value <= most }
    },
  }
}

async function timed<T>(count: number, action: () => T | Promise<T>): Promise<Finding> {
  const begun = performance.now()
  await action()
  return { count, seconds: (performance.now() - begun) / 1000 }
}

const miniOptions = { fields: ["name", "text"] }

function miniIndex(taxonomy: Taxonomy): MiniSearch {
  const index = new MiniSearch(miniOptions)
  for (let id = 1; id < taxonomy.size; id++) index.add({ id, name: taxonomy.name(id), text: taxonomy.text(id) })
  return index
}

const home = "ranked at home"
const away = "exposure sent, ranked by the engine"
const load = "loading the index"

export const proxyBench: Bench = {
  name: "proxy",
  prepare: async () => {},
  cases: [
    { name: home, run: () => searchThroughProxy(false) },
    { name: away, run: () => searchThroughProxy(true) },
    {
      name: "building the index",
      run: async () => {
        const taxonomy = await open()
        return timed(taxonomy.size, () => buildGlossIndex(taxonomy))
      },
    },
    {
      name: load,
      run: () =>
        inFolder(async (folder) => {
          const taxonomy = await open()
          await openGlossIndex(taxonomy, { folder })
          return timed(taxonomy.size, () => openGlossIndex(taxonomy, { folder }))
        }),
    },
    {
      name: "searching the index",
      run: async () => {
        const taxonomy = await open()
        const find = glossSearcher(buildGlossIndex(taxonomy))
        const asked = makeQueries(taxonomy, 5000)
        return timed(asked.length, () => {
          for (const query of asked) find(query, 50)
        })
      },
    },
    {
      name: "finding topics while typing",
      run: async () => {
        const taxonomy = await open()
        const find = topicFinder(taxonomy, buildGlossIndex(taxonomy))
        // Every prefix of a name, from two letters on.
        const typed = makeQueries(taxonomy, 500).flatMap((name) =>
          Array.from({ length: Math.max(0, name.length - 1) }, (_, i) => name.slice(0, i + 2)),
        )
        return timed(typed.length, () => {
          for (const text of typed) find(text, { count: 20 })
        })
      },
    },
    {
      name: "searching and ranking, built-in",
      run: async () => {
        const taxonomy = await open()
        const engine = await builtIn(topicSearcher(taxonomy))
        const asked = makeQueries(taxonomy, 2000)
        const { signal } = new AbortController()
        return timed(asked.length, async () => {
          for (const query of asked)
            await engine.search(query, { signal, count: results, exposure: { paths: ["", "animal"] } })
        })
      },
    },
    {
      name: "minisearch: building",
      run: async () => {
        const taxonomy = await open()
        return timed(taxonomy.size, () => miniIndex(taxonomy))
      },
    },
    {
      name: "minisearch: loadJSON",
      run: async () => {
        const taxonomy = await open()
        const json = JSON.stringify(miniIndex(taxonomy))
        return timed(taxonomy.size, () => MiniSearch.loadJSON(json, miniOptions))
      },
    },
  ],
  targets: [
    atMost(home, "medianMs", 10),
    atMost(home, "p99Ms", 40),
    atMost(away, "medianMs", 10),
    atMost(away, "p99Ms", 40),
    secondsAtMost(load, 0.5),
  ],
}
