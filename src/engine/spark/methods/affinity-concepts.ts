import type { RunContext } from "../../../kernels/context.ts"
import { type Table, tableOf } from "../../../kernels/table.ts"
import { type AffinityParameters, functionWordList } from "../../../methods/affinity/affinity-graph.ts"
import { weighBigram, weighTrigram, weighWord } from "../../../methods/affinity/concept-weights.ts"
import { answersIn, kernelTable } from "../kernel-table.ts"
import type { ScrubbedLog } from "../log/cluster-log.ts"
import { makeTable } from "../make-table.ts"
import { readNumbers, readRows } from "../read-values.ts"
import { refuseLarge } from "./refuse-large.ts"

/** The longest n-grams that can be concepts. */
const longest = 3
/** Bytes that the driver needs for an n-gram beside its text. */
const ngramBytes = 300

/** A view of the n-grams that decide something: `g`, its concept (`c`, or NULL), the weight (`w`), and `common`. */
export const conceptsView = "queryveil_concepts"

/** An n-gram with its length and its counts over all searches. */
interface Ngram {
  n: number
  occurrences: number
  events: number
  users: number
}

/** A table of the n-grams of each query: `f` (the query), `g`, `n` (its words) and `c` (how often the query has it). */
export async function findNgrams(
  { session, queries }: ScrubbedLog,
  { tokens }: AffinityParameters,
  { signal }: RunContext,
): Promise<string> {
  const found = `FROM ${queries} WHERE s = 0`
  return kernelTable(session, {
    kernel: "ngrams",
    options: { tokens, longest },
    input: `SELECT q, f ${found}`,
    expected: `SELECT count(*) ${found}`,
    columns: "f BIGINT, g STRING, n INT, c INT",
    needed: ["g"],
    ...{ stage: "counting n-grams", signal },
  })
}

/**
 * Finds the concepts, weighs them at this machine with the code of the single process, and sends them to the cluster
 * as the view `conceptsView`. A word is `common` if enough users issued it. `pairs` is a table that has each pair of
 * user (`u`) and query (`f`) once. Returns the side table of the concepts.
 */
export async function mineClusterConcepts(
  log: ScrubbedLog,
  tables: { ngrams: string; pairs: string },
  parameters: AffinityParameters,
  context: RunContext,
): Promise<Table> {
  const { minConceptUsers, minTermUsers, functionWords } = parameters
  const { found, weigh } = await countNgramUsers(log, tables, parameters, context)
  const ignored = functionWordList(functionWords)
  const concepts: (string | number)[][] = []
  const shown = [...found].map(([text, ngram]) => {
    const { n, occurrences, users } = ngram
    const common = n === 1 && users >= minTermUsers
    if (users < minConceptUsers || text.split(" ").every((word) => ignored.has(word)))
      return { text, common, id: null, weight: null }
    const weight = weigh(text, ngram)
    const id = concepts.push([text, n, occurrences, users, weight]) - 1
    return { text, common, id, weight }
  })
  await log.session.createView(conceptsView, {
    g: { type: "string", values: shown.map(({ text }) => text) },
    c: { type: "int", values: shown.map(({ id }) => id) },
    w: { type: "double", values: shown.map(({ weight }) => weight) },
    common: { type: "boolean", values: shown.map(({ common }) => common) },
  })
  return tableOf(["ngram", "n", "count", "users", "weight"], concepts)
}

/**
 * The n-grams that may have enough users, and how they are weighed. Users are counted only for the n-grams whose
 * queries have as many users when those of each query are added up.
 */
async function countNgramUsers(
  { session, queries }: ScrubbedLog,
  { ngrams, pairs }: { ngrams: string; pairs: string },
  { minConceptUsers, minTermUsers }: AffinityParameters,
  { signal }: RunContext,
) {
  const running = { stage: "counting n-grams", signal }
  const atLeast = `IF(n = 1, ${Math.min(minConceptUsers, minTermUsers)}, ${minConceptUsers})`
  const counts = `(SELECT f, users, events FROM ${queries} WHERE s = 0)`
  const weighed = `SELECT g, n, c * events AS o, events, users FROM ${answersIn(ngrams)} JOIN ${counts} USING (f)`
  const sums = "sum(o) AS o, sum(events) AS e"
  const candidates = `SELECT g, n, ${sums} FROM (${weighed}) GROUP BY g, n HAVING sum(users) >= ${atLeast}`
  const most = await makeTable(session, candidates, running)
  await refuseMany(session, most, running)
  const totals = new Map<number, number>()
  for await (const [n, total] of readRows(session, `SELECT n, sum(o) FROM (${weighed}) GROUP BY n`, running))
    totals.set(Number(n), Number(total))
  const those = `SELECT f, g FROM ${answersIn(ngrams)} LEFT SEMI JOIN ${most} USING (g)`
  const once = `SELECT DISTINCT g, u FROM (${those}) JOIN ${pairs} USING (f)`
  const users = `SELECT g, count(*) AS users FROM (${once}) GROUP BY g`
  const found = new Map<string, Ngram>()
  const counted = `SELECT g, n, o, e, users FROM ${most} JOIN (${users}) USING (g) ORDER BY n, g`
  for await (const [text, n, occurrences, events, own] of readRows(session, counted, running)) {
    const ngram = { n: Number(n), occurrences: Number(occurrences), events: Number(events), users: Number(own) }
    found.set(String(text), ngram)
  }
  await session.dropTable(most)
  return { found, weigh: weights(found, totals) }
}

async function refuseMany(
  session: ScrubbedLog["session"],
  table: string,
  running: { stage: string; signal: AbortSignal },
): Promise<void> {
  const sql = `SELECT count(*), coalesce(sum(octet_length(g)), 0) FROM ${table}`
  const [ngrams = 0, bytes = 0] = await readNumbers(session, sql, running)
  refuseLarge({ bytes: ngrams * ngramBytes + bytes * 4, what: "the concepts" })
}

/** The weight of an n-gram, from its counts and those of the shorter n-grams in it. */
function weights(ngrams: ReadonlyMap<string, Ngram>, totals: ReadonlyMap<number, number>) {
  const probability = (...words: string[]) =>
    (ngrams.get(words.join(" "))?.occurrences ?? 0) / (totals.get(words.length) ?? 1)
  return (text: string, { events }: Ngram): number => {
    const [x = "", y, z] = text.split(" ")
    if (y === undefined) return weighWord(events)
    if (z === undefined) return weighBigram(probability(x, y), { x: probability(x), y: probability(y) })
    return weighTrigram(probability(x, y, z), {
      ...{ x: probability(x), y: probability(y), z: probability(z) },
      ...{ xy: probability(x, y), yz: probability(y, z) },
    })
  }
}
