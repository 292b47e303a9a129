import { access, constants, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { reserveFile } from "../files/reserve.ts"
import { writeError } from "../files/write-error.ts"
import { writeFileWhole } from "../files/write-file.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { Table } from "../kernels/table.ts"
import type { Intake } from "../log/intake.ts"
import { fingerprintOf } from "../release/budget-ledger.ts"
import type { Manifest } from "../release/manifest.ts"
import { packageVersion } from "../release/package-version.ts"
import { receiptPath } from "../release/receipt.ts"
import { auditFile, refusePrivate } from "../release/write-release.ts"
import { type AnswerName, schemaName } from "./answers/versions.ts"

/** The origin of an answer about a release: everything needed to ask for it again. */
export interface AnswerOrigin {
  /** Version of queryveil. */
  queryveil: string
  method: string
  /** Id of the release. */
  release: string
  seed?: number
  /** Fingerprint of the original. */
  log?: string
}

export function originOf(
  manifest: Manifest,
  from: { intake?: Intake | undefined; seed?: number | undefined },
): AnswerOrigin {
  const { intake, seed } = from
  return {
    queryveil: packageVersion(),
    method: manifest.method,
    release: manifest.id,
    ...(seed === undefined ? {} : { seed }),
    ...(intake === undefined ? {} : { log: fingerprintOf(intake) }),
  }
}

/**
 * An answer for machines, with the name of its schema. Tables, which memory holds as cell functions, become rows in
 * JSON.
 */
export function toJson(name: AnswerName, answer: object): string {
  return `${JSON.stringify({ schema: schemaName(name), ...answer }, writeTables, 2)}\n`
}

/**
 * Fails early, before an hour of work, if the answer may not be written there: inside the release, or over its receipt
 * or audit, which cannot be made again. A pipe or a device can be written to at any time.
 */
export async function reserveAnswer(file: string | undefined, folder: string): Promise<void> {
  if (file === undefined) return
  await refusePrivate(file, folder)
  await refuseKept(file, folder)
  const found = await stat(file).catch(() => undefined)
  if (found?.isDirectory()) await reserveFile(file, { force: true })
  if (found !== undefined && !found.isFile()) return
  await access(dirname(resolve(file)), constants.W_OK).catch((error: unknown) => {
    throw writeError(file, error)
  })
}

/** Refuses to overwrite a receipt or a file of an audit. */
async function refuseKept(file: string, folder: string): Promise<void> {
  const besideAudit = await stat(join(dirname(file), auditFile)).catch(() => undefined)
  if (besideAudit === undefined && resolve(file) !== resolve(receiptPath(folder))) return
  const message = `${file}: belongs to the receipt or the audit of a release. Choose another name for the output.`
  throw new QueryveilError("output-exists", message, { file })
}

/** Writes the answer to a file that only its owner can read, completely or not at all. */
export async function writeAnswer(file: string | undefined, name: AnswerName, answer: object): Promise<void> {
  if (file !== undefined) await writeFileWhole(file, toJson(name, answer), { mode: 0o600 })
}

function writeTables(_key: string, value: unknown): unknown {
  return isTable(value) ? { columns: value.columns, rows: rowsOf(value) } : value
}

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && "cell" in value && typeof value.cell === "function"
}

function rowsOf(table: Table): (string | number)[][] {
  return Array.from({ length: table.rows }, (_, row) => table.columns.map((_, column) => table.cell(row, column)))
}
