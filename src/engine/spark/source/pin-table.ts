import { QueryveilError } from "../../../kernels/error.ts"
import type { SparkConnection } from "../connect/spark-connection.ts"
import { type PinnedSource, pinFiles } from "./pin-files.ts"

const stage = "opening the log"

/** Creates a view of a table as it is now: later writes to the table do not change what the view shows. */
export async function pinTable(connection: SparkConnection, name: string, table: string): Promise<PinnedSource> {
  const quoted = quoteTable(table)
  const facts = await describeTable(connection, quoted)
  if (facts.provider === "delta") return pinDelta(connection, name, quoted)
  if (facts.provider === "iceberg") return pinIceberg(connection, name, quoted)
  if (!fileFormats.includes(facts.provider) || /view/i.test(facts.type))
    throw new QueryveilError(
      "remote-refused",
      `The log must be a table of ${[...fileFormats, "delta", "iceberg"].join(", ")}: its version is pinned. ` +
        "For other tables, name the path of the files.",
    )
  return pinLocation(connection, name, { quoted, facts })
}

const fileFormats: readonly string[] = ["parquet", "orc"]

interface TableFacts {
  provider: string
  type: string
  location: string
  columns: readonly { name: string; type: string }[]
}

async function describeTable(connection: SparkConnection, quoted: string): Promise<TableFacts> {
  const rows = await connection.rows(`DESCRIBE TABLE EXTENDED ${quoted}`, stage)
  const end = rows.findIndex(({ col_name = "" }) => col_name === "" || col_name.startsWith("#"))
  const columns = rows.slice(0, end < 0 ? undefined : end)
  const value = (name: string) => rows.slice(columns.length).find((row) => row.col_name === name)?.data_type ?? ""
  return {
    provider: value("Provider").toLowerCase(),
    type: value("Type"),
    location: value("Location"),
    columns: columns.map(({ col_name = "", data_type = "" }) => ({ name: col_name, type: data_type })),
  }
}

/** Spark lists the files of a table again after a write. So they are read by their path, and listed once. */
async function pinLocation(
  connection: SparkConnection,
  name: string,
  { quoted, facts }: { quoted: string; facts: TableFacts },
): Promise<PinnedSource> {
  const { provider, location, columns } = facts
  await connection.createRelationView(name, { sql: { query: `SELECT * FROM ${quoted}` } })
  const listed = await connection.inputFiles(name)
  const schema = columns.map((column) => `${quoteName(column.name)} ${column.type}`).join(", ")
  const pinned = await pinFiles(connection, name, { format: provider, schema, paths: [location] })
  const read = new Set(await connection.inputFiles(name))
  if (read.size !== listed.length || listed.some((file) => !read.has(file)))
    throw new QueryveilError(
      "remote-refused",
      "The table has partitions outside its own location, or it was just written to. Name the paths of its files.",
    )
  return pinned
}

export async function pinDelta(connection: SparkConnection, name: string, quoted: string): Promise<PinnedSource> {
  const [latest] = await connection.rows(`DESCRIBE HISTORY ${quoted} LIMIT 1`, stage)
  const [detail] = await connection.rows(`DESCRIBE DETAIL ${quoted}`, stage)
  const version = latest?.version ?? ""
  if (!/^\d+$/.test(version)) throw unreadable("Delta")
  await connection.createRelationView(name, { sql: { query: `SELECT * FROM ${quoted} VERSION AS OF ${version}` } })
  const { id = "", sizeInBytes = "" } = detail ?? {}
  return pinnedVersion(`delta version ${version}`, { identity: `delta\0${id}\0${version}`, bytes: sizeInBytes })
}

async function pinIceberg(connection: SparkConnection, name: string, quoted: string): Promise<PinnedSource> {
  const query = `SELECT CAST(snapshot_id AS STRING) AS id FROM ${quoted}.refs WHERE name = 'main'`
  const [main] = await connection.rows(query, stage)
  const id = main?.id ?? ""
  if (!/^\d+$/.test(id)) throw unreadable("Iceberg")
  const read = `${quoted} VERSION AS OF ${id}`
  await connection.createRelationView(name, { sql: { query: `SELECT * FROM ${read}` } })
  const files = `SELECT sum(file_size_in_bytes) AS bytes FROM ${quoted}.files VERSION AS OF ${id}`
  const [size] = await connection.rows(files, stage)
  return pinnedVersion(`iceberg snapshot ${id}`, { identity: `iceberg\0${quoted}\0${id}`, bytes: size?.bytes ?? "" })
}

/** These formats keep the files of a version. A version that is cleaned up meanwhile makes the read fail. */
function pinnedVersion(snapshot: string, { identity, bytes }: { identity: string; bytes: string }): PinnedSource {
  return { snapshot, identity, bytes: Number(bytes) || 0, check: async () => {} }
}

const unreadable = (format: string) =>
  new QueryveilError("input-empty", `The table has no version that ${format} could read. Is it empty?`)

const quoteName = (name: string) => `\`${name.replaceAll("`", "``")}\``

/** Quotes the parts of a table's name: `catalog.schema.table`. */
function quoteTable(table: string): string {
  const parts = table.match(/`(?:[^`]|``)+`|[^.`]+/g) ?? []
  if (parts.length === 0 || parts.join(".") !== table)
    throw new QueryveilError("usage", "The name of the table is not understood. Example: catalog.schema.table.")
  return parts.map((part) => (part.startsWith("`") ? part : quoteName(part))).join(".")
}
