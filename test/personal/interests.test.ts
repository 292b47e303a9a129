import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContext } from "#dist/kernels/context.js"
import { readLog } from "#dist/log/read-log.js"
import { detectTopic } from "#dist/personal/detect-topic.js"
import { dayOf, Interests } from "#dist/personal/interests.js"
import { documentsOf, learnDocuments, wordsOfUrl } from "#dist/personal/learn.js"
import { dropOverlaps, mapQuery } from "#dist/personal/map-query.js"
import { emptyStore, forgetDay, forgetTopic } from "#dist/personal/personal-store.js"
import { isEmpty } from "#dist/personal/profile.js"
import { seedProfile } from "#dist/personal/seed-profile.js"
import { nodeOf, pathOf } from "#dist/personal/topic-tree.js"
import { aolText } from "../support/aol-log.ts"
import { scratchFolder } from "../support/scratch-folder.ts"
import { sampleTree } from "./sample-tree.ts"

const tree = sampleTree()
const taxonomy = await tree.open()
const searcher = await tree.searcher()
const { write } = scratchFolder()
const context = createContext({ workers: 1 })
const topicOf = (path: string) => taxonomy.find(path)

/** Every topic of a person's profile with its support. */
function supportsOf(interests: Interests): Record<string, number> {
  const profile = interests.profile()
  return Object.fromEntries(Array.from(profile.support, (support, node) => [pathOf(profile, node), support]))
}

describe("interests", () => {
  test("add up in the tree: a topic has its own documents and those below it", () => {
    const interests = new Interests(taxonomy)
    interests.add(topicOf("Arts/Music/Artists/Eagles"), { day: 1, count: 3 })
    interests.add(topicOf("Arts/Music/Instrument/Harmonica"), { day: 1 })
    interests.add(topicOf("Arts/Music"), { day: 2, count: 2 })
    interests.add(topicOf("Sports/Ice skating/Figure"), { day: 2 })
    expect(supportsOf(interests)).toEqual({
      "": 7,
      Arts: 6,
      "Arts/Music": 6,
      "Arts/Music/Artists": 3,
      "Arts/Music/Artists/Eagles": 3,
      "Arts/Music/Instrument": 1,
      "Arts/Music/Instrument/Harmonica": 1,
      Sports: 1,
      "Sports/Ice skating": 1,
      "Sports/Ice skating/Figure": 1,
    })
  })

  test("that are forgotten leave the profile as if they had never been learned", () => {
    const entry = fc.record({
      topic: fc.integer({ min: 1, max: taxonomy.size - 1 }),
      day: fc.integer({ min: 0, max: 4 }),
    })
    const choice = fc.record({
      topic: fc.integer({ min: 1, max: taxonomy.size - 1 }),
      day: fc.integer({ min: 0, max: 4 }),
    })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), choice, (entries, { topic, day }) => {
        const without = new Interests(taxonomy)
        const all = new Interests(taxonomy)
        for (const one of entries) {
          all.add(one.topic, one)
          const isForgotten = one.day === day || (one.topic >= topic && one.topic < Number(taxonomy.end[topic]))
          if (!isForgotten) without.add(one.topic, one)
        }
        const counted = entries.length
        const forgotten = all.forgetTopic(topic) + all.forgetDays(day)
        expect([...all.days()]).toEqual([...without.days()])
        expect(supportsOf(all)).toEqual(supportsOf(without))
        expect(supportsOf(all)[""]).toBe(counted - forgotten)
      }),
    )
  })

  test("that are empty give an empty profile, from which no query exposes anything", () => {
    const profile = new Interests(taxonomy).profile()
    expect(isEmpty(profile)).toBe(true)
    expect(seedProfile(profile, mapQuery(searcher, "eagles"))).toBeUndefined()
  })

  test("have only topics of the taxonomy, and whole numbers of documents", () => {
    const interests = new Interests(taxonomy)
    for (const topic of [-1, 0, taxonomy.size, 1.5, Number.NaN])
      expect(() => interests.add(topic, { day: 0 })).toThrow()
    for (const count of [0, -1, 0.5]) expect(() => interests.add(1, { day: 0, count })).toThrow()
  })
})

