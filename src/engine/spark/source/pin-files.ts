import { randomBytes } from "node:crypto"
import { QueryveilError } from "../../../kernels/error.ts"
import type { DataSource } from "../connect/messages.ts"
import type { SparkConnection } from "../connect/spark-connection.ts"
import { errorClassOf } from "../connect/spark-error.ts"

/** What a view of a source reads, whatever is written to the source meanwhile. */
export interface PinnedSource {
  /** In words. */
  snapshot: string
  /** Text that differs between any two versions of any two sources. */
  identity: string
  bytes: number
  /** Fails if files that are read were changed or removed. */
  check(): Promise<void>
}

/**
 * Creates a view of the files at a path. Spark lists them once, with the view: files that are added later are not read.
 * Files that are replaced or removed are noticed by their size and time of change.
 */
export async function pinFiles(connection: SparkConnection, name: string, source: DataSource): Promise<PinnedSource> {
  await connection.createRelationView(name, { read: { data_source: source } })
  const paths = await connection.inputFiles(name)
  if (paths.length === 0) throw new QueryveilError("input-empty", "There are no files to read.")
  const files = await describeFiles(connection, paths)
  const identity = identityOf(files)
  return {
    snapshot: `${files.length} ${files.length === 1 ? "file" : "files"} as listed`,
    identity,
    bytes: files.reduce((sum, { length }) => sum + Number(length), 0),
    async check() {
      const now = await describeFiles(connection, paths).catch((error) => {
        throw isMissing(error) ? changedSource() : error
      })
      if (identityOf(now) !== identity) throw changedSource()
    },
  }
}

/** True if a table, a path or a file is not there. */
export function isMissing(error: unknown): boolean {
  return missing.includes(errorClassOf(error) ?? "")
}

const missing: readonly string[] = [
  "TABLE_OR_VIEW_NOT_FOUND",
  "SCHEMA_NOT_FOUND",
  "CATALOG_NOT_FOUND",
  "REQUIRES_SINGLE_PART_NAMESPACE", // no catalog has the first part of a name
  "PATH_NOT_FOUND",
  "FAILED_READ_FILE.FILE_NOT_EXIST",
]

function changedSource(): QueryveilError {
  return new QueryveilError(
    "input-changed",
    "The log changed while it was read. Nothing was released. Run again when nothing writes to it.",
  )
}

interface FileState {
  path: string
  length: string
  changed: string
}

/** Size and time of change of files. No content is read. */
async function describeFiles(connection: SparkConnection, paths: readonly string[]): Promise<FileState[]> {
  return listFiles(connection, paths.map(unescapePath), async (listing) => {
    const rows = await connection.rows(
      `SELECT path, CAST(length AS STRING) AS length, CAST(unix_micros(modificationTime) AS STRING) AS changed
       FROM ${listing}`,
      "listing files",
    )
    return rows
      .map(({ path = "", length = "", changed = "" }) => ({ path, length, changed }))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
  })
}

/** Lists files of any format in a temporary view. `use` gets its name. Fails if there are no such files. */
export async function listFiles<T>(
  connection: SparkConnection,
  paths: readonly string[],
  use: (listing: string) => Promise<T>,
): Promise<T> {
  const listing = `queryveil_files_${randomBytes(8).toString("hex")}`
  await connection.createRelationView(listing, { read: { data_source: { format: "binaryFile", paths } } })
  try {
    return await use(listing)
  } finally {
    await connection.run(`DROP VIEW IF EXISTS ${listing}`, { stage: "listing files" })
  }
}

const identityOf = (files: readonly FileState[]) =>
  files.map(({ path, length, changed }) => `${path}\0${length}\0${changed}\n`).join("")

/** Spark lists files as URIs, and takes paths in which `*` and others have a meaning. */
function unescapePath(uri: string): string {
  return decodeURIComponent(uri).replace(/[\\*?[\]{}]/g, (special) => `\\${special}`)
}
