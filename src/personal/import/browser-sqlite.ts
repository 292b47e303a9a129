import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { QueryveilError } from "../../kernels/error.ts"
import type { PersonalDocument } from "../detect-topic.ts"
import { documentOfVisit, timeOf } from "./history-row.ts"

const queries = {
  chrome: `
    SELECT u.url, u.title, v.visit_time
    FROM h.visits v JOIN h.urls u ON v.url = u.id
    ORDER BY v.visit_time`,
  firefox: `
    SELECT p.url, p.title, v.visit_date
    FROM h.moz_historyvisits v JOIN h.moz_places p ON v.place_id = p.id
    ORDER BY v.visit_date`,
}

/** A copy of a browser's database: a file, or its bytes. Errors call it `name`. */
export type BrowserDatabase = { name: string } & ({ path: string } | { bytes: Buffer })

/**
 * Reads the history of Chrome (`History`) or Firefox (`places.sqlite`) from a copy of the file. It uses DuckDB's sqlite
 * extension if that is installed; nothing is loaded from the network. Without the extension, the error says how to
 * write a CSV. DuckDB reads only files, so bytes are written to a file that only this user can read, and the file is
 * deleted after reading.
 */
export async function readBrowserDatabase(database: BrowserDatabase): Promise<PersonalDocument[]> {
  const { name } = database
  const { DuckDBInstance } = await import("@duckdb/node-api")
  const instance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
  })
  const connection = await instance.connect()
  try {
    await connection.run("LOAD sqlite").catch(() => {
      throw notLoaded(name)
    })
    return await withFile(database, async (path) => {
      await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS h (TYPE sqlite, READ_ONLY)`)
      const tables = await (await connection.run("SELECT table_name FROM duckdb_tables()")).getRowsJson()
      const kind = tables.flat().includes("moz_places") ? "firefox" : "chrome"
      const rows = await (await connection.run(queries[kind])).getRowsJson()
      return rows.flatMap(([url, title, time]) => {
        return documentOfVisit({ url: String(url ?? ""), title: String(title ?? ""), time: timeOf(time) }) ?? []
      })
    })
  } catch (error) {
    if (error instanceof QueryveilError) throw error
    // DuckDB's message may quote the file.
    throw new QueryveilError(
      "input-unreadable",
      `${name}: cannot be read as a history of Chrome or Firefox. Close the browser and import a copy of the file.`,
      { file: name },
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

async function withFile<T>(database: BrowserDatabase, read: (path: string) => Promise<T>): Promise<T> {
  if ("path" in database) return read(database.path)
  const folder = await mkdtemp(join(tmpdir(), "queryveil-")) // 0700
  try {
    const path = join(folder, "history")
    await writeFile(path, database.bytes, { mode: 0o600 })
    return await read(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function notLoaded(name: string): QueryveilError {
  const select = "SELECT u.url, u.title, v.visit_time FROM visits v JOIN urls u ON v.url = u.id"
  const chrome = `sqlite3 -csv -header COPY "${select}" > history.csv`
  return new QueryveilError(
    "input-unreadable",
    [
      `${name}: is SQLite, and DuckDB's sqlite extension is not installed here.`,
      `Write a CSV and import that: ${chrome} (Firefox: see docs/personal-proxy.md).`,
    ].join(" "),
    { file: name },
  )
}
