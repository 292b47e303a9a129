import { randomBytes } from "node:crypto"
import type { RunContext } from "../../../kernels/context.ts"
import { QueryveilError } from "../../../kernels/error.ts"
import type { Intake } from "../../../log/intake.ts"
import type { ReadResult } from "../../../log/parse-sources.ts"
import { warnOfRows } from "../../../release/anonymize.ts"
import type { FileFormat, RowsManifest } from "../../../release/manifest.ts"
import type { LogSizes } from "../../../release/receipt.ts"
import type { RemoteOriginal } from "../../../verify/remote-original.ts"
import type { RemoteDecision, RemoteLog, RemoteRequest, RemoteTables, TablesRequest } from "../../remote-log.ts"
import { makeTable } from "../make-table.ts"
import { refuseMethod } from "../methods/refuse-method.ts"
import { rowPlans, tablePlans } from "../methods/registry.ts"
import { readNumbers } from "../read-values.ts"
import type { SparkSession } from "../session.ts"
import { sparkOriginal } from "../verify/spark-original.ts"
import { arrangeQuery, orderKeyView, urlsQuery } from "./arrange-query.ts"
import type { ClusterLog } from "./cluster-log.ts"
import { fetchLog } from "./fetch-log.ts"
import { type ClusterRows, type OpenedSource, readClusterRows } from "./read-rows.ts"
import { scrubClusterLog } from "./scrub-queries.ts"
import { writeRowParts } from "./write-parts.ts"

/** What is written of the rows that are released. */
interface Writing extends Pick<RemoteRequest, "policy"> {
  kept: { table: string; rows: number }
  /** A url is shown if this many users clicked it. */
  threshold: number
  /** True if rows are shown under other users than those who clicked. */
  isSwapped: boolean
  to: FileFormat
}

/** A log on a Spark cluster. Its rows are read when a method first needs them. */
export class SparkLog implements RemoteLog {
  readonly #session: SparkSession
  readonly #source: OpenedSource
  #read: ClusterRows | undefined

  constructor(session: SparkSession, source: OpenedSource) {
    this.#session = session
    this.#source = source
  }

  get intake(): Intake {
    return this.#read?.intake ?? this.#source.intake
  }

  get log(): LogSizes {
    if (this.#read === undefined) throw new QueryveilError("internal", "The rows of the log were not read yet.")
    return this.#read.sizes
  }

  refuse(request: TablesRequest): string | undefined {
    return refuseMethod(request)
  }

  async decide(request: RemoteRequest, context: RunContext): Promise<RemoteDecision> {
    const plan = rowPlans[request.method.name]
    if (plan === undefined) throw new QueryveilError("internal", "A method was not refused.")
    const log = await this.#readRows(context)
    const scrubbed = await scrubClusterLog(log, request, context)
    const decided = await plan.decide(scrubbed.log, request, context)
    const { guarantee, withheld, audit, warnings = [], measured, seeded } = decided
    const isSwapped = "swapped" in decided
    const released = isSwapped
      ? decided.swapped
      : `SELECT a.i, a.u, b.shown AS q, b.f, a.t, a.r, a.l FROM ${log.rows} a JOIN ${decided.shown} b ON a.q = b.q`
    const kept = await this.#keepRows(released, context)
    const { method, parameters, policy } = request
    const facts = { users: log.sizes.users.size, kept: kept.rows }
    const { exempted } = scrubbed
    return {
      guarantee,
      withheld: { ...scrubbed.withheld, ...withheld },
      audit,
      warnings: [...warnings, ...warnOfRows(facts, { method, parameters, guarantee })],
      ...(measured && { measured }),
      ...(seeded === true && { seeded }),
      ...(exempted && { exempted }),
      writeParts: async (folder, { to }, writing) => {
        const options = { policy, threshold: guarantee.k, isSwapped, to }
        return this.#writeRows(folder, { ...options, kept }, writing)
      },
    }
  }

  async decideTables(request: TablesRequest, context: RunContext): Promise<RemoteTables> {
    const plan = tablePlans[request.method.name]
    if (plan === undefined) throw new QueryveilError("internal", "A method was not refused.")
    const { log, withheld, exempted } = await scrubClusterLog(await this.#readRows(context), request, context)
    const made = await plan.decide(log, request, context)
    return { ...made, withheld: { ...withheld, ...made.withheld }, ...(exempted && { exempted }) }
  }

  async original(request: Pick<RemoteRequest, "scrub" | "exempt">, context: RunContext): Promise<RemoteOriginal> {
    const { log } = await scrubClusterLog(await this.#readRows(context), request, context)
    return sparkOriginal(log)
  }

  async read(context: RunContext): Promise<ReadResult> {
    const log = await fetchLog(await this.#readRows(context), context)
    return { log, intake: this.intake }
  }

  close(): Promise<void> {
    return this.#session.close()
  }

  async #readRows(context: RunContext): Promise<ClusterLog> {
    this.#read ??= await readClusterRows(this.#session, this.#source, context)
    const { rows, sizes, intake } = this.#read
    return { session: this.#session, unit: intake.unit, rows, sizes }
  }

  /** Writes the rows that are released to a table. */
  async #keepRows(sql: string, { signal }: RunContext): Promise<{ table: string; rows: number }> {
    const running = { stage: "selecting", signal }
    const table = await makeTable(this.#session, sql, running)
    const [rows = 0] = await readNumbers(this.#session, `SELECT count(*) FROM ${table}`, running)
    return { table, rows }
  }

  async #writeRows(folder: string, options: Writing, context: RunContext): Promise<RowsManifest["files"]> {
    const { kept, policy, threshold, isSwapped, to } = options
    const { signal } = context
    const secret = { type: "string", values: [randomBytes(32).toString("hex")] } as const
    await this.#session.createView(orderKeyView, { secret })
    const urls = `(${urlsQuery(kept.table, { threshold, clicker: isSwapped ? "clicker" : "u" })})`
    const sql = arrangeQuery({ kept: kept.table, urls, policy })
    const batches = this.#session.query(sql, { stage: "arranging", signal })
    const files = await writeRowParts(folder, batches, { policy, to }, context)
    const written = files.reduce((sum, { rows }) => sum + rows, 0)
    if (written !== kept.rows)
      throw new QueryveilError("kernel-rows", "The cluster gave another number of rows than it had selected.")
    return files
  }
}
