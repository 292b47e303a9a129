import { randomBytes } from "node:crypto"
import { readdir, readFile, rm } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import { lockFile } from "../../files/lock.ts"
import { makePrivateFolder } from "../../files/private-folder.ts"
import { writeFileWhole } from "../../files/write-file.ts"
import { QueryveilError } from "../../kernels/error.ts"
import type { SparkConnection } from "./connect/spark-connection.ts"
import { removeTable } from "./remove-table.ts"

const prefix = "queryveil_tmp_"

/** Where the records are kept. */
function recordFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return join(env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "queryveil", "spark")
}

/**
 * The temporary tables of a session. A table is recorded in a private file of this machine before it is made, and the
 * file is locked while the process lives. So a later session finds what a lost process left, and drops it.
 */
export class TemporaryTables {
  readonly #connection: SparkConnection
  readonly #folder: string
  readonly #place: TablePlace
  readonly #names = new Set<string>()
  readonly #record = `${randomBytes(12).toString("hex")}.json`
  #unlock: (() => Promise<void>) | undefined

  constructor(connection: SparkConnection, place: TablePlace, folder = recordFolder()) {
    this.#connection = connection
    this.#folder = folder
    this.#place = place
  }

  /** The tables that were not dropped. */
  get names(): readonly string[] {
    return [...this.#names]
  }

  async add(): Promise<string> {
    const { schema } = this.#place
    const name = `${schema === undefined ? "" : `${schema}.`}${prefix}${randomBytes(12).toString("hex")}`
    await makePrivateFolder(this.#folder)
    this.#unlock ??= await lockRecord(join(this.#folder, this.#record))
    this.#names.add(name)
    await this.#write()
    return name
  }

  async drop(name: string): Promise<void> {
    if (!this.#names.has(name)) throw new QueryveilError("internal", "This is no temporary table of the session.")
    await removeTable(this.#connection, name)
    this.#names.delete(name)
    await this.#write()
  }

  /** Drops all tables. If that fails, the record stays for the next session. */
  async close(): Promise<void> {
    if (this.#unlock === undefined) return
    try {
      for (const name of this.#names) {
        await removeTable(this.#connection, name)
        this.#names.delete(name)
      }
      await rm(join(this.#folder, this.#record), { force: true })
    } finally {
      await this.#unlock()
    }
  }

  /**
   * Drops what processes of this machine left on the same cluster when they were lost. Returns the names of tables that
   * Spark refused to drop.
   */
  async cleanUp(): Promise<string[]> {
    const kept: string[] = []
    const files = await readdir(this.#folder).catch(() => [])
    for (const file of files.filter((name) => /^[0-9a-f]{24}\.json$/.test(name))) {
      const record = await readRecord(join(this.#folder, file))
      if (record === undefined || !isSame(record, this.#place)) continue
      const unlock = await lockRecord(join(this.#folder, file)).catch(() => undefined)
      if (unlock === undefined) continue // its process lives
      try {
        await this.#connection.endSession(record.session) // what it started may still run
        for (const name of record.tables) await removeTable(this.#connection, name)
        await rm(join(this.#folder, file), { force: true })
      } catch (error) {
        if (!(error instanceof QueryveilError) || error.code !== "spark-failed") throw error
        kept.push(...record.tables)
      } finally {
        await unlock()
      }
    }
    return kept
  }

  async #write(): Promise<void> {
    const { server, user } = this.#place
    const record: TableRecord = { server, user, session: this.#connection.id, tables: [...this.#names] }
    await writeFileWhole(join(this.#folder, this.#record), `${JSON.stringify(record)}\n`, { mode: 0o600 })
  }
}

/** Where tables are made. */
interface TablePlace {
  /** `HOST:PORT` */
  server: string
  user: string
  /** Undefined: the schema that the session has at its start. */
  schema: string | undefined
}

interface TableRecord extends Omit<TablePlace, "schema"> {
  /** The id of the session on the server. */
  session: string
  tables: readonly string[]
}

const isSame = (a: TableRecord, b: TablePlace) => a.server === b.server && a.user === b.user

const lockRecord = (file: string) =>
  lockFile(`${file}.lock`, {
    place: "a Spark session",
    keep: false,
    busy: () => new QueryveilError("internal", "The record of another session on Spark is in use."),
  })

async function readRecord(file: string): Promise<TableRecord | undefined> {
  try {
    const { server, user, session, tables } = JSON.parse(await readFile(file, "utf8"))
    if ([server, user, session].some((value) => typeof value !== "string") || !Array.isArray(tables)) return undefined
    const names = tables.filter((name): name is string => typeof name === "string" && ownName.test(name))
    return { server, user, session, tables: names }
  } catch {
    return undefined // its session has just ended
  }
}

const ownName = new RegExp(`^([^;'"\\s]+\\.)?${prefix}[0-9a-f]{24}$`)
