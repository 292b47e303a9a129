import { QueryveilError } from "../../kernels/error.ts"
import type { SparkSource } from "./session.ts"

/** Endings of files of lines. Spark gives their lines as they are, and our own parser reads them. */
const lineEndings = new Set(["csv", "tsv", "txt", "log", "json", "jsonl", "ndjson"])

/**
 * The source that a log names: files if it has a slash or the ending of a file format, and else a table. A path without
 * the ending of a text file has Parquet files.
 */
export function sourceOf(log: string): SparkSource {
  const ending = /\.([a-z]+)(\.gz)?\/?$/i.exec(log)?.[1]?.toLowerCase() ?? ""
  if (lineEndings.has(ending)) return { kind: "files", path: log, format: "text", options: { lineSep: "\n" } }
  if (ending === "orc") return { kind: "files", path: log, format: "orc" }
  if (log.includes("/") || ending === "parquet") return { kind: "files", path: log, format: "parquet" }
  if (log.trim() !== "" && !/[;'"\s]/.test(log)) return { kind: "table", table: log }
  throw new QueryveilError("input-missing", "Name a table (catalog.schema.table), or the path of files.")
}
