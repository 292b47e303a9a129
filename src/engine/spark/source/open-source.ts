import { createHash } from "node:crypto"
import { QueryveilError } from "../../../kernels/error.ts"
import type { DataSource } from "../connect/messages.ts"
import type { SparkConnection } from "../connect/spark-connection.ts"
import { errorClassOf } from "../connect/spark-error.ts"
import type { SourceFacts, SparkSource } from "../session.ts"
import { findLakeTable, type LakeTable } from "./find-lake.ts"
import { isMissing, type PinnedSource, pinFiles } from "./pin-files.ts"
import { pinDelta, pinTable } from "./pin-table.ts"

/** Creates a view of a source under a name, and says what exactly it reads. */
export async function openSource(connection: SparkConnection, name: string, source: SparkSource): Promise<SourceFacts> {
  const pin = async () => {
    if (source.kind === "table") return pinTable(connection, name, source.table)
    const lake =
      source.format === "parquet" || source.format === "orc" ? await findLakeTable(connection, source.path) : undefined
    if (lake !== undefined) return pinLake(connection, name, { path: source.path, lake })
    return pinFiles(connection, name, dataSourceOf(source))
  }
  const { snapshot, identity, bytes, check } = await pin().catch((error) => {
    throw isMissing(error) ? missing(source) : error
  })
  const columns = await connection.rows(`DESCRIBE TABLE ${name}`, "opening the log")
  const end = columns.findIndex(({ col_name = "" }) => col_name === "" || col_name.startsWith("#"))
  return {
    columns: columns
      .slice(0, end < 0 ? undefined : end)
      .map(({ col_name = "", data_type = "" }) => ({ name: col_name, type: data_type })),
    snapshot,
    sha256: createHash("sha256").update(identity).digest("hex"),
    bytes,
    checkUnchanged: check,
  }
}

/** Reads the table at a path with the format that it has. */
async function pinLake(
  connection: SparkConnection,
  name: string,
  { path, lake }: { path: string; lake: LakeTable },
): Promise<PinnedSource> {
  const { format, root } = lake
  const isWhole = path.replace(/\/+$/, "") === root
  try {
    const quoted = `delta.\`${root.replaceAll("`", "``")}\``
    if (format === "Delta" && isWhole) return await pinDelta(connection, name, quoted)
  } catch (error) {
    if (errorClassOf(error) === undefined) throw error // else the cluster does not have Delta
  }
  throw new QueryveilError(
    "remote-refused",
    `The path belongs to a table of ${format}, which keeps files of rows that it no longer has. Name the table ` +
      "(catalog.schema.table), on a cluster that has this format.",
  )
}

type FileSource = Extract<SparkSource, { kind: "files" }>

/** Values are read as text, so that an identifier such as 007 stays as it is. */
const formats: Record<FileSource["format"], Record<string, string>> = {
  parquet: {},
  orc: {},
  // A quote is written twice inside quotes, and a newline may stand there.
  csv: { header: "true", inferSchema: "false", multiLine: "true", quote: '"', escape: '"' },
  // What is no JSON keeps its line in `_corrupt_record`.
  json: { primitivesAsString: "true" },
  text: {},
}

function dataSourceOf({ path, format, options }: FileSource): DataSource {
  return { format, options: { ...formats[format], ...options }, paths: [path] }
}

function missing(source: SparkSource): QueryveilError {
  return source.kind === "table"
    ? new QueryveilError("input-missing", "Spark knows no such table. Check its name, with catalog and schema.")
    : new QueryveilError("input-missing", "Spark finds nothing at this path. The workers must be able to read it.")
}
