import type { RunContext } from "../../../kernels/context.ts"
import type { ExemptFigures } from "../../../release/scrub.ts"
import { digestExempt } from "../../../text/identifiers/exempt-queries.ts"
import { type IdentifierKind, identifierKinds, kindBit, kindSet } from "../../../text/identifiers/kinds.ts"
import { answersIn, kernelTable } from "../kernel-table.ts"
import { readNumbers } from "../read-values.ts"
import type { ClusterLog, ScrubbedLog } from "./cluster-log.ts"

/** A scrubbed log, and what the receipt says about scrubbing. */
export interface Scrubbed {
  log: ScrubbedLog
  withheld: Record<string, number>
  exempted?: ExemptFigures
}

/** A view of the exempt queries (`q`), if there are any. */
export const exemptView = "queryveil_exempt"

/**
 * Counts users, events and rows of each distinct query, and looks for identifiers in it with the detectors of the
 * single process. A pair of user and query is counted once before it is counted per query.
 */
export async function scrubClusterLog(
  log: ClusterLog,
  { scrub, exempt }: { scrub: readonly IdentifierKind[]; exempt: readonly string[] },
  context: RunContext,
): Promise<Scrubbed> {
  const { session, rows, sizes } = log
  const running = { stage: "scrubbing", signal: context.signal }
  const pairs = `SELECT q, u, count(DISTINCT t) AS e, count(*) AS n, min(i) AS f FROM ${rows} GROUP BY q, u`
  const table = await kernelTable(session, {
    ...running,
    kernel: "scrub",
    options: { kinds: kindSet(scrub) },
    input: `SELECT q, count(*) AS users, sum(e) AS events, sum(n) AS n, min(f) AS f FROM (${pairs}) GROUP BY q`,
    expected: `SELECT ${sizes.queries.size}`,
    columns: "q STRING, users BIGINT, events BIGINT, n BIGINT, f BIGINT, s INT",
    needed: ["q"],
  })
  const found = answersIn(table)
  const values = exempt.length === 0 ? [] : [...exempt]
  if (values.length > 0) await session.createView(exemptView, { q: { type: "string", values } })
  const kinds = "IF(e.q IS NULL, s, 0) AS s"
  const spared = `SELECT a.q, users, events, n, f, ${kinds} FROM ${found} a LEFT JOIN ${exemptView} e ON a.q = e.q`
  const queries = values.length === 0 ? found : `(${spared})`
  const exempted = values.length === 0 ? undefined : await countExempt({ ...log, queries: found }, values, running)
  const withheld = await countWithheld({ ...log, queries }, running)
  return { log: { ...log, queries }, withheld, ...(exempted && { exempted }) }
}

type Running = { stage: string; signal: AbortSignal }

async function countExempt(
  { session, queries }: ScrubbedLog,
  exempt: readonly string[],
  running: Running,
): Promise<ExemptFigures> {
  const sql = `SELECT count(*), count_if(s <> 0) FROM ${queries} JOIN ${exemptView} USING (q)`
  const [inLog = 0, spared = 0] = await readNumbers(session, sql, running)
  return {
    sha256: digestExempt(new Set(exempt)),
    queries: exempt.length,
    notInLog: exempt.length - inLog,
    spared,
  }
}

/** How much is left out, in the words of the single process. */
async function countWithheld({ session, queries }: ScrubbedLog, running: Running): Promise<Record<string, number>> {
  const kinds = identifierKinds.map((kind) => `count_if(s & ${kindBit(kind)} <> 0)`)
  const rows = "coalesce(sum(IF(s <> 0, n, 0)), 0)"
  const counts = await readNumbers(session, `SELECT ${[...kinds, rows].join(", ")} FROM ${queries}`, running)
  const names = [
    ...identifierKinds.map((kind) => `queries with an identifier: ${kind}`),
    "rows of queries with an identifier",
  ]
  return Object.fromEntries(
    names.flatMap((name, at) => ((counts[at] ?? 0) > 0 ? [[name, counts[at] ?? 0] as const] : [])),
  )
}
