import { QueryveilError } from "../../kernels/error.ts"
import type { PersonalDocument } from "../detect-topic.ts"
import { documentOfVisit, timeOf } from "./history-row.ts"

const queries = {
  chrome: "SELECT u.url, u.title, v.visit_time FROM h.visits v JOIN h.urls u ON v.url = u.id ORDER BY v.visit_time",
  firefox:
    "SELECT p.url, p.title, v.visit_date FROM h.moz_historyvisits v JOIN h.moz_places p ON v.place_id = p.id ORDER BY v.visit_date",
}

/**
 * The history of Chrome (`History`) or Firefox (`places.sqlite`), from a copy of the file, through DuckDB's sqlite extension if it is
 * installed: nothing is loaded from the network. Without it, says how to write a CSV.
 */
export async function readBrowserDatabase(path: string): Promise<PersonalDocument[]> {
  const { DuckDBInstance } = await import("@duckdb/node-api")
  const instance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  })
  const connection = await instance.connect()
  try {
    await connection.run("LOAD sqlite").catch(() => {
      throw notLoaded(path)
    })
    await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS h (TYPE sqlite, READ_ONLY)`)
    const tables = await (await connection.run("SELECT table_name FROM duckdb_tables()")).getRowsJson()
    const kind = tables.flat().includes("moz_places") ? "firefox" : "chrome"
    const rows = await (await connection.run(queries[kind])).getRowsJson()
    return rows.flatMap(([url, title, time]) => {
      return documentOfVisit({ url: String(url ?? ""), title: String(title ?? ""), time: timeOf(time) }) ?? []
    })
  } catch (error) {
    if (error instanceof QueryveilError) throw error
    // The message of DuckDB may quote the file.
    throw new QueryveilError(
      "input-unreadable",
      `${path}: cannot be read as a history of Chrome or Firefox. Close the browser and copy the file, then take the copy.`,
      { file: path },
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

function notLoaded(path: string): QueryveilError {
  const chrome = `sqlite3 -csv -header COPY "SELECT u.url, u.title, v.visit_time FROM visits v JOIN urls u ON v.url = u.id" > history.csv`
  return new QueryveilError(
    "input-unreadable",
    `${path}: is SQLite, and DuckDB's sqlite extension is not installed here. Write a CSV and import that: ${chrome} (Firefox: see docs/personal-proxy.md).`,
    { file: path },
  )
}
