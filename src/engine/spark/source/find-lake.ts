import { QueryveilError } from "../../../kernels/error.ts"
import type { SparkConnection } from "../connect/spark-connection.ts"
import { errorClassOf } from "../connect/spark-error.ts"
import { isMissing, listFiles } from "./pin-files.ts"

/** A table of a lake format whose files are at a path. */
export interface LakeTable {
  format: "Delta" | "Iceberg" | "Hudi"
  /** Its own path. The path that was named may be that of a partition. */
  root: string
}

/**
 * The table of Delta, Iceberg or Hudi that a path belongs to; undefined if there is none. Its folder also has files of
 * earlier versions: who reads it as plain Parquet gets rows that were deleted or replaced.
 */
export async function findLakeTable(connection: SparkConnection, path: string): Promise<LakeTable | undefined> {
  for (const root of tableFolders(path))
    for (const [format, mark] of marks) if (await isThere(connection, { root, mark })) return { format, root }
  return undefined
}

const marks = [
  ["Delta", "_delta_log"],
  ["Hudi", ".hoodie"],
  ["Iceberg", "metadata/*.metadata.json"],
] as const

/**
 * The folders that may be the table of a path, the innermost first. The path may be that of the table, of a partition
 * (`day=1`), of its data, of a file, or a pattern of files.
 */
export function tableFolders(path: string): string[] {
  const pattern = path.search(/[*?[\]{}]/)
  const plain = pattern < 0 ? path : path.slice(0, path.lastIndexOf("/", pattern) + 1)
  const folders: string[] = []
  for (let folder = withoutSlash(plain); folder !== ""; ) {
    folders.push(folder)
    const at = folder.lastIndexOf("/")
    const above = withoutSlash(folder.slice(0, at + 1))
    if (at < 0 || above.endsWith(":") || !isInTable.test(folder.slice(at + 1))) break
    folder = above
  }
  return folders
}

const withoutSlash = (path: string) => path.replace(/\/+$/, "")

/** What is inside a table: a partition, the folder of its data, or a file. */
const isInTable = /=|\.|^data$/

async function isThere(connection: SparkConnection, { root, mark }: { root: string; mark: string }): Promise<boolean> {
  try {
    await listFiles(connection, [`${root}/${mark}`], async () => {})
    return true
  } catch (error) {
    const found = errorClassOf(error)
    // Below a file, some file systems answer with another error.
    if (isMissing(error) || (found !== undefined && /\.[a-z0-9]+$/i.test(root))) return false
    if (found === undefined) throw error
    throw new QueryveilError(
      "remote-refused",
      `Spark could not say whether the path belongs to a table of Delta, Iceberg or Hudi (${found}). Name the table ` +
        "(catalog.schema.table), or let Spark list the folder of the path and the one above it.",
    )
  }
}
