import { randomUUID } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import { type RunContext, stopIfCancelled } from "../../../kernels/context.ts"
import type { ColumnBatch, StatementOptions, ViewColumn } from "../session.ts"
import { readArrow, splitRows, writeArrow } from "./arrow-data.ts"
import { openChannel } from "./channel.ts"
import { type ExecuteOptions, executePlan, type ServerSession } from "./execute-plan.ts"
import type { AnalyzeResponse, ConfigResponse, Plan, Relation } from "./messages.ts"
import type { SparkAddress } from "./spark-address.ts"
import { describeFailure, mayPass, readFailure } from "./spark-error.ts"
import { loadSparkLibraries, type SparkLibraries } from "./spark-libraries.ts"

const clientType = "queryveil"
/** How long a server that does not answer is asked again, once the session is open. */
const patience = 120_000
const lastPatience = 10_000
const retryMilliseconds = 500
/** A server ends a session that nobody used for an hour, for example while this machine computes. */
const aliveMilliseconds = 600_000

/** Statements, views and settings of one session on a Spark Connect server. */
export class SparkConnection {
  readonly #libraries: SparkLibraries
  readonly #server: ServerSession
  #stage: string | undefined
  readonly #context: RunContext

  #alive: NodeJS.Timeout | undefined

  private constructor(libraries: SparkLibraries, server: ServerSession, context: RunContext) {
    this.#libraries = libraries
    this.#server = server
    this.#context = context
  }

