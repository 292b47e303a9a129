import type { RunContext } from "../../../kernels/context.ts"
import type { ColumnTable } from "../../../kernels/table.ts"
import { type SearchLog, unknownRank } from "../../../log/search-log.ts"
import type { BoundedCount } from "../../../verify/dp-counts.ts"
import type { RemoteOriginal, RowDifferences } from "../../../verify/remote-original.ts"
import type { ScrubbedLog } from "../log/cluster-log.ts"
import { readNumbers, readRows } from "../read-values.ts"
import type { SparkSession } from "../session.ts"
import { boundedQuery } from "./bounded-query.ts"

const views = { texts: "queryveil_verify_texts", rows: "queryveil_verify_rows", urls: "queryveil_verify_urls" }

/**
 * The original of a release on a Spark cluster. Texts were normalised and scrubbed there by kernels. Everything that is
 * checked is counted in SQL: no kernel or plan that made the release takes part. What the release shows goes to the
 * cluster as values.
 */
export function sparkOriginal(log: ScrubbedLog): RemoteOriginal {
  const { session, rows, unit } = log
  return {
    unit,
    async countUsers(texts, { signal }) {
      await createTexts(
        session,
        Array.from({ length: texts.size }, (_, text) => texts.text(text)),
      )
      const users = new Float64Array(texts.size)
      const sql = `SELECT id, count(DISTINCT u) FROM ${rows} JOIN ${views.texts} USING (q) GROUP BY id`
      for await (const [id, count] of readRows(session, sql, { stage: "verifying", signal }))
        users[Number(id)] = Number(count)
      return users
    },
    compareRows: (released, options, context) => compareRows(log, { released, ...options }, context),
    countBounded: (table, options, context) => countBounded(log, { ...options, shown: table }, context),
  }
}

const createTexts = (session: SparkSession, texts: readonly string[]) =>
  session.createView(views.texts, {
    id: { type: "int", values: Int32Array.from(texts.keys()) },
    q: { type: "string", values: texts },
  })

async function compareRows(
  { session, rows }: ScrubbedLog,
  { released, timeUnit }: { released: SearchLog; timeUnit: number },
  { signal }: RunContext,
): Promise<RowDifferences> {
  const running = { stage: "verifying", signal }
  await createTexts(
    session,
    Array.from({ length: released.queries.size }, (_, text) => released.queries.text(text)),
  )
  const urls = Array.from({ length: released.urls.size }, (_, url) => released.urls.text(url))
  await session.createView(views.urls, {
    link: { type: "int", values: Int32Array.from(urls.keys()) },
    l: { type: "string", values: urls },
  })
  const cut = (time: number) => (timeUnit === 0 ? 0 : Math.floor(time / timeUnit) * timeUnit)
  await session.createView(views.rows, {
    id: { type: "int", values: released.query },
    t: { type: "bigint", values: Array.from(released.time, cut) },
    link: { type: "int", values: Array.from(released.url, (url) => (url < 0 ? null : url)) },
    r: { type: "int", values: Array.from(released.rank, (rank) => (rank === unknownRank ? -1 : rank)) },
  })
  const time = timeUnit === 0 ? "0" : `floor(t / ${timeUnit}) * ${timeUnit}`
  const own = [
    `(SELECT id, CAST(${time} AS BIGINT) AS t, u, l, link, coalesce(r, -1) AS r`,
    `FROM ${rows} JOIN ${views.texts} USING (q) LEFT JOIN ${views.urls} USING (l))`,
  ].join(" ")
  const per = (from: string, keys: string, where = "TRUE") =>
    `(SELECT ${keys}, count(*) AS n FROM ${from} WHERE ${where} GROUP BY ${keys})`
  const pairs = `${per(views.rows, "id, t")} a FULL OUTER JOIN ${per(own, "id, t")} b USING (id, t)`
  const [differing = 0, all = 0] = await readNumbers(
    session,
    `SELECT count_if(NOT a.n <=> b.n), coalesce(sum(b.n), 0) FROM ${pairs}`,
    running,
  )
  const keys = "id, t, link, r"
  const clicked = [views.rows, own].map((from) => per(from, keys, "link IS NOT NULL"))
  const [strangeClicks = 0] = await readNumbers(
    session,
    `SELECT count_if(b.n IS NULL OR b.n < a.n) FROM ${clicked[0]} a LEFT JOIN ${clicked[1]} b USING (${keys})`,
    running,
  )
  const clickers = new Float64Array(urls.length)
  const sql = `SELECT link, count(DISTINCT u) FROM ${own} WHERE link IS NOT NULL GROUP BY link`
  for await (const [url, users] of readRows(session, sql, running)) clickers[Number(url)] = Number(users)
  return { rows: all, differing, strangeClicks, clickers }
}

async function countBounded(
  { session, rows, queries }: ScrubbedLog,
  { shown, ...bound }: Parameters<RemoteOriginal["countBounded"]>[1] & { shown: ColumnTable },
  { signal }: RunContext,
): Promise<readonly (BoundedCount | undefined)[]> {
  const texts = shown.columns.flatMap((column) =>
    "ids" in column ? [Array.from(column.ids, (id) => column.texts.text(id))] : [],
  )
  const [first = [], second = first.map(() => "")] = texts
  await session.createView(views.texts, {
    id: { type: "int", values: Int32Array.from(first.keys()) },
    a: { type: "string", values: first },
    b: { type: "string", values: second },
  })
  const counts: (BoundedCount | undefined)[] = first.map(() => undefined)
  const kept = `(SELECT * FROM ${rows} LEFT ANTI JOIN (SELECT q FROM ${queries} WHERE s <> 0) USING (q))`
  const sql = `SELECT id, users, total, unsure FROM (${boundedQuery(kept, bound)}) JOIN ${views.texts} USING (a, b)`
  for await (const [id, users, total, unsure] of readRows(session, sql, { stage: "verifying", signal }))
    counts[Number(id)] = { users: Number(users), total: Number(total), unsure: unsure === true }
  return counts
}
