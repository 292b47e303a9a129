import { interruption } from "../../kernels/context.ts"
import { QueryveilError } from "../../kernels/error.ts"

/** Runs one statement in an embedded DuckDB that keeps nothing and downloads nothing. */
export async function runStatement(sql: string, options: { path: string; signal: AbortSignal }): Promise<void> {
  const { DuckDBInstance } = await import("@duckdb/node-api")
  const instance = await DuckDBInstance.create(":memory:", { autoinstall_known_extensions: "false" })
  const connection = await instance.connect()
  const stop = () => connection.interrupt()
  options.signal.addEventListener("abort", stop, { once: true })
  try {
    await connection.run(sql)
  } catch (error) {
    if (options.signal.aborted) throw interruption()
    throw writeFailure(error instanceof Error ? error.message : "", options.path)
  } finally {
    options.signal.removeEventListener("abort", stop)
    connection.closeSync()
    instance.closeSync()
  }
}

/** DuckDB's own message may quote the data, so only the kind of error is passed on. */
function writeFailure(message: string, path: string): QueryveilError {
  if (/no space left|file too large|quota/i.test(message)) {
    return new QueryveilError(
      "output-full",
      `${path}: the disk is full or a size limit was reached. Make room and run again.`,
      {
        file: path,
      },
    )
  }
  const kind = /^[A-Za-z ]+Error/.exec(message)?.[0] ?? "unknown error"
  return new QueryveilError("output-unwritable", `${path}: could not be written as Parquet (${kind}).`, { file: path })
}
