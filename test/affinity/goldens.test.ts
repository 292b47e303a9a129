import { describe, expect, test } from "vitest"
import { anonymityDegrees } from "#dist/kernels/anonymity-degrees.js"
import { createContext } from "#dist/kernels/context.js"
import { joinSimilar } from "#dist/kernels/join-similar.js"
import type { UnitVectors } from "#dist/kernels/prefix-index.js"
import { readLog } from "#dist/log/read-log.js"
import type { SearchLog } from "#dist/log/search-log.js"
import { countQueries } from "#dist/log/statistics.js"
import { type ExpandedQueries, expandQueries } from "#dist/methods/affinity/expand-queries.js"
import { type Concepts, mineConcepts } from "#dist/methods/affinity/mine-concepts.js"
import { anonymize } from "#dist/release/anonymize.js"
import { tokeniseQueries } from "#dist/text/tokens.js"
import { aolText, type Search, timeAfter } from "../support/aol-log.ts"
import { scratchFolder } from "../support/scratch-folder.ts"

const { write } = scratchFolder()
const context = createContext({ workers: 1 })

/** One search per text, by the user in front of it, a minute apart. */
const logOf = async (...lines: readonly (readonly [string, string])[]): Promise<SearchLog> => {
  const rows = lines.map(([user, query], i): Search => ({ user, query, time: timeAfter(i * 60) }))
  return (await readLog(write(aolText(rows), "golden.tsv"), {}, context)).log
}

async function mine(log: SearchLog, minConceptUsers = 1) {
  const tokens = await tokeniseQueries(log.queries, {}, context)
  const { events, users } = countQueries(log)
  const rows = { user: log.user, query: log.query, queryEvents: events, queryUsers: users }
  const concepts = await mineConcepts(tokens, { rows, minConceptUsers, functionWords: [] }, context)
  const text = (i: number, id: number): string => {
    const last = tokens.words.text(concepts.ngrams[i].last[id])
    return i === 0 ? last : `${text(i - 1, concepts.ngrams[i].prefix[id])} ${last}`
  }
  return { tokens, concepts, text }
}

/** The weight of every concept by its words. */
async function weightsOf(log: SearchLog): Promise<Map<string, number>> {
  const { concepts, text } = await mine(log)
  return new Map(
    concepts.conceptOf.flatMap((ids, i) =>
      Array.from(ids, (concept, id): [string, number] => [text(i, id), concepts.weight[concept]]),
    ),
  )
}

/** The vectors of a log's queries with given weights. What is not listed is not a concept. */
async function expandWith(log: SearchLog, weights: Readonly<Record<string, number>>): Promise<ExpandedQueries> {
  const { tokens, concepts, text } = await mine(log)
  const listed = Object.keys(weights)
  const conceptOf = concepts.conceptOf.map((ids, i) => ids.map((_, id) => listed.indexOf(text(i, id))))
  const injected: Concepts = {
    ...concepts,
    conceptOf,
    size: listed.length,
    weight: Float64Array.from(Object.values(weights)),
  }
  return expandQueries(tokens, injected, { minTermUsers: 1 })
}

function cosine({ offsets, dims, weights }: UnitVectors, a: number, b: number): number {
  let dot = 0
  for (let i = offsets[a]; i < offsets[a + 1]; i++) {
    for (let j = offsets[b]; j < offsets[b + 1]; j++) if (dims[i] === dims[j]) dot += weights[i] * weights[j]
  }
  return dot
}

describe("Carpineto & Romano 2015, §3.2", () => {
  const printed = { cell: 14.32, phone: 15.33, case: 13.24, nokia: 11.35, "cell phone": 10.8, "phone case": 6.95 }

  test("'cell phone case' and 'nokia 2651 cell phone case' have similarity 0.926 by the printed weights", async () => {
    const log = await logOf(["1", "cell phone case"], ["2", "nokia 2651 cell phone case"])
    const { vectorOf, vectors } = await expandWith(log, printed)
    expect(cosine(vectors, vectorOf[0], vectorOf[1])).toBeCloseTo(0.926, 3)
    for (const [theta, pairs] of [
      [0.92, 1],
      [0.926, 1],
      [0.927, 0],
    ]) {
      expect((await joinSimilar(vectors, { theta }, context)).neighbours.length).toBe(pairs * 2)
    }
  })

  test("the query 'a b c' has six concepts when all of its n-grams are", async () => {
    const { concepts } = await mine(await logOf(["1", "a b c"]))
    expect(concepts.size).toBe(6)
  })
})

