import { writeFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { openSparkSession } from "#dist/engine/spark/open-session.js"
import { createContext, type Progress } from "#dist/kernels/context.js"
import { type SparkCluster, whyNoSpark } from "../../../servers/spark-cluster.ts"
import { scratchFolder } from "../../support/scratch-folder.ts"
import { sharedSpark } from "../../support/shared-spark.ts"
import { readAll } from "../../support/spark-answers.ts"
import { filesIn, recordsOf, recordsWith } from "../../support/spark-records.ts"

const reason = whyNoSpark()
const { fresh } = scratchFolder()
const stage = "testing"
/** What nobody may see on the cluster: the text of a query, and a secret key. */
const secrets = ["zaubertrankrezept", "geheimschluessel"]
/** A word in a statement. That it is found shows that the search finds things. */
const visible = "visible_column"

describe.skipIf(reason !== undefined)(`Spark's own records${reason === undefined ? "" : `: ${reason}`}`, () => {
  let cluster: SparkCluster
  const reports: Progress[] = []
  beforeAll(async () => {
    vi.stubEnv("XDG_STATE_HOME", fresh("state"))
    cluster = await sharedSpark()
    const session = await openSparkSession(
      cluster.address,
      createContext({ report: (progress) => reports.push(progress) }),
    )
    await work(session, `${fresh("log")}.csv`)
    await session.close()
  })
  afterAll(() => vi.unstubAllEnvs())

  test("show no query, no user and no key: its pages, its event log, its logs", async () => {
    const [query = "", key = ""] = secrets
    const records = await recordsOf(cluster)
    const found = (word: string) => recordsWith(records, word)
    expect(found(visible).length).toBeGreaterThan(1)
    expect(found(query)).toEqual([])
    expect(found(key)).toEqual([])
    expect(JSON.stringify(reports)).not.toMatch(new RegExp(`${query}|${key}`))
  })

  test("on the disks of the cluster hold no row in the clear", () => {
    const spilled = filesIn(cluster.folders.spill)
    for (const secret of secrets) expect(recordsWith(spilled, secret)).toEqual([])
  })
})

/** Reads, joins, shuffles, filters, fails and writes, with secrets in the values. */
async function work(session: Awaited<ReturnType<typeof openSparkSession>>, path: string): Promise<void> {
  const [query = "", key = ""] = secrets
  const rows = Array.from({ length: 2000 }, (_, i) => `u${i % 97},${query} ${i % 50}`)
  writeFileSync(path, ["user,query", ...rows, ""].join("\n"))
  await session.openSource("log", { kind: "files", path, format: "csv" })
  await session.createView("keys", { key: { type: "string", values: [key] } })
  await session.createView("allowed", {
    query: { type: "string", values: rows.slice(0, 20).map((row) => row.split(",")[1] ?? "") },
  })
  const counted = `SELECT query, count(DISTINCT user) AS ${visible} FROM log GROUP BY query`
  expect(await readAll(session, counted)).toHaveLength(50)
  const joined = await readAll(
    session,
    `SELECT sha2(concat(key, user), 256) AS ${visible}, query FROM log CROSS JOIN keys
     WHERE query IN (SELECT query FROM allowed) AND query >= (SELECT min(query) FROM allowed)`,
  )
  expect(joined.length).toBeGreaterThan(100)
  const table = await session.temporaryTable()
  await session.run(`CREATE TABLE ${table} USING parquet AS SELECT query, key AS ${visible} FROM log CROSS JOIN keys`, {
    stage,
  })
  expect(await readAll(session, `SELECT DISTINCT query FROM ${table} ORDER BY query LIMIT 3`)).toHaveLength(3)
  await readAll(
    session,
    `SELECT TRANSFORM (to_json(struct(query AS ${visible}))) USING 'cat >/dev/null; exit 5' AS (line STRING) FROM log`,
  ).then(
    () => expect.unreachable(),
    () => {},
  )
  await readAll(session, `SELECT CAST(query AS INT) AS ${visible}, 1 / length(query) FROM log`)
}
