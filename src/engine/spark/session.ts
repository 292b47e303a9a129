/**
 * A session on a Spark cluster. The text of a statement must carry no value of the log and no secret: Spark shows it in
 * its pages and logs. Values go in as views.
 */
export interface SparkSession {
  /** Runs a statement that changes something. A SELECT is not executed: see `query`. */
  run(sql: string, options: StatementOptions): Promise<void>
  /** Runs a query, and gives its rows batch by batch. A reader that stops early cancels the query. */
  query(sql: string, options: StatementOptions): AsyncIterable<ColumnBatch>
  /**
   * Creates a temporary view from values, or replaces it. They travel as Arrow data and appear in no plan. Columns have
   * the same length.
   */
  createView(name: string, columns: Readonly<Record<string, ViewColumn>>): Promise<void>
  /** Creates a temporary view of a table or of files. Its snapshot is pinned where the format has snapshots. */
  openSource(name: string, source: SparkSource): Promise<SourceFacts>
  /**
   * The name of a table that does not exist yet, for results that must not be computed twice:
   * `CREATE TABLE ${name} USING parquet AS SELECT …`. The table is dropped when the session is closed. If this process
   * is lost first, the next session on this machine drops it.
   */
  temporaryTable(): Promise<string>
  /** Drops a temporary table that is no longer needed. */
  dropTable(name: string): Promise<void>
  /** Cancels what runs, drops the temporary tables, and ends the session on the cluster. */
  close(): Promise<void>
}

export interface StatementOptions {
  /** The name of the step in reports of progress. */
  stage: string
  /** Cancels the jobs of the statement on the cluster. */
  signal?: AbortSignal
}

/** Rows as columns. A BIGINT arrives as a number; one beyond 2^53 is an error (cast it to STRING). */
export interface ColumnBatch {
  rows: number
  names: readonly string[]
  columns: readonly ColumnValues[]
}

/** The values of a column. NULL is null. */
export type ColumnValues =
  | readonly (string | null)[]
  | readonly (number | null)[]
  | readonly (boolean | null)[]
  | readonly (Uint8Array | null)[]

/** The values of a column of a view. */
export type ViewColumn =
  | { type: "string"; values: readonly (string | null)[] }
  | { type: "bigint" | "int" | "double"; values: ArrayLike<number | null> }
  | { type: "boolean"; values: readonly (boolean | null)[] }
  | { type: "binary"; values: readonly (Uint8Array | null)[] }

/** A table (`catalog.schema.table`), or files at a path that the cluster can read. */
export type SparkSource =
  | { kind: "table"; table: string }
  | {
      kind: "files"
      path: string
      /** `text` gives one column, `value`, with each line as it is, also where it is not UTF-8. */
      format: "parquet" | "orc" | "csv" | "json" | "text"
      /** Options of Spark for this format, such as `sep` for CSV. */
      options?: Record<string, string>
    }

/** What was opened. Private: it describes the input. */
export interface SourceFacts {
  columns: readonly { name: string; type: string }[]
  /** The snapshot that is read, where the format has snapshots; otherwise the files as they were listed. */
  snapshot: string
  /** A digest of the snapshot: equal if and only if the same version of the same table is read. */
  sha256: string
  /** Bytes of the files, where the cluster knows them. */
  bytes: number
  /** Fails if files of the source were replaced or removed since. Call it when everything was read. */
  checkUnchanged(): Promise<void>
}