describe("equations (1), (2) and (3)", () => {
  // Four events: 'a b', 'a b c', 'a a', and 'a b' again. Words: a 5, b 3, c 1 of 9. Bigrams: a b 3, b c 1, a a 1 of 5.
  const events = [
    ["1", "a b"],
    ["2", "a b c"],
    ["3", "a a"],
    ["3", "a b"],
  ] as const

  test("weigh a word by the events that contain it, each once", async () => {
    const weights = await weightsOf(await logOf(...events))
    expect(weights.get("a")).toBeCloseTo(Math.log2(4 + 1), 12)
    expect(weights.get("b")).toBeCloseTo(Math.log2(3 + 1), 12)
    expect(weights.get("c")).toBeCloseTo(Math.log2(1 + 1), 12)
  })

  test("weigh two words by how often they are neighbours, among all pairs, and each among all words", async () => {
    const weights = await weightsOf(await logOf(...events))
    expect(weights.get("a b")).toBeCloseTo(Math.log2(3 / 5 / ((5 / 9) * (3 / 9)) + 1), 12)
    expect(weights.get("b c")).toBeCloseTo(Math.log2(1 / 5 / ((3 / 9) * (1 / 9)) + 1), 12)
    expect(weights.get("a a")).toBeCloseTo(Math.log2(1 / 5 / ((5 / 9) * (5 / 9)) + 1), 12)
  })

  test("weigh three words against all ways to split them", async () => {
    const weights = await weightsOf(await logOf(...events))
    const apart = (5 / 9) * (3 / 9) * (1 / 9) + (5 / 9) * (1 / 5) + (3 / 5) * (1 / 9)
    expect(weights.get("a b c")).toBeCloseTo(Math.log2(1 / apart + 1), 12)
  })

  test("count one search with several clicks once, and a repeated search each time", async () => {
    const click = { rank: 1, url: "http://a" }
    const rows: Search[] = [
      { user: "1", query: "a", time: timeAfter(0), ...click },
      { user: "1", query: "a", time: timeAfter(0), rank: 2, url: "http://b" },
      { user: "1", query: "a", time: timeAfter(60) },
    ]
    const { log } = await readLog(write(aolText(rows), "clicks.tsv"), {}, context)
    expect((await weightsOf(log)).get("a")).toBeCloseTo(Math.log2(2 + 1), 12)
  })
})

describe("a query's vector", () => {
  test("has each of its concepts once: 'new york new york'", async () => {
    const log = await logOf(["1", "new york new york"], ["2", "new york"])
    const weights = { new: 3, york: 4, "new york": 12, "york new": 84 }
    const { vectors, vectorOf } = await expandWith(log, weights)
    const entries = (query: number) => {
      const [from, to] = [vectors.offsets[vectorOf[query]], vectors.offsets[vectorOf[query] + 1]]
      return Array.from({ length: to - from }, (_, i) => [vectors.dims[from + i], vectors.weights[from + i]])
    }
    // (3, 4, 12) has length 13. With 84 added, the length is 85.
    const scaled = (list: readonly number[], norm: number) =>
      list.map((weight, dim) => [dim, expect.closeTo(weight / norm, 12)])
    expect(entries(0)).toEqual(scaled([3, 4, 12, 84], 85))
    expect(entries(1)).toEqual(scaled([3, 4, 12], 13))
  })

  test("is the same for 'hotel cheap' and 'cheap hotel' at θ = 1 if neither pair is a concept", async () => {
    const log = await logOf(["1", "hotel cheap"], ["2", "cheap hotel"], ["3", "hotel"], ["4", "cheap"])
    const options = { k: 2, theta: 1, scrub: "none" }
    const released = async (method: "affinity", more = {}) => {
      const { rows } = await anonymize(log, { ...options, ...more, method }, context)
      return Array.from(rows.order, (row) => log.queries.text(rows.log.query[row])).sort()
    }
    expect(await released("affinity")).toEqual(["cheap hotel", "hotel cheap"])
    expect(await released("affinity", { minConceptUsers: 1 })).toEqual([])
    const { rows } = await anonymize(log, { k: 2, scrub: "none", method: "equality" }, context)
    expect(rows.order.length).toBe(0)
  })
})

describe("generalised cores of twelve vertices in three classes, as Fig. 3 is described", () => {
  // Two triangles of all classes; a black vertex between them with an asterisk of its own; a white vertex that is
  // connected only to a white one; a single vertex; and a pair.
  const classes = ["white", "black", "asterisk"]
  const vertices = [
    ["w1", "white", ["b1", "a1", "middle", "same"]],
    ["b1", "black", ["w1", "a1"]],
    ["a1", "asterisk", ["w1", "b1"]],
    ["w2", "white", ["b2", "a2", "middle"]],
    ["b2", "black", ["w2", "a2"]],
    ["a2", "asterisk", ["w2", "b2"]],
    ["middle", "black", ["w1", "w2", "leaf"]],
    ["leaf", "asterisk", ["middle"]],
    ["same", "white", ["w1"]],
    ["alone", "black", []],
    ["p", "black", ["q"]],
    ["q", "asterisk", ["p"]],
  ] as const

  test("have orders 0, 1 and 2, and a degree is an order plus one", () => {
    const names: string[] = vertices.map(([name]) => name)
    const lists = vertices.map(([, , near]) => near.map((name) => names.indexOf(name)).sort((a, b) => a - b))
    const offsets = [0]
    for (const list of lists) offsets.push((offsets.at(-1) ?? 0) + list.length)
    const graph = { offsets: Float64Array.from(offsets), neighbours: Int32Array.from(lists.flat()) }
    const users = {
      offsets: Uint32Array.from({ length: vertices.length + 1 }, (_, v) => v),
      users: Int32Array.from(vertices, ([, name]) => classes.indexOf(name)),
    }
    const degrees = anonymityDegrees(graph, users, { cap: 100 })
    const ofOrder = (order: number) => names.filter((_, v) => degrees[v] === order + 1)
    expect(ofOrder(2)).toEqual(["w1", "b1", "a1", "w2", "b2", "a2"])
    expect(ofOrder(1)).toEqual(["middle", "leaf", "p", "q"])
    expect(ofOrder(0)).toEqual(["same", "alone"])
  })
})
