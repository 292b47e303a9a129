/** A request to execute, and the parts of it that are written. Names are those of `data/spark-connect.proto`. */
export type Plan = { root: Relation } | { command: Command }

export type Relation =
  | { sql: { query: string } }
  | { local_relation: { data: Uint8Array } }
  | {
      read:
        | { named_table: { unparsed_identifier: string; options?: Record<string, string> } }
        | { data_source: DataSource }
    }

export interface DataSource {
  format: string
  /** Columns and types as in DDL. Without them Spark looks into the files. */
  schema?: string
  options?: Record<string, string>
  paths: readonly string[]
}

type Command =
  | { sql_command: { input: Relation } }
  | { create_dataframe_view: { input: Relation; name: string; replace: boolean } }

/** One answer of an execution. */
export interface ExecuteResponse {
  operation_id?: string
  response_id?: string
  server_side_session_id?: string
  arrow_batch?: { row_count?: number; data?: Uint8Array }
  result_complete?: object
  execution_progress?: { stages?: readonly { num_tasks?: number; num_completed_tasks?: number }[] }
}

export interface ConfigResponse {
  pairs?: readonly { key: string; value?: string }[]
}

export interface AnalyzeResponse {
  server_side_session_id?: string
  input_files?: { files?: readonly string[] }
  spark_version?: { version?: string }
}
