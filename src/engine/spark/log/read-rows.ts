import type { RunContext } from "../../../kernels/context.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import { doubtUsers } from "../../../log/doubt-users.ts"
import type { ColumnChoice } from "../../../log/formats/columns.ts"
import { isRejectReason } from "../../../log/formats/parsed-block.ts"
import type { Intake } from "../../../log/intake.ts"
import { noRows, warnOfRejects } from "../../../log/parse-sources.ts"
import type { Unit } from "../../../log/search-log.ts"
import type { LogSizes } from "../../../release/receipt.ts"
import { answersIn, kernelTable } from "../kernel-table.ts"
import { readNumbers, readRows } from "../read-values.ts"
import type { SourceFacts, SparkSession, SparkSource } from "../session.ts"
import { planSourceCells } from "./source-cells.ts"
import type { SourceDocuments } from "./source-documents.ts"
import { planSourceLines } from "./source-lines.ts"

/** The source of a log, and how its columns are read. Nothing of it was read yet but its first rows. */
export interface OpenedSource extends SourceDocuments {
  facts: SourceFacts
  /** What is known before the rows are read. */
  intake: Intake
}

/** The rows of a log in a table of the cluster: `i` (a number), `u`, `q`, `t`, `r`, `l` and `g`. */
export interface ClusterRows {
  /** A query in brackets. */
  rows: string
  intake: Intake
  sizes: LogSizes
}

const sourceView = "queryveil_source"

/** Opens a source and finds its columns. */
export async function openSource(
  session: SparkSession,
  { path, source, columns, unit }: { path: string; source: SparkSource; columns: ColumnChoice; unit: Unit },
  context: RunContext,
): Promise<OpenedSource> {
  await session.run("SET TIME ZONE 'UTC'", { stage: "opening", signal: context.signal })
  const facts = await session.openSource(sourceView, source)
  const place = { view: sourceView, path, columns, unit }
  const isText = source.kind === "files" && source.format === "text"
  const { reading, ...lines } = isText
    ? await planSourceLines(session, place, context)
    : await planSourceCells(session, { ...place, found: facts.columns }, context)
  const { bytes, sha256 } = facts
  const format = isText ? lines.plan.format : source.kind === "table" ? "table" : source.format
  const intake: Intake = {
    format,
    unit,
    read: reading === undefined ? [] : [{ ...reading, format }],
    files: [{ path, bytes, sha256, linesBefore: 0, lines: 0 }],
    lines: 0,
    rejected: {},
    rejects: { line: new Uint32Array(0), reason: new Uint8Array(0) },
    collapsed: 0,
    warnings: [],
    doubts: [],
    cached: false,
  }
  return { facts, intake, ...lines }
}

/** Reads the rows of a source into a table of the cluster, once. */
export async function readClusterRows(
  session: SparkSession,
  { documents, expected, headers, plan, facts, intake: known }: OpenedSource,
  { signal }: RunContext,
): Promise<ClusterRows> {
  const running = { stage: "reading rows", signal }
  const table = await kernelTable(session, {
    ...running,
    kernel: "rows",
    options: { plan },
    input: documents,
    expected,
    columns: "i BIGINT, u STRING, q STRING, t BIGINT, r INT, l STRING, g STRING, x STRING",
    needed: ["x", "q"],
  })
  await facts.checkUnchanged()
  const rejected = await countRejects(session, table, running)
  const rows = `(SELECT i, u, q, t, r, l, g FROM ${answersIn(table)} WHERE x IS NULL)`
  const sizes = await measureLog(session, rows, { stage: "counting", signal })
  const [read = 0] = await readNumbers(session, `SELECT coalesce(sum(\`end\`.\`read\`), 0) FROM ${table}`, running)
  const total = read + headers
  const intake: Intake = {
    ...known,
    files: known.files.map((file) => ({ ...file, lines: total })),
    lines: total,
    rejected,
    warnings: warnOfRejects(rejected, sizes.rows),
    doubts: doubtUsers({ log: sizes, intake: known }),
  }
  if (sizes.rows === 0) throw noRows(intake)
  return { rows, intake, sizes }
}

async function countRejects(
  session: SparkSession,
  table: string,
  running: { stage: string; signal: AbortSignal },
): Promise<Intake["rejected"]> {
  const rejected: Intake["rejected"] = {}
  const sql = `SELECT x, count(*) FROM ${answersIn(table)} WHERE x IS NOT NULL GROUP BY x`
  for await (const [reason, count] of readRows(session, sql, running)) {
    if (reason === "quoted")
      throw new QueryveilError(
        "remote-refused",
        "The log has quoted texts that go on in the next line. Spark cuts files at lines. Convert it to Parquet first.",
      )
    if (typeof reason !== "string" || !isRejectReason(reason) || typeof count !== "number")
      throw new QueryveilError("kernel-rows", "The kernel rows gave a reason that there is none.")
    rejected[reason] = count
  }
  return rejected
}

/** The sizes of a log, as the single process counts them. */
async function measureLog(
  session: SparkSession,
  rows: string,
  running: { stage: string; signal: AbortSignal },
): Promise<LogSizes> {
  const one = (what: string) => readNumbers(session, `SELECT ${what} FROM ${rows}`, running)
  const [all = 0] = await one("count(*)")
  const [users = 0] = await one("count(DISTINCT u)")
  const [queries = 0] = await one("count(DISTINCT q)")
  const [urls = 0] = await one("count(DISTINCT l)")
  const [events = 0] = await readNumbers(
    session,
    `SELECT count(*) FROM (SELECT DISTINCT u, q, t FROM ${rows})`,
    running,
  )
  return { rows: all, events, users: { size: users }, queries: { size: queries }, urls: { size: urls } }
}
