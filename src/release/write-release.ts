import { mkdir, rmdir } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { lockFile } from "../files/lock.ts"
import { sweepLeftovers } from "../files/partial-names.ts"
import { realPlace } from "../files/real-place.ts"
import { besidePath, refuseInRelease, reserveFolder } from "../files/reserve.ts"
import { writeError } from "../files/write-error.ts"
import { writeChunks, writeFileWhole } from "../files/write-file.ts"
import { writeFolder } from "../files/write-folder.ts"
import { createContext, type RunContext, stopIfCancelled } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { Intake } from "../log/intake.ts"
import type { Draft, RowsDraft, TablesDraft } from "./anonymize.ts"
import { type FileFormat, type Manifest, type RowsManifest, releaseVersion, type TablesManifest } from "./manifest.ts"
import type { PartsDraft } from "./parts-draft.ts"
import { composeReceipt, type LogSizes, receiptPath } from "./receipt.ts"
import { encodeTable } from "./write-tables.ts"
import { type DataOptions, refuseEscaping } from "./writers/write-data.ts"
import { writeRows } from "./writers/write-rows.ts"
import { writeTable } from "./writers/write-table.ts"

export const manifestFile = "release.json"
export const auditFile = "audit.json"

/** How to write a release (default: as TSV; an existing folder is replaced only with `force`). */
export interface WriteOptions {
  to?: FileFormat
  /**
   * CSV and TSV: adds a leading apostrophe to a cell that a spreadsheet would run as a formula. `readRelease` removes
   * it.
   */
  escapeFormulas?: boolean
  /** Folder for the private side tables. */
  audit?: string
  force?: boolean
}

/**
 * `WriteOptions`, and the released log as `readLog` returned it, which the receipt describes. A release of a stream has
 * no log, and so no receipt.
 */
export type WriteInput = WriteOptions & {
  input: { log: LogSizes; intake: Intake; maxRisk?: number | undefined } | undefined
}

/** Fails now, and not after an hour of work, if the folders must not be written. */
export async function reserveRelease(folder: string, options: WriteOptions): Promise<void> {
  const { force = false, audit } = options
  refuseEscaping(options)
  await sweepLeftovers(receiptPath(folder))
  await reserveFolder(folder, { mark: manifestFile, force })
  await refusePrivate(receiptPath(folder))
  if (audit === undefined) return
  const [inner, outer] = [`${await realPlace(audit)}/`, `${await realPlace(folder)}/`]
  if (inner.startsWith(outer) || outer.startsWith(inner)) {
    throw new QueryveilError(
      "usage",
      `${audit}: the audit folder is private and must be neither in nor around the release. Choose another folder.`,
      { flag: "--audit" },
    )
  }
  await reserveFolder(audit, { mark: auditFile, force })
  await refusePrivate(audit)
}

/** Refuses a private output inside a release, or inside the folder that will become one. */
export async function refusePrivate(path: string, folder?: string): Promise<void> {
  if (folder !== undefined && `${await realPlace(path)}/`.startsWith(`${await realPlace(folder)}/`)) {
    throw new QueryveilError("usage", `${path}: is private and must not be in the release. Choose another place.`)
  }
  await refuseInRelease(path, { mark: manifestFile })
}

/**
 * Writes a draft. The data is written first, then the audit folder and the receipt, both private. Last of all the
 * release is moved into place, whole or not at all. A crash in between leaves no folder that looks like a release.
 */
export async function writeRelease(
  draft: RowsDraft,
  folder: string,
  options: WriteInput,
  context?: RunContext,
): Promise<RowsManifest>
export async function writeRelease(
  draft: TablesDraft,
  folder: string,
  options: WriteInput,
  context?: RunContext,
): Promise<TablesManifest>
export async function writeRelease(
  draft: Draft | PartsDraft,
  folder: string,
  options: WriteInput,
  context?: RunContext,
): Promise<Manifest>
export async function writeRelease(
  draft: Draft | PartsDraft,
  folder: string,
  options: WriteInput,
  context: RunContext = createContext(),
): Promise<Manifest> {
  const unlock = await reserveAlone(folder, options)
  try {
    return await writeReserved(draft, folder, options, context)
  } finally {
    await unlock()
  }
}

