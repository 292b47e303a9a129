import { QueryveilError } from "../../kernels/error.ts"
import type { JsonObject } from "../../log/formats/json-record.ts"
import { kernelCommand } from "../kernels/kernel-command.ts"
import { makeTable } from "./make-table.ts"
import { readNumbers } from "./read-values.ts"
import type { SparkSession, StatementOptions } from "./session.ts"

/** A kernel to run over the rows of a query. */
export interface KernelStep extends StatementOptions {
  kernel: string
  options?: JsonObject
  /** A query. Each of its rows becomes a document whose members are the columns. A NULL is left out. */
  input: string
  /** A query of one number: how many documents the kernel must read. */
  expected: string
  /** The members of the kernel's documents as columns: `q STRING, s INT`. */
  columns: string
  /** Columns of which each document has at least one. A line without any is not an answer. */
  needed: readonly string[]
}

const endColumn = "`end` STRUCT<`read`: BIGINT, written: BIGINT>"

/**
 * Runs a kernel at the data, and writes what it answers to a temporary table, once. Fails unless every process read and
 * wrote everything: Spark takes a process that ended too early for a complete one. The table has one more column,
 * `end`, which is NULL but in the last line of each process.
 */
export async function kernelTable(session: SparkSession, step: KernelStep): Promise<string> {
  const { kernel, options = {}, input, expected, columns, needed, ...running } = step
  const documents = `SELECT to_json(struct(*)) AS document FROM (${input})`
  const command = kernelCommand(kernel, options)
  const lines = `SELECT TRANSFORM(document) USING '${command}' AS (line STRING) FROM (${documents})`
  const answers = `SELECT from_json(line, '${columns}, ${endColumn}') AS answer FROM (${lines})`
  const table = await makeTable(session, `SELECT answer.* FROM (${answers})`, running)
  const isAnswer = needed.map((column) => `${column} IS NOT NULL`).join(" OR ")
  const counts = [
    `(${expected})`,
    "coalesce(sum(`end`.`read`), 0)",
    "coalesce(sum(`end`.written), 0)",
    `count_if(${isAnswer})`,
    "count_if(`end` IS NULL)",
  ]
  const [wanted, read, written, answered, left] = await readNumbers(session, `SELECT ${counts} FROM ${table}`, running)
  if (read === wanted && written === answered && answered === left) return table
  throw new QueryveilError(
    "kernel-rows",
    `The kernel ${kernel} lost rows (${running.stage}): a process on the cluster ended too early or answered nonsense.`,
  )
}

/** The answers in the table of a kernel: without the last line of each process. */
export const answersIn = (table: string): string => `(SELECT * FROM ${table} WHERE \`end\` IS NULL)`
