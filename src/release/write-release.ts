import { join } from "node:path"
import type { RunContext } from "../kernels/context.ts"
import type { Intake } from "../log/intake.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { Draft } from "./anonymize.ts"
import { type FileFormat, type Manifest, releaseVersion } from "./manifest.ts"
import { reserveFolder, writeChunks, writeFileWhole, writeFolder } from "./output.ts"
import { composeReceipt, receiptPath } from "./receipt.ts"
import { encodeTable } from "./write-tables.ts"
import { writeRows } from "./writers/write-rows.ts"

export const manifestFile = "release.json"
const auditFile = "audit.json"

export interface WriteOptions {
  to?: FileFormat
  /** Folder for the private side tables. */
  audit?: string
  force?: boolean
}

/** Fails now, not after an hour of work, when the folders may not be written. */
export async function reserveRelease(folder: string, options: WriteOptions): Promise<void> {
  const force = options.force ?? false
  await reserveFolder(folder, { mark: manifestFile, force })
  if (options.audit !== undefined) await reserveFolder(options.audit, { mark: auditFile, force })
}

/**
 * Writes a draft: the audit folder and the receipt first, both private, then the release, whole or not at all, its
 * manifest last. A crash in between leaves no folder that looks like a release.
 */
export async function writeRelease(
  draft: Draft,
  folder: string,
  options: WriteOptions & { input: { log: SearchLog; intake: Intake } },
  context: RunContext,
): Promise<Manifest> {
  await reserveRelease(folder, options)
  return writeFolder(folder, { mode: 0o755 }, async (temporary) => {
    const file = await writeRows(temporary, draft.rows, { to: options.to ?? "tsv" }, context)
    const manifest: Manifest = { ...draft.manifest, files: [file] }
    if (options.audit !== undefined) await writeAudit(draft, options.audit, context)
    const receipt = composeReceipt(draft, options.input)
    await writeFileWhole(receiptPath(folder), toJson(receipt), { mode: 0o600 })
    await writeChunks(join(temporary, manifestFile), [Buffer.from(toJson(manifest))], { mode: 0o644 })
    return manifest
  })
}

async function writeAudit(draft: Draft, folder: string, context: RunContext): Promise<void> {
  await writeFolder(folder, { mode: 0o700 }, async (temporary) => {
    for (const [name, table] of Object.entries(draft.audit)) {
      await writeChunks(join(temporary, `${name}.tsv`), encodeTable(table, context), { mode: 0o600 })
    }
    const about = {
      queryveil: releaseVersion,
      release: draft.manifest.id,
      files: Object.keys(draft.audit).map((name) => `${name}.tsv`),
    }
    await writeChunks(join(temporary, auditFile), [Buffer.from(toJson(about))], { mode: 0o600 })
  })
}

const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
