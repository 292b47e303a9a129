import { anonymityDegrees } from "../../../kernels/anonymity-degrees.ts"
import type { RunContext } from "../../../kernels/context.ts"
import { collectDistinctUsers } from "../../../kernels/distinct-users.ts"
import { graphOf } from "../../../kernels/join-similar.ts"
import { firstAtLeast } from "../../../kernels/search-sorted.ts"
import { answersIn } from "../kernel-table.ts"
import { readNumbers, readRows } from "../read-values.ts"
import type { SparkSession } from "../session.ts"
import { refuseLarge } from "./refuse-large.ts"

/** Bytes that the driver needs for a pair of vectors, a vector, and a user of a vector. */
const [pairBytes, vectorBytes, userBytes] = [40, 200, 24]

/** What the driver needs to know of vectors that have a similar one. */
interface Surroundings {
  /** The pairs of similar vectors, as the kernel `similar` writes them: a table. */
  pairs: string
  /** A query in brackets of the users of vectors: `v`, `u`, and `named` if only queries left out for a name have it. */
  members: string
}

/** The degrees of the vectors in the graph, each a number of the cluster (`v`). */
export interface VectorDegrees {
  v: Float64Array
  /** Before queries were left out for a name, and after. The second is at most k. */
  before: Uint32Array
  after: Uint32Array
}

/**
 * Peels the graph of similar vectors at this machine, with the code of the single process. All vectors that are certain
 * to be released are one vertex with k users of its own: that is all that they are to others. `cap` is the largest
 * degree that is asked for before names are left out.
 */
export async function peelVectors(
  session: SparkSession,
  { pairs, members }: Surroundings,
  { k, cap }: { k: number; cap: number },
  { signal }: RunContext,
): Promise<VectorDegrees> {
  const running = { stage: "peeling", signal }
  const found = answersIn(pairs)
  const vertices = `(SELECT x AS v FROM ${found} UNION SELECT y FROM ${found} WHERE y >= 0)`
  const own = `${members} LEFT SEMI JOIN ${vertices} USING (v)`
  const one = async (sql: string) => (await readNumbers(session, sql, running))[0] ?? 0
  const size = await one(`SELECT count(*) FROM ${vertices}`)
  const edges = await one(`SELECT count(*) FROM ${found} WHERE y >= 0`)
  const users = await one(`SELECT count(*) FROM ${own}`)
  refuseLarge({ bytes: edges * pairBytes + size * vectorBytes + users * userBytes, what: "pairs of similar queries" })

  const v = new Float64Array(size)
  let count = 0
  for await (const [vector] of readRows(session, `SELECT v FROM ${vertices} ORDER BY v`, running))
    v[count++] = Number(vector)
  const placeOf = (vector: unknown) => firstAtLeast(v, Number(vector))
  const list = new Int32Array(2 * edges)
  let at = 0
  for await (const [x, y] of readRows(session, `SELECT x, y FROM ${found} WHERE y >= 0`, running)) {
    list[at++] = placeOf(x)
    list[at++] = placeOf(y)
  }
  const beside: number[] = []
  for await (const [x] of readRows(session, `SELECT DISTINCT x FROM ${found} WHERE y < 0`, running))
    beside.push(placeOf(x), size)
  const graph = graphOf([list, Int32Array.from(beside)], size + 1)

  const extra = beside.length === 0 ? 0 : k
  const [vector, user] = [new Int32Array(users + extra), new Int32Array(users + extra)]
  const isNamed = new Uint8Array(users + extra)
  let row = 0
  let last: unknown
  let id = -1
  for await (const [x, u, named] of readRows(session, `SELECT v, u, named FROM ${own} ORDER BY u`, running)) {
    if (u !== last) id++
    last = u
    vector[row] = placeOf(x)
    user[row] = id
    isNamed[row++] = named === true ? 1 : 0
  }
  for (let i = 0; i < extra; i++, row++) {
    vector[row] = size
    user[row] = ++id
  }
  const usersOf = (column: Int32Array) => collectDistinctUsers(column, user, { size: size + 1 })
  const before = anonymityDegrees(graph, usersOf(vector), { cap })
  const left = vector.map((place, i) => (isNamed[i] === 1 ? -1 : place))
  const after = anonymityDegrees(graph, usersOf(left), { cap: k })
  return { v, before: before.subarray(0, size), after: after.subarray(0, size) }
}
