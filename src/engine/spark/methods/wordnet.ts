import type { RunContext } from "../../../kernels/context.ts"
import type { Table } from "../../../kernels/table.ts"
import { generalisationGuarantee } from "../../../methods/query-guarantees.ts"
import { type ConceptTree, growConceptTree } from "../../../methods/wordnet/concept-tree.ts"
import { partitionTree, type TreeItems } from "../../../methods/wordnet/partition.ts"
import { cutTree } from "../../../methods/wordnet/place-queries.ts"
import { countsTexts } from "../../../methods/wordnet/wordnet.ts"
import { conceptLabel } from "../../../wordnet/concept-label.ts"
import { openWordNet } from "../../../wordnet/open-wordnet.ts"
import { answersIn, kernelTable } from "../kernel-table.ts"
import type { ScrubbedLog } from "../log/cluster-log.ts"
import { readTable } from "../read-table.ts"
import { readNumbers, readRows } from "../read-values.ts"
import type { RowPlan } from "./row-plan.ts"

const homesView = "queryveil_homes"
const conceptsView = "queryveil_concepts"

/**
 * Generalisation on a cluster. A kernel finds the concept of each distinct query. Of the users of a concept, at most k
 * come to the driver: more cannot change which concepts have k users. The driver then rolls them up the tree, level by
 * level, with the code of the single process.
 */
export const wordnetPlan: RowPlan = {
  refuse({ match, split }) {
    if (match !== "content") return "--match all places a query by all other queries, which fit no task"
    return split === "finest" ? undefined : "--split greedy needs all users of all concepts in one place"
  },
  async decide(log, { parameters, wantsAudit }, context) {
    const { session, unit } = log
    const [k, byUser] = [Number(parameters.k), parameters.counts === "users"]
    const counts = byUser ? "users" : "queries"
    const placed = await placeOnCluster(log, context)
    const words = await openWordNet({}, context)
    const tree = growConceptTree(words)
    const home = homesOf(tree, parameters.depth)
    const synsets = Array.from({ length: home.length + 1 }, (_, at) => at - 1)
    const homeOf = (synset: number) => (synset < 0 ? (home[tree.root] ?? tree.root) : (home[synset] ?? tree.root))
    await session.createView(homesView, {
      c: { type: "int", values: synsets },
      home: { type: "int", values: synsets.map(homeOf) },
    })
    const items = await readItems({ ...log, queries: placed }, { k, byUser }, context)
    const standsFor = partitionTree(tree, items, { k })
    const released = items.at.length > 0 && (standsFor[tree.root] ?? -1) !== -1
    const conceptOf = (synset: number) => standsFor[homeOf(synset)] ?? -1
    const labels = new Map<number, string>()
    const labelOf = (synset: number) => {
      const concept = conceptOf(synset)
      const label = labels.get(concept) ?? (concept < 0 ? "" : conceptLabel(words, concept))
      labels.set(concept, label)
      return label
    }
    await session.createView(conceptsView, {
      c: { type: "int", values: synsets },
      f: { type: "int", values: synsets.map(conceptOf) },
      shown: { type: "string", values: synsets.map(labelOf) },
    })
    const concepts = `(SELECT q, shown, CAST(f AS BIGINT) AS f FROM ${placed} JOIN ${conceptsView} USING (c))`
    return {
      guarantee: generalisationGuarantee({ k, counted: unit, counts }),
      ...(await countWords({ ...log, queries: placed }, { released }, context)),
      warnings: counts === "queries" && released ? [countsTexts] : [],
      audit: wantsAudit ? await auditConcepts({ ...log, queries: placed }, { concepts, released }, context) : {},
      shown: released ? concepts : `(SELECT * FROM ${concepts} WHERE false)`,
    }
  },
}

/** By synset: the concept at which its queries are, no deeper than `depth`. */
function homesOf(tree: ConceptTree, depth: unknown): Int32Array {
  return typeof depth === "number" ? cutTree(tree, depth) : Int32Array.from(tree.parent, (_, synset) => synset)
}

