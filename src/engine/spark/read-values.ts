import { QueryveilError } from "../../kernels/error.ts"
import type { SparkSession, StatementOptions } from "./session.ts"

/** A value of a row. */
export type SparkValue = string | number | boolean | Uint8Array | null

/** The rows of a query, one by one. */
export async function* readRows(
  session: SparkSession,
  sql: string,
  options: StatementOptions,
): AsyncGenerator<readonly SparkValue[]> {
  for await (const { rows, columns } of session.query(sql, options))
    for (let row = 0; row < rows; row++) yield columns.map((values) => values[row] ?? null)
}

/** The numbers in the only row of a query. */
export async function readNumbers(session: SparkSession, sql: string, options: StatementOptions): Promise<number[]> {
  const rows: (readonly SparkValue[])[] = []
  for await (const row of readRows(session, sql, options)) rows.push(row)
  const [only] = rows
  if (rows.length !== 1 || only === undefined) throw unexpected(options)
  return only.map((value) => {
    if (typeof value === "number") return value
    throw unexpected(options)
  })
}

const unexpected = ({ stage }: StatementOptions) =>
  new QueryveilError("internal", `Spark gave another answer than one row of numbers (${stage}).`)
