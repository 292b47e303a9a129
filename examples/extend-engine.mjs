// An engine: a log stays in a DuckDB database and is released there. The method decides on this machine, from distinct
// pairs of user and query. The database applies the decision to its rows, which are never sent here.
import { createHash, randomBytes } from "node:crypto"
import { mkdtemp, readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { overall, readLog, readRelease, release, verify, writeSynth } from "queryveil"
import { decideQueries, openRemoteLog, registerEngine } from "queryveil/extend"

registerEngine({
  name: "duckdb",
  summary: "a table of a DuckDB database",
  async open(address, table) {
    const instance = await DuckDBInstance.create(address.slice("duckdb:".length))
    const database = await instance.connect()
    const rows = async (sql) => (await database.runAndReadAll(sql)).getRows()
    if (!/^[a-z_]+$/.test(table)) throw new Error("A table name has only lower-case letters and _.")
    const [[count, users, queries]] = await rows(
      `SELECT count(*)::INT, count(DISTINCT AnonID)::INT, count(DISTINCT Query)::INT FROM ${table}`,
    )
    const log = { rows: count, events: count, users: { size: users }, queries: { size: queries }, urls: { size: 0 } }
    return {
      log,
      intake: describeTable(table, count),
      refuse: ({ method, parameters }) => {
        if (!["equality", "affinity", "wordnet"].includes(method.name))
          return "it can only apply decisions about queries"
        const { users, time, urls, category } = parameters
        const shows = [users, time, urls].some((choice) => choice !== "drop") || category
        return shows ? "it can only show queries; set users, time and urls to drop" : undefined
      },
      async decide(request, context) {
        const pairs = await rows(`SELECT DISTINCT AnonID::VARCHAR, Query FROM ${table} WHERE Query IS NOT NULL`)
        const { shown, ...decision } = await decideQueries(pairs, request, context)
        return {
          ...decision,
          withheld: {},
          async writeParts(folder) {
            // The texts go in as data, never as part of a statement. A keyed digest puts rows in random order.
            await database.run("CREATE OR REPLACE TEMP TABLE shown (raw VARCHAR, text VARCHAR)")
            const appender = await database.createAppender("shown")
            for (const [query, text] of shown) {
              appender.appendVarchar(query)
              appender.appendVarchar(text)
              appender.endRow()
            }
            appender.closeSync()
            const key = randomBytes(32).toString("hex")
            const path = join(folder, "log.tsv")
            await database.run(
              `COPY (SELECT text AS Query FROM ${table} JOIN shown ON Query = raw
                     ORDER BY sha256('${key}' || ${table}.rowid::VARCHAR))
               TO '${path.replaceAll("'", "''")}' (DELIMITER '\t', HEADER, QUOTE '', ESCAPE '')`,
            )
            const bytes = await readFile(path)
            const lines = bytes.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0)
            return [{ path: "log.tsv", rows: lines - 1, sha256: createHash("sha256").update(bytes).digest("hex") }]
          },
        }
      },
      close: async () => database.closeSync(),
    }
  },
})

/** What the receipt says about the table. A real engine gives a digest of the table's snapshot. */
function describeTable(table, rows) {
  const sha256 = createHash("sha256").update(`${table} ${rows}`).digest("hex")
  return {
    format: "duckdb",
    unit: "user",
    read: [],
    files: [{ path: table, bytes: 0, sha256, linesBefore: 0, lines: rows }],
    lines: rows,
    rejected: {},
    rejects: { line: new Uint32Array(0), reason: new Uint8Array(0) },
    collapsed: 0,
    warnings: [],
    doubts: [],
    cached: false,
  }
}

const scratch = await mkdtemp(join(tmpdir(), "queryveil-"))
const file = join(scratch, "log.tsv")
await writeSynth(file, { rows: 5000, users: 200 })

// The database exists before queryveil is used.
const address = `duckdb:${join(scratch, "searches.duckdb")}`
const instance = await DuckDBInstance.create(address.slice("duckdb:".length))
const database = await instance.connect()
await database.run(
  `CREATE TABLE searches AS SELECT * FROM read_csv('${file}', delim = '\t', header = true, quote = '')`,
)
database.closeSync()
instance.closeSync()

const remote = await openRemoteLog(address, "searches")
const choice = { method: "equality", k: 3, users: "drop", time: "drop", urls: "drop" }
const { manifest } = await release(remote, choice, { folder: join(scratch, "release") })
await remote.close()

const { log } = await readLog(file)
const checks = await verify({ release: await readRelease(join(scratch, "release")), log })
process.stdout.write(`${manifest.files[0].rows} rows were released by the database: ${overall(checks)}\n`)
if (overall(checks) !== "passed") process.exitCode = 1
