import { randomBytes } from "node:crypto"
import type { SparkConnection } from "./connect/spark-connection.ts"
import { errorClassOf } from "./connect/spark-error.ts"

const stage = "removing temporary tables"

/**
 * Drops a temporary table with its files. A statement that was cancelled can leave a folder without a table, and a
 * Connect server whose catalog is in memory forgets its tables when it ends. Then the folder is removed, or emptied.
 */
export async function removeTable(connection: SparkConnection, name: string): Promise<void> {
  await connection.run(`DROP TABLE IF EXISTS ${name} PURGE`, { stage })
  const folder = await leftFolder(connection, name)
  if (folder === undefined) return
  try {
    await connection.run(`CREATE TABLE ${name} (n INT) USING parquet`, { stage })
    await connection.run(`DROP TABLE ${name} PURGE`, { stage })
  } catch (error) {
    if (!/LOCATION_ALREADY_EXISTS/.test(errorClassOf(error) ?? "")) throw error
    const path = folder.replaceAll("\\", "\\\\").replaceAll("'", "\\'")
    await connection.run(`INSERT OVERWRITE DIRECTORY '${path}' USING parquet SELECT 1 AS n WHERE false`, { stage })
  }
}

/** The folder of a table that is not in the catalog. Undefined if there is none, or none that can be seen. */
async function leftFolder(connection: SparkConnection, name: string): Promise<string | undefined> {
  const [table = "", ...schema] = name.split(".").reverse()
  const listing = `queryveil_files_${randomBytes(8).toString("hex")}`
  try {
    const [current] = await connection.rows("SELECT current_schema() AS name", stage)
    const rows = await connection.rows(`DESCRIBE SCHEMA ${schema.reverse().join(".") || current?.name}`, stage)
    const root = rows.find(({ info_name }) => info_name === "Location")?.info_value
    if (root === undefined || root === "") return undefined
    const folder = `${root.replace(/\/$/, "")}/${table}`
    await connection.createRelationView(listing, { read: { data_source: { format: "binaryFile", paths: [folder] } } })
    await connection.run(`DROP VIEW IF EXISTS ${listing}`, { stage })
    return folder
  } catch (error) {
    if (errorClassOf(error) === undefined) throw error
    return undefined
  }
}