/** A query in brackets of the distinct queries that were not scrubbed, with their concepts (`c`, `w`, `m`). */
async function placeOnCluster({ session, queries }: ScrubbedLog, { signal }: RunContext): Promise<string> {
  const table = await kernelTable(session, {
    ...{ stage: "finding nouns", signal },
    kernel: "nouns",
    input: `SELECT q, users, events, n FROM ${queries} WHERE s = 0`,
    expected: `SELECT count(*) FROM ${queries} WHERE s = 0`,
    columns: "q STRING, users BIGINT, events BIGINT, n BIGINT, c INT, w INT, m INT",
    needed: ["q"],
  })
  return answersIn(table)
}

/**
 * Of each concept, at most k users (or queries) that searched for it, and its searches. The partition asks only which
 * concepts have k users, so it is that of all users.
 */
async function readItems(
  { session, rows, queries }: ScrubbedLog,
  { k, byUser }: { k: number; byUser: boolean },
  { signal }: RunContext,
): Promise<TreeItems> {
  const running = { stage: "splitting", signal }
  const homes = `(SELECT q, events, home FROM ${queries} JOIN ${homesView} USING (c))`
  const searches = new Map<number, number>()
  const counted = byUser ? "sum(events)" : "count(*)"
  for await (const [home, count] of readRows(session, `SELECT home, ${counted} FROM ${homes} GROUP BY home`, running))
    searches.set(Number(home), Number(count))
  const pairs = byUser
    ? `SELECT DISTINCT home, a.u AS who FROM ${rows} a JOIN ${homes} b ON a.q = b.q`
    : `SELECT home, q AS who FROM ${homes}`
  const ranked = `SELECT home, who, row_number() OVER (PARTITION BY home ORDER BY who) AS place FROM (${pairs})`
  const [at, user, weight]: number[][] = [[], [], []]
  const ids = new Map<string, number>()
  const few = `SELECT home, sha2(who, 256) AS who FROM (${ranked}) WHERE place <= ${k}`
  for await (const [home, who] of readRows(session, few, running)) {
    const [node, name] = [Number(home), String(who)]
    const id = ids.get(name) ?? ids.size
    ids.set(name, id)
    at?.push(node)
    user?.push(id)
    weight?.push(searches.get(node) ?? 0)
    searches.delete(node) // the first item of a concept stands for all of its searches
  }
  return {
    at: Int32Array.from(at ?? []),
    user: Int32Array.from(user ?? []),
    users: ids.size,
    weight: Float64Array.from(weight ?? []),
  }
}

/** The words of all searches, and how many of them no noun of WordNet contains. */
async function countWords(
  { session, queries }: ScrubbedLog,
  { released }: { released: boolean },
  { signal }: RunContext,
): Promise<{ withheld: Record<string, number>; measured: Record<string, number> }> {
  const sums = ["n", "w * events", "(w - m) * events"].map((what) => `coalesce(sum(${what}), 0)`)
  const sql = `SELECT ${[...sums, "count_if(c < 0)"].join(", ")} FROM ${queries}`
  const [rows = 0, all = 0, unmatched = 0, unplaced = 0] = await readNumbers(session, sql, {
    stage: "splitting",
    signal,
  })
  return {
    withheld: {
      ...(released ? {} : { "rows of a log under k": rows }),
      "words of all searches": all,
      "words that match no noun of WordNet": unmatched,
    },
    measured: {
      "share of words that match no noun": all === 0 ? 0 : unmatched / all,
      "queries without a noun": unplaced,
    },
  }
}

/** Every query with its concept, and every concept with its counts. */
async function auditConcepts(
  { session, rows, queries }: ScrubbedLog,
  { concepts, released }: { concepts: string; released: boolean },
  { signal }: RunContext,
): Promise<Record<string, Table>> {
  const running = { stage: "reading audit", signal }
  const all = await readTable(session, `SELECT q AS query, shown AS concept FROM ${concepts}`, running)
  const where = released ? "" : "WHERE false"
  const counts = "count(*) AS queries, sum(events) AS events"
  const sums = `SELECT shown, ${counts} FROM ${concepts} JOIN ${queries} USING (q) GROUP BY shown`
  const users = `SELECT shown, count(DISTINCT u) AS users FROM ${rows} JOIN ${concepts} USING (q) GROUP BY shown`
  const both = `(${sums}) JOIN (${users}) USING (shown) ${where}`
  const counted = `SELECT shown AS concept, queries, events, users FROM ${both}`
  return { queries: all, concepts: await readTable(session, counted, running) }
}
