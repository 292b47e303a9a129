/** Runs one statement in an embedded DuckDB that keeps nothing and fetches nothing. */
export async function runStatement(sql: string): Promise<void> {
  const { DuckDBInstance } = await import("@duckdb/node-api")
  const instance = await DuckDBInstance.create(":memory:", { autoinstall_known_extensions: "false" })
  const connection = await instance.connect()
  try {
    await connection.run(sql)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