describe("the topic of a document", () => {
  test("is one that its query retrieves, chosen by the words of the document", () => {
    const detect = (query: string, text: string) => taxonomy.path(detectTopic(searcher, { query, text }))
    expect(detect("eagles", "eagles hotel california guitar")).toBe("Arts/Music/Artists/Eagles")
    expect(detect("eagles", "eagles philadelphia quarterback")).toBe("Sports/Football/Eagles")
    expect(detect("eagles", "eagles raptor nest")).toBe("Science/Birds/Eagles")
    // Words of a topic that the query does not retrieve do not matter.
    expect(detect("harmonica", "philadelphia quarterback touchdown")).toBe("Arts/Music/Instrument/Harmonica")
  })

  test("is none if its words are unknown", () => {
    expect(detectTopic(searcher, { text: "zzzz qqqq" })).toBe(-1)
  })
})

describe("a click log", () => {
  const path = write(
    aolText([
      {
        user: "a",
        query: "eagles",
        time: "2006-03-01 10:00:00",
        rank: 1,
        url: "http://philadelphia.example/quarterback",
      },
      {
        user: "a",
        query: "eagles",
        time: "2006-03-02 10:00:00",
        rank: 2,
        url: "http://www.nest.example/raptor-talons",
      },
      { user: "a", query: "zzzz", time: "2006-03-02 11:00:00" },
      { user: "b", query: "harmonica", time: "2006-03-02 11:00:00" },
    ]),
  )

  test("of one user becomes a profile, with a document for each click and each search without a click", async () => {
    const { log } = await readLog([path], {}, context)
    const interests = new Interests(taxonomy)
    const documents = documentsOf(log, { user: "a" })
    expect(await learnDocuments(interests, documents, { searcher, context })).toEqual({ documents: 3, placed: 2 })
    const found = [...interests.days()].map(({ day, topics }) => [day, topics.map(([topic]) => taxonomy.path(topic))])
    const day = dayOf(Date.UTC(2006, 2, 1) / 1000)
    expect(found).toEqual([
      [day, ["Sports/Football/Eagles"]],
      [day + 1, ["Science/Birds/Eagles"]],
    ])
  })

  test("that is cancelled while it is read teaches nothing", async () => {
    const interests = new Interests(taxonomy)
    const stop = new AbortController()
    const documents = Array.from({ length: 600 }, () => ({
      query: "harmonica",
      text: "harmonica",
      time: 1_700_000_000,
    }))
    const stopped = createContext({ signal: stop.signal, report: ({ done }) => done >= 512 && stop.abort() })
    const learned = learnDocuments(interests, documents, { searcher, context: stopped })
    await expect(learned).rejects.toMatchObject({ code: "interrupted" })
    expect([...interests.days()]).toEqual([])
  })

  test("of several users needs --user, and the error repeats no user", async () => {
    const { log } = await readLog([path], {}, context)
    expect(() => documentsOf(log, {})).toThrow(expect.objectContaining({ code: "usage" }))
    expect(() => documentsOf(log, { user: "nobody" })).toThrow(
      expect.objectContaining({ code: "unknown-name", message: expect.not.stringContaining("nobody") }),
    )
  })

  test("has addresses, and their words count", () => {
    expect(wordsOfUrl("https://www.garden-shed.com/tools/spade_and-fork.html?id=42&q=oak")).toBe(
      "www.garden-shed.com tools spade and-fork.html oak",
    )
  })
})

