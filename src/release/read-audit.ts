import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { QueryveilError, systemCode } from "../kernels/error.ts"
import { countBytes, lineBlocks } from "../log/blocks.ts"
import type { Draft } from "./anonymize.ts"
import { auditFile } from "./write-release.ts"

/** The private side tables of a release. */
export interface AuditFolder {
  /** The id of the release that it belongs to. */
  release: string
  /** Files and addresses that the options of the release named, by option. */
  places: Readonly<Record<string, string>>
  /** True if there is a table of this name. */
  has(name: string): boolean
  /** The rows of a table. Its header must be `columns`. */
  rows(name: string, columns: readonly string[]): AsyncGenerator<string[]>
}

/** Opens the private side tables that were written next to a release. Throws if the folder contains none. */
export async function openAudit(folder: string): Promise<AuditFolder> {
  const path = join(folder, auditFile)
  const about: unknown = await readFile(path, "utf8")
    .then((text) => JSON.parse(text))
    .catch((cause: unknown) => {
      const why = systemCode(cause) === undefined ? "it is not JSON" : systemCode(cause)
      throw broken(path, `cannot be read (${why}). Give the folder that anonymize --audit wrote`, cause)
    })
  if (typeof about !== "object" || about === null || !("release" in about) || typeof about.release !== "string")
    throw broken(path, "does not say which release it belongs to")
  return {
    release: about.release,
    places: placesOf(about),
    has: (name) => "files" in about && Array.isArray(about.files) && about.files.includes(`${name}.tsv`),
    rows: (name, columns) => readTable(join(folder, `${name}.tsv`), columns),
  }
}

function placesOf(about: object): Record<string, string> {
  if (!("places" in about) || typeof about.places !== "object" || about.places === null) return {}
  return Object.fromEntries(Object.entries(about.places).filter(([, place]) => typeof place === "string"))
}

/** The side tables of a draft, as they would be written. */
export function openDraftAudit({ manifest, audit, places }: Draft): AuditFolder {
  return {
    release: manifest.id,
    places,
    has: (name) => name in audit,
    async *rows(name, columns) {
      const table = audit[name]
      if (table === undefined) throw broken(name, "is not a side table of this method")
      const places = columns.map((column) => table.columns.indexOf(column))
      for (let row = 0; row < table.rows; row++) yield places.map((place) => String(table.cell(row, place)))
    },
  }
}

async function* readTable(path: string, columns: readonly string[]): AsyncGenerator<string[]> {
  let line = 0
  for await (const { bytes, length } of lineBlocks({ path }, countBytes())) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString("utf8")
    for (const row of text.split("\n")) {
      if (row === "") continue
      const cells = row.split("\t")
      line++
      if (cells.length !== columns.length) throw broken(path, `line ${line} does not have ${columns.length} columns`)
      if (line > 1) yield cells
      else if (cells.some((cell, i) => cell !== columns[i]))
        throw broken(path, `its columns are not ${columns.join(", ")}`)
    }
  }
  if (line === 0) throw broken(path, "is empty")
}

function broken(path: string, what: string, cause?: unknown): QueryveilError {
  return new QueryveilError("audit-broken", `${path}: ${what}.`, { file: path, cause })
}