/** `writeRelease` to folders that `reserveAlone` has reserved. */
export async function writeReserved(
  draft: Draft | PartsDraft,
  folder: string,
  options: WriteInput,
  context: RunContext,
): Promise<Manifest> {
  const replace = options.force === true
  return writeFolder(folder, { mode: 0o755, replace }, async (temporary) => {
    const { to = "tsv", escapeFormulas = false } = options
    const manifest = await writeFiles(draft, temporary, { to, escapeFormulas }, context)
    const complete = async () => {
      stopIfCancelled(context)
      const { input } = options
      if (input !== undefined)
        await writeFileWhole(receiptPath(folder), toJson(composeReceipt(draft, manifest, input)), { mode: 0o600 })
      await writeChunks(join(temporary, manifestFile), [Buffer.from(toJson(manifest))], { mode: 0o644 })
    }
    if (options.audit === undefined) await complete()
    else await writeAudit(draft, options.audit, { complete, replace }, context)
    return manifest
  })
}

/** Reserves the folders for this run alone, until the returned function is called. */
export async function reserveAlone(folder: string, options: WriteOptions): Promise<() => Promise<void>> {
  await reserveRelease(folder, options)
  const unlock = await lockRelease(folder)
  try {
    await reserveRelease(folder, options) // another run may have written it before the lock was taken
    return unlock
  } catch (error) {
    await unlock()
    throw error
  }
}

/** Locks the folder: if two runs write to one folder, one succeeds and the other fails. */
async function lockRelease(folder: string): Promise<() => Promise<void>> {
  const path = resolve(besidePath(folder, ".lock.duckdb"))
  const busy = () =>
    new QueryveilError("output-exists", `${folder}: another run is writing it. Choose another folder.`, {
      file: folder,
    })
  try {
    const made = await mkdir(dirname(path), { recursive: true })
    const unlock = await lockFile(path, { place: "the release", busy, keep: false })
    return async () => {
      await unlock()
      if (made !== undefined) await removeEmpty(dirname(path), made)
    }
  } catch (error) {
    throw writeError(folder, error)
  }
}

/** Removes folders from the innermost to the outermost, until one is not empty. */
async function removeEmpty(innermost: string, outermost: string): Promise<void> {
  try {
    for (let folder = innermost; folder.startsWith(outermost); folder = dirname(folder)) await rmdir(folder)
  } catch {
    // The folder contains the release, or something of another run.
  }
}

/** Writes the published files, and lists them in the manifest. */
async function writeFiles(
  draft: Draft | PartsDraft,
  folder: string,
  options: DataOptions,
  context: RunContext,
): Promise<Manifest> {
  const formulas = options.escapeFormulas === true ? ({ formulas: "escaped" } as const) : {}
  if (draft.kind === "parts") return { ...draft.manifest, files: await draft.writeParts(folder, options, context) }
  if (draft.kind === "rows") {
    return { ...draft.manifest, ...formulas, files: [await writeRows(folder, draft.rows, options, context)] }
  }
  const files: TablesManifest["files"] = []
  for (const [name, table] of Object.entries(draft.tables)) {
    files.push(await writeTable(folder, table, { name, ...options }, context))
  }
  return { ...draft.manifest, ...formulas, files }
}

/** Writes the audit. It is moved into place only when everything else of the release is written. */
async function writeAudit(
  draft: Draft | PartsDraft,
  folder: string,
  { complete, replace }: { complete: () => Promise<void>; replace: boolean },
  context: RunContext,
): Promise<void> {
  await writeFolder(folder, { mode: 0o700, replace }, async (temporary) => {
    for (const [name, table] of Object.entries(draft.audit)) {
      await writeChunks(join(temporary, `${name}.tsv`), encodeTable(table, context), { mode: 0o600 })
    }
    const files = Object.keys(draft.audit).map((name) => `${name}.tsv`)
    const about = { queryveil: releaseVersion, release: draft.manifest.id, files, places: draft.places }
    await writeChunks(join(temporary, auditFile), [Buffer.from(toJson(about))], { mode: 0o600 })
    await complete()
  })
}

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
