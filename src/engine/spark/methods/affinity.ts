import { Value } from "#typebox"
import type { RunContext } from "../../../kernels/context.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import { stateFigures, textFigures, warnOfRules, withheldReasons } from "../../../methods/affinity/describe-release.ts"
import { type AffinityOptions, affinityOptions, affinityParameters } from "../../../methods/affinity/options.ts"
import { affinityGuarantee } from "../../../methods/query-guarantees.ts"
import type { OptionValues } from "../../../release/anonymize.ts"
import { kindBit, noKinds, parseKinds } from "../../../text/identifiers/kinds.ts"
import { answersIn, kernelTable } from "../kernel-table.ts"
import type { ScrubbedLog } from "../log/cluster-log.ts"
import { exemptView } from "../log/scrub-queries.ts"
import { makeTable } from "../make-table.ts"
import { readTable } from "../read-table.ts"
import { readNumbers } from "../read-values.ts"
import type { SparkSession } from "../session.ts"
import { findNgrams, mineClusterConcepts } from "./affinity-concepts.ts"
import { peelVectors, type VectorDegrees } from "./affinity-degrees.ts"
import { pairVectors, placeVectors } from "./affinity-vectors.ts"
import type { RowPlan } from "./row-plan.ts"

/**
 * Affinity on a cluster. Sequences of words, vectors and pairs of similar vectors are found there. This machine weighs
 * the concepts and peels the graph. A vector with k users of its own is certain to be released. So only the others come
 * here, with their users, if they have a similar vector. For the side table of degrees, all of them come.
 */
export const affinityPlan: RowPlan = {
  refuse({ approximate }) {
    return approximate === true ? "--approximate is for one machine only: a cluster computes exact degrees" : undefined
  },
  async decide(log, { parameters, exempt, wantsAudit }, context) {
    const { session, unit, sizes } = log
    const options = optionsOf(parameters)
    const { k } = options
    const settled = affinityParameters(options, sizes)
    const seek = parseKinds(String(parameters.scrub ?? "none"))
    const named = await findNames(log, { k, wanted: (seek & kindBit("person")) !== noKinds, exempt }, context)
    const tables = await placeQueries(log, { named, settled }, context)
    const { vectors, members, concepts, own } = tables
    const certain = wantsAudit ? "WHERE false" : `WHERE kept >= ${k}`
    const chosen = `(SELECT v FROM ${own} ${certain})`
    const pairs = await pairVectors(session, { vectors, certain: chosen, theta: settled.theta }, context)
    const cap = wantsAudit ? sizes.users.size + 1 : k
    const degrees = await peelVectors(
      session,
      { pairs, members: `(SELECT v, u, named FROM ${members})` },
      { k, cap },
      context,
    )
    const decided = await decideQueries(log, { ...tables, named, degrees, k }, context)
    const { withheld, released, states } = await countQueries(session, { decided, k }, context)
    return {
      guarantee: affinityGuarantee({ k, theta: settled.theta, counted: unit }),
      withheld: withheldReasons(withheld),
      measured: { ...textFigures(released), ...stateFigures(states) },
      warnings: warnOfRules(settled, { isEmpty: released.texts === 0 }),
      audit: wantsAudit ? { degrees: await auditDegrees(session, decided, context), concepts } : {},
      shown: `(SELECT q, q AS shown, f FROM ${decided} WHERE released)`,
    }
  },
}

/** The options of the method. They were checked before. */
function optionsOf(parameters: OptionValues): AffinityOptions {
  const options: unknown = parameters
  if (Value.Check(affinityOptions, options)) return options
  throw new QueryveilError("internal", "Options were not checked.")
}

/** A query in brackets of the queries (`f`) of fewer than k users that seem to name a person and are not exempt. */
async function findNames(
  { session, queries }: ScrubbedLog,
  { k, wanted, exempt }: { k: number; wanted: boolean; exempt: readonly string[] },
  { signal }: RunContext,
): Promise<string> {
  const rare = `FROM ${queries} WHERE s = 0 AND users < ${k}`
  if (!wanted) return `(SELECT f ${rare} AND false)`
  const found = await kernelTable(session, {
    kernel: "scrub",
    options: { kinds: kindBit("person") },
    input: `SELECT q, f ${rare}`,
    expected: `SELECT count(*) ${rare}`,
    columns: "q STRING, f BIGINT, s INT",
    needed: ["q"],
    ...{ stage: "scrubbing", signal },
  })
  const others = exempt.length === 0 ? "" : `LEFT ANTI JOIN ${exemptView} USING (q)`
  return `(SELECT f FROM ${answersIn(found)} ${others} WHERE s <> 0)`
}

