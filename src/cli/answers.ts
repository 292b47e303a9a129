import { access, constants, stat } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import type { Intake } from "../log/intake.ts"
import type { Table } from "../methods/table.ts"
import { fingerprintOf } from "../release/budget-ledger.ts"
import type { Manifest } from "../release/manifest.ts"
import { reserveFile, writeError, writeFileWhole } from "../release/output.ts"
import { packageVersion } from "../release/package-version.ts"
import { refusePrivate } from "../release/write-release.ts"

/** Where an answer comes from: what is needed to ask for it again. */
export function originOf(manifest: Manifest, from: { intake?: Intake | undefined; seed?: number | undefined }) {
  const { intake, seed } = from
  return {
    queryveil: packageVersion(),
    method: manifest.method,
    release: manifest.id,
    ...(seed === undefined ? {} : { seed }),
    ...(intake === undefined ? {} : { log: fingerprintOf(intake) }),
  }
}

/** An answer for machines. Tables are read cell by cell; in JSON they are rows. */
export function toJson(answer: unknown): string {
  return `${JSON.stringify(answer, writeTables, 2)}\n`
}

/** Fails now, not after an hour of work, when an answer may not be written there. A pipe or a device may be at any time. */
export async function reserveAnswer(file: string | undefined, folder: string): Promise<void> {
  if (file === undefined) return
  await refusePrivate(file, folder)
  const found = await stat(file).catch(() => undefined)
  if (found?.isDirectory()) await reserveFile(file, { force: true })
  if (found !== undefined && !found.isFile()) return
  await access(dirname(resolve(file)), constants.W_OK).catch((error: unknown) => {
    throw writeError(file, error)
  })
}

/** The answer as a file of its owner's, whole or not at all. */
export async function writeAnswer(file: string | undefined, answer: unknown): Promise<void> {
  if (file !== undefined) await writeFileWhole(file, toJson(answer), { mode: 0o600 })
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
