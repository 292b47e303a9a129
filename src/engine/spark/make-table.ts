import type { SparkSession, StatementOptions } from "./session.ts"

/** A temporary table of what a query gives, computed once. Returns its name. */
export async function makeTable(session: SparkSession, sql: string, options: StatementOptions): Promise<string> {
  const table = await session.temporaryTable()
  await session.run(`CREATE TABLE ${table} USING parquet AS ${sql}`, options)
  return table
}