/** Finds the concepts, the vectors of the queries, and the users of the vectors. */
async function placeQueries(
  log: ScrubbedLog,
  { named, settled }: { named: string; settled: ReturnType<typeof affinityParameters> },
  context: RunContext,
) {
  const { session, rows, queries } = log
  const running = { stage: "counting users", signal: context.signal }
  const searched = `SELECT DISTINCT u, f FROM ${rows} JOIN (SELECT q, f FROM ${queries} WHERE s = 0) USING (q)`
  const pairs = await makeTable(session, searched, running)
  const ngrams = await findNgrams(log, settled, context)
  const concepts = await mineClusterConcepts(log, { ngrams, pairs }, settled, context)
  const vectors = await placeVectors(session, ngrams, context)
  await session.dropTable(ngrams)
  const names = `SELECT f, true AS named FROM ${named}`
  const marked = `SELECT f, v, coalesce(named, false) AS named FROM ${vectors} LEFT JOIN (${names}) USING (f)`
  const searches = `SELECT v, u, named FROM ${pairs} JOIN (${marked}) USING (f) WHERE v IS NOT NULL`
  const users = `SELECT v, u, bool_and(named) AS named FROM (${searches}) GROUP BY v, u`
  const members = await makeTable(session, users, running)
  await session.dropTable(pairs)
  const sums = "count(*) AS users, count_if(NOT named) AS kept"
  const own = await makeTable(session, `SELECT v, ${sums} FROM ${members} GROUP BY v`, running)
  return { vectors, members, concepts, own }
}

const degreesView = "queryveil_degrees"

/** A table of the queries: `q`, `f`, `users`, `events`, `n`, `state`, `named`, `degree` and `released`. */
async function decideQueries(
  { session, queries }: ScrubbedLog,
  choice: { vectors: string; own: string; named: string; degrees: VectorDegrees; k: number },
  { signal }: RunContext,
): Promise<string> {
  const { vectors, own, named, degrees, k } = choice
  await session.createView(degreesView, {
    v: { type: "bigint", values: degrees.v },
    before: { type: "bigint", values: degrees.before },
    after: { type: "bigint", values: degrees.after },
  })
  const ofVector = [
    "SELECT v, coalesce(before, users) AS before, coalesce(after, kept) AS after",
    `FROM ${own} LEFT JOIN ${degreesView} USING (v)`,
  ].join(" ")
  const all = [
    "SELECT q, a.f, users, events, n, state, m.f IS NOT NULL AS named,",
    "coalesce(before, users) AS degree, coalesce(after, users) AS protected",
    `FROM (SELECT q, f, users, events, n FROM ${queries} WHERE s = 0) a JOIN ${vectors} b ON a.f = b.f`,
    `LEFT JOIN (${ofVector}) c ON b.v = c.v LEFT JOIN ${named} m ON a.f = m.f`,
  ].join(" ")
  const decided = `SELECT *, NOT named AND protected >= ${k} AS released FROM (${all})`
  return makeTable(session, decided, { stage: "selecting", signal })
}

/** Counts queries by what happened to them. Each query counts under one reason. */
async function countQueries(
  session: SparkSession,
  { decided, k }: { decided: string; k: number },
  { signal }: RunContext,
) {
  const isOther = "NOT released AND NOT named AND state <> 'excluded'"
  const sums = [
    "coalesce(sum(IF(released, 0, n)), 0)",
    "count_if(NOT released AND named)",
    "count_if(NOT released AND NOT named AND state = 'excluded')",
    `count_if(${isOther} AND degree >= ${k})`,
    `count_if(${isOther} AND degree < ${k})`,
    "count_if(released)",
    "count_if(released AND users = 1)",
    "count_if(state = 'plain')",
    "count_if(state = 'expanded')",
    "count_if(state = 'excluded')",
    "coalesce(sum(IF(state = 'expanded', events, 0)), 0)",
  ]
  const counts = await readNumbers(session, `SELECT ${sums.join(", ")} FROM ${decided}`, { stage: "counting", signal })
  const [rows = 0, names = 0, rare = 0, unprotected = 0, underK = 0, texts = 0, ofOne = 0, ...states] = counts
  const [plain = 0, expanded = 0, excluded = 0, searches = 0] = states
  return {
    withheld: { rows, names, excluded: rare, unprotected, underK },
    released: { texts, ofOne },
    states: { plain, expanded, excluded, searches },
  }
}

/** Every query with its degree before any query was left out for a name. */
function auditDegrees(session: SparkSession, decided: string, { signal }: RunContext) {
  const sql = `SELECT q AS query, users, degree, state FROM ${decided} ORDER BY f`
  return readTable(session, sql, { stage: "reading audit", signal })
}
