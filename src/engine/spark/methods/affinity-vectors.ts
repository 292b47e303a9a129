import type { RunContext } from "../../../kernels/context.ts"
import { boundSlack } from "../../../kernels/prefix-index.ts"
import { answersIn, kernelTable } from "../kernel-table.ts"
import { makeTable } from "../make-table.ts"
import { readNumbers } from "../read-values.ts"
import type { SparkSession } from "../session.ts"
import { conceptsView } from "./affinity-concepts.ts"

/** Vectors of a block. Blocks of one concept are compared two by two, so a task holds at most two. */
const blockSize = 1 << 14

/**
 * A table of the queries and their vectors: `f` (the query), `cs` (the numbers of its concepts), `state` and `v`: the
 * number of its vector, which is that of one of its queries, or NULL if it is not expanded.
 */
export async function placeVectors(session: SparkSession, ngrams: string, { signal }: RunContext): Promise<string> {
  const running = { stage: "counting concepts", signal }
  const rare = "bool_or(n = 1 AND NOT coalesce(common, false))"
  const lists = `SELECT f, sort_array(collect_list(c)) AS cs, ${rare} AS rare`
  const words = `(SELECT f, g, n FROM ${answersIn(ngrams)})`
  const grouped = `${lists} FROM ${words} LEFT JOIN ${conceptsView} USING (g) GROUP BY f`
  const state = "CASE WHEN size(cs) = 0 THEN 'plain' WHEN rare THEN 'excluded' ELSE 'expanded' END"
  const placed = await makeTable(session, `SELECT f, cs, ${state} AS state FROM (${grouped})`, running)
  const expanded = `SELECT f, min(f) OVER (PARTITION BY cs) AS v FROM ${placed} WHERE state = 'expanded'`
  const all = `SELECT f, cs, state, v FROM ${placed} LEFT JOIN (${expanded}) USING (f)`
  const vectors = await makeTable(session, all, running)
  await session.dropTable(placed)
  return vectors
}

/**
 * A table of the pairs of similar vectors, `x` and `y`, as the kernel `similar` writes them. `certain` is a query in
 * brackets of the vectors that are certain to be released (`v`): pairs of two of them are left out.
 *
 * Concepts are put into one order, the rarest first. The prefix of a vector ends where the rest has a norm below θ. Two
 * vectors can be similar only if their first common concept is in the prefixes of both (`PrefixIndex`). So a vector is
 * compared with those alone that have a concept of its prefix in theirs.
 */
export async function pairVectors(
  session: SparkSession,
  { vectors, certain, theta }: { vectors: string; certain: string; theta: number },
  { signal }: RunContext,
): Promise<string> {
  const running = { stage: "joining", signal }
  const made = (sql: string) => makeTable(session, sql, running)
  const concepts = `SELECT v, explode(cs) AS c FROM ${vectors} WHERE f = v`
  const counted = `SELECT c, count(*) AS m FROM (${concepts}) GROUP BY c`
  const ranks = await made(`SELECT c, CAST(row_number() OVER (ORDER BY m, c) AS INT) AS r FROM (${counted})`)
  const weighed = `SELECT c, w FROM ${conceptsView} WHERE c IS NOT NULL`
  const entries = await made(`SELECT v, r, w FROM (${concepts}) JOIN ${ranks} USING (c) JOIN (${weighed}) USING (c)`)
  const rest = "sum(w * w) OVER (PARTITION BY v ORDER BY r DESC ROWS UNBOUNDED PRECEDING)"
  const norms = `SELECT v, r, ${rest} AS here, sum(w * w) OVER (PARTITION BY v) AS whole FROM ${entries}`
  const least = (theta - 10 * boundSlack) ** 2
  const prefixes = await made(`SELECT v, r FROM (${norms}) WHERE here >= ${least} * whole`)
  const blocks = `CAST(ceil(count(*) / ${blockSize}) AS INT) AS blocks`
  const sizes = `SELECT r, ${blocks} FROM ${prefixes} GROUP BY r HAVING count(*) > 1`
  const block = "CAST(pmod(xxhash64(v), blocks) AS INT) AS b"
  const postings = await made(
    `SELECT v, r, ${block}, explode(sequence(0, blocks - 1)) AS o FROM ${prefixes} JOIN (${sizes}) USING (r)`,
  )
  const whole = `SELECT v, sort_array(collect_list(struct(r, w))) AS e FROM ${entries} GROUP BY v`
  const grouped = `concat_ws('/', r, least(b, o), greatest(b, o)) AS p`
  const certainly = `SELECT v, 1 AS a FROM ${certain}`
  const joined = [
    `SELECT ${grouped}, v, r, b, o, coalesce(a, 0) AS a, e`,
    `FROM ${postings} JOIN (${whole}) USING (v) LEFT JOIN (${certainly}) USING (v)`,
    "DISTRIBUTE BY p SORT BY p, v",
  ].join(" ")
  const [expected = 0] = await readNumbers(session, `SELECT count(*) FROM ${postings}`, running)
  const pairs = await kernelTable(session, {
    kernel: "similar",
    options: { theta },
    input: joined,
    expected: `SELECT ${expected}`,
    columns: "x BIGINT, y BIGINT",
    needed: ["x"],
    ...running,
  })
  for (const table of [ranks, entries, prefixes, postings]) await session.dropTable(table)
  return pairs
}