  /** Opens a session. */
  static async open(address: SparkAddress, context: RunContext): Promise<SparkConnection> {
    const libraries = await loadSparkLibraries()
    const channel = openChannel(libraries, address)
    const fields = {
      session_id: randomUUID(),
      user_context: { user_id: address.user },
      client_type: clientType,
    }
    const server: ServerSession = { channel, details: libraries.details, fields, patience }
    const connection = new SparkConnection(libraries, server, context)
    try {
      const { server_side_session_id: seen } = await connection.#call<AnalyzeResponse>(
        "AnalyzePlan",
        { spark_version: {} },
        "connecting",
      )
      // From now on the server refuses a call if it forgot the session, instead of opening a new one.
      Object.assign(fields, { client_observed_server_side_session_id: seen })
      const ask = () => channel.call("AnalyzePlan", { ...fields, spark_version: {} }).catch(() => {})
      connection.#alive = setInterval(ask, aliveMilliseconds).unref()
    } catch (error) {
      channel.close()
      throw error
    }
    return connection
  }

  /** The same session, for work that must be done after an interruption too. A lost server is given up soon. */
  uncancelled(): SparkConnection {
    const context = { ...this.#context, signal: new AbortController().signal }
    return new SparkConnection(this.#libraries, { ...this.#server, patience: lastPatience }, context)
  }

  get id(): string {
    return this.#server.fields.session_id
  }

  /** The version of Spark. */
  async version(): Promise<string> {
    const { spark_version } = await this.#call<AnalyzeResponse>("AnalyzePlan", { spark_version: {} }, "connecting")
    return spark_version?.version ?? ""
  }

  async run(sql: string, options: StatementOptions): Promise<void> {
    await this.#command({ command: { sql_command: { input: { sql: { query: sql } } } } }, options)
  }

  async *query(sql: string, options: StatementOptions): AsyncGenerator<ColumnBatch> {
    for await (const data of executePlan(this.#server, { root: { sql: { query: sql } } }, this.#reporting(options))) {
      const batch = readArrow(this.#libraries.arrow, data)
      if (batch.rows > 0) yield batch
    }
  }

  /** Creates a temporary view of values. One that is larger than a message travels in parts. */
  async createView(name: string, columns: Readonly<Record<string, ViewColumn>>): Promise<void> {
    const parts = splitRows(columns)
    const names = parts.map((_, i) => (parts.length === 1 ? name : `${name}_part${i}`))
    for (const [i, part] of parts.entries()) {
      const data = writeArrow(this.#libraries.arrow, columns, part)
      await this.createRelationView(names[i] ?? name, { local_relation: { data } })
    }
    if (parts.length === 1) return
    const query = names.map((part) => `SELECT * FROM ${part}`).join(" UNION ALL ")
    await this.createRelationView(name, { sql: { query } })
  }

  /** Creates a temporary view. Names in it are looked up now: later changes of tables do not change the view. */
  async createRelationView(name: string, input: Relation): Promise<void> {
    await this.#command({ command: { create_dataframe_view: { input, name, replace: true } } }, { stage: "views" })
  }

  /** The files that a view reads. */
  async inputFiles(view: string): Promise<readonly string[]> {
    const plan: Plan = { root: { sql: { query: `SELECT * FROM ${view}` } } }
    const { input_files } = await this.#call<AnalyzeResponse>("AnalyzePlan", { input_files: { plan } }, "listing files")
    return input_files?.files ?? []
  }

  /** The rows of a small result, by column name. NULL is an empty text, and so are times and nested values. */
  async rows(sql: string, stage: string): Promise<Record<string, string>[]> {
    const rows: Record<string, string>[] = []
    for await (const data of executePlan(this.#server, { root: { sql: { query: sql } } }, this.#reporting({ stage }))) {
      const { rows: count, names, columns } = readArrow(this.#libraries.arrow, data, { others: "null" })
      for (let row = 0; row < count; row++)
        rows.push(Object.fromEntries(names.map((name, i) => [name, String(columns[i]?.[row] ?? "")])))
    }
    return rows
  }

  /** The values of settings. Those that are not set are missing. */
  async settings(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const operation = { get_option: { keys } }
    const { pairs = [] } = await this.#call<ConfigResponse>("Config", { operation }, "settings")
    return new Map(pairs.flatMap(({ key, value }) => (value === undefined ? [] : [[key, value] as const])))
  }

  async set(settings: Readonly<Record<string, string>>): Promise<void> {
    const pairs = Object.entries(settings).map(([key, value]) => ({ key, value }))
    await this.#call("Config", { operation: { set: { pairs } } }, "settings")
  }

  /** Cancels everything that runs in the session. */
  async interrupt(): Promise<void> {
    const { channel, fields } = this.#server
    // A server that is gone has nothing left to cancel.
    await channel.call("Interrupt", { ...fields, interrupt_type: 1 }).catch(() => {})
  }

  /** Ends a session of this user, with all that runs in it. A session that is gone needs no end. */
  async endSession(session_id: string): Promise<void> {
    const { channel, fields } = this.#server
    const of = { user_context: fields.user_context, client_type: clientType, session_id }
    await channel.call("Interrupt", { ...of, interrupt_type: 1 }).catch(() => {})
    await channel.call("ReleaseSession", of).catch(() => {})
  }

  /** Ends the session, with all that runs in it. */
  async close(): Promise<void> {
    clearInterval(this.#alive)
    await this.endSession(this.id)
    this.#server.channel.close()
  }

  async #command(plan: Plan, options: StatementOptions): Promise<void> {
    for await (const _ of executePlan(this.#server, plan, this.#reporting(options)));
  }

  /** Makes a short call, again if the connection is lost. */
  async #call<T>(method: string, request: object, stage: string): Promise<T> {
    const { channel, fields, details } = this.#server
    for (let tries = 3; ; tries--) {
      stopIfCancelled(this.#context)
      try {
        return (await channel.call(method, { ...fields, ...request })) as T
      } catch (error) {
        const failure = readFailure(error, details)
        if (failure === undefined) throw error
        if (tries === 1 || !mayPass(failure)) throw describeFailure(failure, stage)
        await wait(retryMilliseconds)
      }
    }
  }

  #reporting({ stage, signal }: StatementOptions): ExecuteOptions {
    const { report, signal: run } = this.#context
    // A short statement ends before Spark tells of any task.
    if (stage !== this.#stage) report({ stage, done: 0 })
    this.#stage = stage
    let last = ""
    return {
      stage,
      signal: signal ?? run,
      progress(done, total) {
        if (last === `${done}/${total}`) return
        last = `${done}/${total}`
        report({ stage, done, total })
      },
    }
  }
}
