import type { RunContext } from "../../kernels/context.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { queriesOfUser } from "../../measures/degree-curves.ts"
import { generalisedNcpByK } from "../../measures/generalisation-curve.ts"
import { countConcepts } from "../../methods/wordnet/audit.ts"
import { cutTree, generaliseQueries, type PlacedQueries, placeQueries } from "../../methods/wordnet/place-queries.ts"
import { countUnplaced, countWords } from "../../methods/wordnet/wordnet.ts"
import { conceptLabel } from "../../wordnet/concept-label.ts"
import type { Point, TableData } from "../study.ts"

/**
 * Tables of WordNet generalisation in one mode: NCP by k, the words that match nothing, and the queries of chosen users
 * by k.
 */
export async function generalisedTables(
  point: Point,
  log: SearchLog,
  { ks }: { ks: readonly number[] },
  context: RunContext,
): Promise<Record<string, TableData>> {
  const split = point.split === "greedy" ? ("greedy" as const) : ("finest" as const)
  const match = point.match === "all" ? ("all" as const) : ("content" as const)
  const counts = point.counts === "queries" ? ("queries" as const) : ("users" as const)
  const placed = await placeQueries(log, { match, counts }, context)
  const curve = await generalisedNcpByK(log, { placed, ks, split }, context)
  const { all, unmatched } = countWords(log, placed.chosen)
  const users: string[] = JSON.parse(String(point.users))
  return {
    ncp: { columns: ["k", "ncp"], rows: curve.map(({ k, ncp }) => [k, ncp]) },
    words: {
      columns: ["words of all searches", "that match no noun", "share", "distinct queries", "without a noun"],
      rows: [[all, unmatched, unmatched / Math.max(1, all), log.queries.size, countUnplaced(log, placed.chosen)]],
    },
    ...(point.depth === undefined ? {} : { level: levelTable(log, placed, { depth: Number(point.depth) }) }),
    userConcepts: userConcepts(log, placed, { users, ks, split }),
  }
}

/**
 * Table 5: queries, searches and users of each concept of the first levels. Deeper concepts are generalised to the last
 * of these levels.
 */
function levelTable(log: SearchLog, { tree, home, wordnet }: PlacedQueries, { depth }: { depth: number }): TableData {
  const cut = cutTree(tree, depth)
  const counts = countConcepts(
    log,
    home.map((synset) => cut[synset] ?? tree.root),
  )
  const level = new Map([[tree.root, 1]])
  for (const synset of tree.order) {
    if (cut[synset] === synset) level.set(synset, (level.get(tree.parent[synset] ?? -1) ?? 0) + 1)
  }
  const isUsed = new Set<number>()
  for (const used of counts.synsets) {
    for (let at = used; at >= 0 && !isUsed.has(at); at = tree.parent[at] ?? -1) isUsed.add(at)
  }
  const below = new Map<number, number[]>()
  for (const synset of isUsed) {
    const parent = tree.parent[synset] ?? -1
    below.set(
      parent,
      [...(below.get(parent) ?? []), synset].sort((a, b) => a - b),
    )
  }
  const listed: number[] = []
  const visit = (synset: number): void => {
    listed.push(synset)
    for (const child of below.get(synset) ?? []) visit(child)
  }
  if (isUsed.size > 0) visit(tree.root)
  return {
    columns: ["level", "concept", "queries", "searches", "users"],
    rows: listed.map((synset) => [
      level.get(synset) ?? 0,
      conceptLabel(wordnet, synset),
      counts.queries[synset] ?? 0,
      counts.events[synset] ?? 0,
      counts.users[synset] ?? 0,
    ]),
  }
}

/** The concepts that replace the queries of the named users, by k. Private. */
function userConcepts(
  log: SearchLog,
  placed: PlacedQueries,
  { users, ks, split }: { users: readonly string[]; ks: readonly number[]; split: "finest" | "greedy" },
): TableData {
  const theirs = users.flatMap((name, i) => queriesOfUser(log, name).map((query) => ({ user: i + 1, query })))
  if (theirs.length === 0) return { columns: ["user", "query"], rows: [] }
  const byK = ks.map((k) => generaliseQueries(placed, { k, split }))
  return {
    columns: ["user", "query", ...ks.map((k) => `k = ${k}`)],
    rows: theirs.map(({ user, query }) => [
      user,
      log.queries.text(query),
      ...byK.map((concept) => {
        const synset = concept[query] ?? -1
        return synset < 0 ? "" : conceptLabel(placed.wordnet, synset)
      }),
    ]),
  }
}
