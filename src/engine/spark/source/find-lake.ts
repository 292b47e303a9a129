import type { SparkConnection } from "../connect/spark-connection.ts"
import { errorClassOf } from "../connect/spark-error.ts"
import { listFiles } from "./pin-files.ts"

/** A table of a lake format whose files are at a path. */
export interface LakeTable {
  format: "Delta" | "Iceberg" | "Hudi"
  /** Its own path. The path that was named may be that of a partition. */
  root: string
}

/**
 * The table of Delta, Iceberg or Hudi at a path; undefined if there is none. Its folder also has files of earlier
 * versions: who reads it as plain Parquet gets rows that were deleted or replaced.
 */
export async function findLakeTable(connection: SparkConnection, path: string): Promise<LakeTable | undefined> {
  const root = path.replace(/\/+$/, "").replace(/(\/[^/=]+=[^/]*)+$/, "")
  const marks = [
    { format: "Delta", root, mark: "_delta_log" },
    { format: "Hudi", root, mark: ".hoodie" },
    { format: "Iceberg", root: root.replace(/\/data$/, ""), mark: "metadata/*.metadata.json" },
  ] as const
  for (const { mark, ...table } of marks) if (await isThere(connection, `${table.root}/${mark}`)) return table
  return undefined
}

async function isThere(connection: SparkConnection, path: string): Promise<boolean> {
  try {
    await listFiles(connection, [path], async () => {})
    return true
  } catch (error) {
    if (errorClassOf(error) === undefined) throw error
    return false // or a path that is a file, below which some file systems look for nothing
  }
}
