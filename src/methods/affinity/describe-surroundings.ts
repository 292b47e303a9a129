import { type Table, tableOf } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { ExplanationGraph } from "../explanation.ts"
import type { ExpandedLog } from "./affinity-graph.ts"
import { growSurroundings, type Neighbours, peelSurroundings, type Surroundings } from "./approximate.ts"
import { auditConcepts } from "./audit.ts"

/** How many neighbours the table lists, and how many vertices the graph has, with the edges between them. */
const [shownNeighbours, listedVertices] = [50, 200]

/** The queries around an expanded query. */
export interface QuerySurroundings {
  /** How many queries are θ-affine to it. The table has the most similar ones. */
  affine: number
  neighbours: Table
  /** As Fig. 4 of Carpineto & Romano 2015. */
  graph: ExplanationGraph
}

/**
 * Describes the queries that are affine to a query, and the graph around it. `degreeOf` gives the degree of each
 * vector. Without it, degrees are computed in the surroundings alone and are lower bounds.
 */
export function describeSurroundings(
  log: SearchLog,
  built: ExpandedLog,
  options: { query: number; neighbours: Neighbours; vmax: number; degreeOf?: ((vector: number) => number) | undefined },
): QuerySurroundings {
  const { query, degreeOf } = options
  const { counts, expanded, users } = built
  const around = growSurroundings(options.neighbours, expanded.vectorOf[query], options)
  const degrees =
    degreeOf === undefined ? peelSurroundings(around, users) : Uint32Array.from(around.vectors, (v) => degreeOf(v))
  const members = queriesOf(built, around)
  const near = [0, ...around.near[0]].flatMap((place) =>
    members[place]
      .filter((other) => other !== query)
      .map((other) => {
        const cosine = cosineOf(built, around.vectors[0], around.vectors[place])
        return { text: log.queries.text(other), cosine, users: counts.users[other], degree: degrees[place] }
      }),
  )
  near.sort((a, b) => b.cosine - a.cosine || b.users - a.users || (a.text < b.text ? -1 : 1))
  const rows = near.slice(0, shownNeighbours).map((one) => [one.text, one.cosine.toFixed(3), one.users, one.degree])
  return {
    affine: near.length,
    neighbours: tableOf(["query", "cosine", "users", "degree"], rows),
    graph: drawGraph(log, built, { query, around, degrees, members }),
  }
}

/** One vertex per query, as in the paper's Fig. 4. Queries with the same vector are connected with each other. */
function drawGraph(
  log: SearchLog,
  { counts }: ExpandedLog,
  options: { query: number; around: Surroundings; degrees: Uint32Array; members: number[][] },
): ExplanationGraph {
  const { query, around, degrees, members } = options
  const core = new Set(coreOf(around, degrees))
  const all = members.flatMap((queries, place) => queries.map((one) => ({ one, place })))
  const inCore = all.filter(({ place }) => core.has(place)).length
  const queries = all.length
  const first = all.findIndex(({ one }) => one === query)
  const listed = [...all.splice(first, 1), ...all].slice(0, listedVertices)
  const isNear = around.near.map((places) => new Set(places))
  const edges: [number, number][] = []
  listed.forEach(({ place }, i) => {
    for (let j = i + 1; j < listed.length; j++) {
      if (listed[j].place === place || isNear[place].has(listed[j].place)) edges.push([i, j])
    }
  })
  const vertices = listed.map(({ one, place }) => ({
    query: log.queries.text(one),
    users: counts.users[one],
    degree: degrees[place],
    isCore: core.has(place),
  }))
  return { vertices, edges, queries, vectors: around.vectors.length, inCore, closed: around.closed }
}

/** By vector of the surroundings: its queries that somebody issued, those with most users first. */
function queriesOf({ counts, expanded }: ExpandedLog, { vectors }: Surroundings): number[][] {
  const place = new Map(vectors.map((vector, i) => [vector, i]))
  const members: number[][] = vectors.map(() => [])
  expanded.vectorOf.forEach((vector, query) => {
    if (counts.users[query] > 0) members[place.get(vector) ?? -1]?.push(query)
  })
  for (const list of members) list.sort((a, b) => counts.users[b] - counts.users[a] || a - b)
  return members
}

/** Indices that are connected with the first through vertices of at least its degree. */
function coreOf({ near }: Surroundings, degrees: Uint32Array): number[] {
  const core = new Set([0])
  for (const place of core) for (const other of near[place]) if (degrees[other] >= degrees[0]) core.add(other)
  return [...core].sort((a, b) => a - b)
}

/** The concepts of a query with their weights, the heaviest first. */
export function conceptsOf({ tokens, concepts }: ExpandedLog, query: number): Table {
  const found = new Set<number>()
  for (let token = tokens.offsets[query]; token < tokens.offsets[query + 1]; token++) {
    for (let i = 0; i < concepts.ngrams.length && token + i < tokens.offsets[query + 1]; i++) {
      const concept = concepts.conceptOf[i][concepts.ngrams[i].at[token]]
      if (concept >= 0) found.add(concept)
    }
  }
  const table = auditConcepts({ tokens, concepts })
  const list = [...found].map((concept) => ({ text: String(table.cell(concept, 0)), weight: concepts.weight[concept] }))
  list.sort((a, b) => b.weight - a.weight || (a.text < b.text ? -1 : 1))
  return tableOf(
    ["concept", "weight"],
    list.map(({ text, weight }) => [text, weight.toFixed(2)]),
  )
}

function cosineOf({ expanded: { vectors } }: ExpandedLog, a: number, b: number): number {
  const { offsets, dims, weights } = vectors
  let dot = 0
  for (let i = offsets[a], j = offsets[b]; i < offsets[a + 1] && j < offsets[b + 1]; ) {
    if (dims[i] === dims[j]) dot += weights[i++] * weights[j++]
    else if (dims[i] < dims[j]) i++
    else j++
  }
  return dot
}
