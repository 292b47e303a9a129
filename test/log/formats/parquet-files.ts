import { DuckDBInstance } from "@duckdb/node-api"

/** Writes the rows of a SELECT into a Parquet file. Returns its path. */
export async function writeParquet(path: string, select: string): Promise<string> {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  try {
    await connection.run(`COPY (${select}) TO '${path.replaceAll("'", "''")}' (FORMAT parquet)`)
    return path
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
