import { anonymityDegrees } from "../../kernels/anonymity-degrees.ts"
import type { RunContext } from "../../kernels/context.ts"
import { joinSimilar } from "../../kernels/join-similar.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { type AffinityParameters, type ExpandedLog, expandLog } from "./affinity-graph.ts"
import { growSurroundings, openNeighbours, peelSurroundings, type Surroundings } from "./approximate.ts"
import { auditConcepts } from "./audit.ts"
import { type QueryState, queryStates } from "./expand-queries.ts"

/** Why a query has the degree it has. For the owner of the log: private. */
export interface QueryExplanation {
  query: string
  state: QueryState
  /** Distinct users of the query itself. */
  users: number
  degree: number
  /** Whether the degrees are lower bounds only. */
  bound: "exact" | "lower"
  /** Its concepts with their weights, the heaviest first. */
  concepts: { ngram: string; weight: number }[]
  /** The queries that are θ-affine to it, the most similar first. */
  neighbours: { query: string; cosine: number; users: number; degree: number }[]
  /** The queries around it as a graph, itself first: Fig. 4 of the paper. The nearest are vertices, all are counted. */
  graph: {
    vertices: GraphVertex[]
    edges: [number, number][]
    /** Queries around it, itself included, and the different sets of concepts that they have. */
    queries: number
    vectors: number
    /** How many of the queries belong with it to a set that gives it its degree. */
    inCore: number
    /** It is a whole component: nothing else is connected with it. */
    closed: boolean
  }
}

/** A query around another. Queries with the same concepts are affine to each other and have one degree. */
interface GraphVertex {
  query: string
  users: number
  degree: number
  isCore: boolean
}

/** Vertices that are listed, with the edges between them. */
const listedVertices = 200

/** Explains a query by its id in the log. With `approximate` only its surroundings are joined and peeled. */
export async function explainQuery(
  log: SearchLog,
  query: number,
  options: AffinityParameters & { approximate: boolean; vmax: number },
  context: RunContext,
): Promise<QueryExplanation> {
  const built = await expandLog(log, options, context)
  const { counts, expanded } = built
  const state = queryStates[expanded.state[query]]
  const own = { query: log.queries.text(query), state, users: counts.users[query] }
  const concepts = conceptsOf(built, query)
  if (state !== "expanded") {
    const graph = { vertices: [], edges: [], queries: 1, vectors: 0, inCore: 1, closed: true }
    return { ...own, degree: own.users, bound: "exact", concepts, neighbours: [], graph }
  }
  const { around, degrees } = await lookAround(log, built, { ...options, vector: expanded.vectorOf[query] }, context)
  const bound = options.approximate && !around.closed ? "lower" : "exact"
  const members = queriesOf(built, around)
  const neighbours = [0, ...around.near[0]].flatMap((place) =>
    members[place]
      .filter((other) => other !== query)
      .map((other) => {
        const cosine = cosineOf(built, around.vectors[0], around.vectors[place])
        return { query: log.queries.text(other), cosine, users: counts.users[other], degree: degrees[place] }
      }),
  )
  neighbours.sort((a, b) => b.cosine - a.cosine || b.users - a.users || (a.query < b.query ? -1 : 1))
  const graph = drawGraph(log, built, { query, around, degrees, members })
  return { ...own, degree: degrees[0], bound, concepts, neighbours, graph }
}

/** One vertex a query, as the paper's Fig. 4 has them: those of one vector are connected with each other. */
function drawGraph(
  log: SearchLog,
  { counts }: ExpandedLog,
  options: { query: number; around: Surroundings; degrees: Uint32Array; members: number[][] },
): QueryExplanation["graph"] {
  const { query, around, degrees, members } = options
  const core = new Set(coreOf(around, degrees))
  const all = members.flatMap((queries, place) => queries.map((one) => ({ one, place })))
  const inCore = all.filter(({ place }) => core.has(place)).length
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
  const queries = all.length + 1
  return { vertices, edges, queries, vectors: around.vectors.length, inCore, closed: around.closed }
}

/** The surroundings of a vector and the degrees there: of the whole graph, or as found in the surroundings alone. */
async function lookAround(
  log: SearchLog,
  { expanded, users }: ExpandedLog,
  options: { vector: number; theta: number; approximate: boolean; vmax: number },
  context: RunContext,
): Promise<{ around: Surroundings; degrees: Uint32Array }> {
  const { vector, theta, vmax } = options
  if (options.approximate) {
    const around = growSurroundings(openNeighbours(expanded.vectors, { theta }), vector, { vmax })
    return { around, degrees: peelSurroundings(around, users) }
  }
  const graph = await joinSimilar(expanded.vectors, { theta }, context)
  const neighbours = (v: number) => graph.neighbours.subarray(graph.offsets[v], graph.offsets[v + 1])
  const around = growSurroundings(neighbours, vector, { vmax })
  const degrees = anonymityDegrees(graph, users, { cap: log.users.size + 1 })
  return { around, degrees: Uint32Array.from(around.vectors, (v) => degrees[v]) }
}

/** The queries of each vector of the surroundings that somebody issued, those of most users first. */
function queriesOf({ counts, expanded }: ExpandedLog, { vectors }: Surroundings): number[][] {
  const place = new Map(vectors.map((vector, i) => [vector, i]))
  const members: number[][] = vectors.map(() => [])
  expanded.vectorOf.forEach((vector, query) => {
    if (counts.users[query] > 0) members[place.get(vector) ?? -1]?.push(query)
  })
  for (const list of members) list.sort((a, b) => counts.users[b] - counts.users[a] || a - b)
  return members
}

/** Places that are connected with the first by vertices of its degree or more. */
function coreOf({ near }: Surroundings, degrees: Uint32Array): number[] {
  const core = new Set([0])
  for (const place of core) for (const other of near[place]) if (degrees[other] >= degrees[0]) core.add(other)
  return [...core].sort((a, b) => a - b)
}

function conceptsOf({ tokens, concepts }: ExpandedLog, query: number): QueryExplanation["concepts"] {
  const found = new Set<number>()
  for (let token = tokens.offsets[query]; token < tokens.offsets[query + 1]; token++) {
    for (let i = 0; i < concepts.ngrams.length && token + i < tokens.offsets[query + 1]; i++) {
      const concept = concepts.conceptOf[i][concepts.ngrams[i].at[token]]
      if (concept >= 0) found.add(concept)
    }
  }
  const table = auditConcepts({ tokens, concepts })
  const list = [...found].map((concept) => ({
    ngram: String(table.cell(concept, 0)),
    weight: concepts.weight[concept],
  }))
  return list.sort((a, b) => b.weight - a.weight || (a.ngram < b.ngram ? -1 : 1))
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