describe("the relevant set of a query", () => {
  test("has every sense of an ambiguous word, with probabilities", () => {
    const { topic, probability } = mapQuery(searcher, "Eagles")
    expect(Array.from(topic, (id) => taxonomy.path(id))).toEqual([
      "Arts/Music/Artists/Eagles",
      "Science/Birds/Eagles",
      "Sports/Football/Eagles",
    ])
    expect(probability.reduce((sum, share) => sum + share)).toBeCloseTo(1, 12)
    expect(Math.max(...probability)).toBe(probability[2]) // it has the most support
  })

  test("prefers the sense that the other words suggest", () => {
    const [band, , team] = mapQuery(searcher, "eagles guitar").probability
    expect(band).toBeGreaterThan(Number(team))
  })

  test("never has a topic below another, and loses only the relevance of topics above", () => {
    const found = fc.array(
      fc.record({
        topic: fc.integer({ min: 1, max: taxonomy.size - 1 }),
        relevance: fc.double({ min: 0.01, max: 1, noNaN: true }),
      }),
    )
    fc.assert(
      fc.property(found, (topics) => {
        const kept = dropOverlaps(taxonomy, topics).sort(([a], [b]) => a - b)
        kept.forEach(([topic], i) => {
          if (i > 0) expect(topic).toBeGreaterThanOrEqual(Number(taxonomy.end[Number(kept[i - 1]?.[0])]))
        })
        const isCovered = (topic: number) =>
          kept.some(([other]) => other <= topic && topic < Number(taxonomy.end[other]))
        const covered = topics
          .filter(({ topic }) => isCovered(topic))
          .reduce((sum, { relevance }) => sum + relevance, 0)
        expect(kept.reduce((sum, [, relevance]) => sum + relevance, 0)).toBeCloseTo(covered, 9)
        // What is left out is above something that is kept.
        for (const { topic } of topics)
          if (!isCovered(topic))
            expect(kept.some(([other]) => topic < other && other < Number(taxonomy.end[topic]))).toBe(true)
      }),
    )
  })

  test("gives a seed profile of the person's topics, with preferences by support", () => {
    const interests = new Interests(taxonomy)
    interests.add(topicOf("Arts/Music/Artists/Eagles"), { day: 1, count: 3 })
    interests.add(topicOf("Sports/Football/Eagles"), { day: 1 })
    interests.add(topicOf("Adults"), { day: 1, count: 9 })
    const seed = seedProfile(interests.profile(), mapQuery(searcher, "eagles"))
    if (seed === undefined) throw new Error("no seed profile")
    expect(Array.from({ length: seed.size }, (_, node) => pathOf(seed, node))).toEqual([
      "",
      "Arts",
      "Arts/Music",
      "Arts/Music/Artists",
      "Arts/Music/Artists/Eagles",
      "Sports",
      "Sports/Football",
      "Sports/Football/Eagles",
    ])
    expect(seed.preference[nodeOf(seed, topicOf("Arts/Music/Artists/Eagles"))]).toBe(0.75)
  })
})

describe("forgetting", () => {
  test("a topic or a day takes it out of interests, history and sensitive topics", () => {
    const store = emptyStore(taxonomy)
    const figure = topicOf("Sports/Ice skating/Figure")
    store.interests.add(figure, { day: 3, count: 2 })
    store.interests.add(topicOf("Adults"), { day: 4 })
    const record = { engine: "e", session: "s", delta: 1, sessionDelta: 1, relevant: [] }
    const layer = { taxonomy: "t", sensitive: [] }
    store.history.add({ ...record, time: 3 * 86_400, exposed: ["", "Sports", "Sports/Ice skating"] }, layer)
    store.history.add({ ...record, time: 4 * 86_400, exposed: ["", "Adults"] }, layer)
    expect(forgetTopic(store, topicOf("Sports/Ice skating"))).toEqual({ documents: 2, exposures: 1 })
    expect(forgetDay(store, 4)).toEqual({ documents: 1, exposures: 1 })
    expect(isEmpty(store.interests.profile())).toBe(true)
    expect(store.history.records).toEqual([])
    expect([...store.history.layers]).toEqual([])
    expect([...store.history.deleted]).toEqual([["e", 2]])
  })
})
