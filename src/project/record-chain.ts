import { createHash } from "node:crypto"
import { open, readFile } from "node:fs/promises"
import { dirname } from "node:path"
import { type Static, Type, Value } from "#typebox"
import { syncFolder } from "../files/private-folder.ts"
import { writeError } from "../files/write-error.ts"
import { QueryveilError, systemCode } from "../kernels/error.ts"

/** What a project's record can say. */
export const recordKinds = [
  "opened",
  "unmasked",
  "exempted",
  "drafted",
  "drawn",
  "draw interrupted",
  "signed",
  "refused",
  "handed out",
  "deleted",
] as const

/** One of `recordKinds`. */
type RecordKind = (typeof recordKinds)[number]

const digestText = Type.String({ pattern: "^[0-9a-f]{64}$" })

/** An entry of a record. Its facts depend on its kind. */
export const entrySchema = Type.Object(
  {
    /** 1 for the first entry. */
    number: Type.Integer({ minimum: 1 }),
    at: Type.String(),
    kind: Type.Enum([...recordKinds]),
    facts: Type.Record(Type.String(), Type.Unknown()),
    /** The digest of the entry before; null for the first. */
    previous: Type.Union([digestText, Type.Null()]),
    /** SHA-256 of the entry's JSON without this field. */
    digest: digestText,
  },
  { additionalProperties: false },
)

/** An entry of a project's record. */
export type RecordEntry = Static<typeof entrySchema>

/** What an entry says. Never contains text from a log. */
export interface RecordFacts {
  kind: RecordKind
  facts: Record<string, unknown>
}

/** A record that was read. */
export interface ProjectRecord {
  entries: readonly RecordEntry[]
  /** The first place where the chain is broken: something was changed, removed or inserted. */
  problem?: { line: number; what: string }
  /** Bytes up to the end of the last whole line. A crash may have left a part of a line after it. */
  length: number
}

/** The SHA-256 of an entry's JSON without its digest. The order of its fields counts. */
export function digestEntry({ digest: _, ...entry }: Omit<RecordEntry, "digest"> & { digest?: string }): string {
  return createHash("sha256").update(JSON.stringify(entry)).digest("hex")
}

/**
 * Reads a record: lines of JSON, each with the digest of the line before it. An edit anywhere breaks the chain, and
 * `problem` says where. Lines removed at the very end leave no trace here; a signature next to a release names its
 * entry, so `checkSignature` notices if that entry is gone.
 */
export async function readRecord(file: string): Promise<ProjectRecord> {
  let text: string
  try {
    text = await readFile(file, "utf8")
  } catch (error) {
    if (systemCode(error) === "ENOENT") return { entries: [], length: 0 }
    throw new QueryveilError("project-broken", `${file}: cannot be read (${systemCode(error)}).`, { file })
  }
  const end = text.lastIndexOf("\n") + 1
  const length = Buffer.byteLength(text.slice(0, end))
  const entries: RecordEntry[] = []
  for (const [i, line] of text.slice(0, end).split("\n").slice(0, -1).entries()) {
    const entry = parseEntry(line)
    const what = entry === undefined ? "is no entry of a record" : problemOf(entry, entries.at(-1))
    if (entry === undefined || what !== undefined)
      return { entries, length, problem: { line: i + 1, what: what ?? "" } }
    entries.push(entry)
  }
  return { entries, length }
}

function parseEntry(line: string): RecordEntry | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return Value.Check(entrySchema, value) ? value : undefined
  } catch {
    return undefined
  }
}

function problemOf(entry: RecordEntry, before: RecordEntry | undefined): string | undefined {
  if (digestEntry(entry) !== entry.digest) return "was changed: its digest is not that of its content"
  if (entry.number !== (before?.number ?? 0) + 1) return `has the number ${entry.number}: an entry is missing before it`
  return entry.previous === (before?.digest ?? null) ? undefined : "does not follow the entry before it"
}

/**
 * Adds an entry to a record, which the caller holds alone, and returns it when it is on the disk. Refuses a record
 * whose chain is broken. If the disk is full, the record stays as it was.
 */
export async function appendRecord(file: string, { kind, facts }: RecordFacts, at: Date): Promise<RecordEntry> {
  const { entries, problem, length } = await readRecord(file)
  if (problem !== undefined) throw brokenRecord(file, problem)
  const before = entries.at(-1)
  const number = (before?.number ?? 0) + 1
  const entry = { number, at: at.toISOString(), kind, facts, previous: before?.digest ?? null }
  const sealed = { ...entry, digest: digestEntry(entry) }
  await writeAt(file, length, `${JSON.stringify(sealed)}\n`)
  return sealed
}

/** Writes a line at a position and syncs it. What a crash left after the position is cut off. */
async function writeAt(path: string, position: number, line: string): Promise<void> {
  try {
    const file = await open(path, "a", 0o600).then(async (made) => {
      await made.close() // with this flag every write would go to the end
      return open(path, "r+")
    })
    try {
      await file.truncate(position)
      const bytes = Buffer.from(line)
      for (let done = 0; done < bytes.length; )
        done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten
      await file.datasync()
    } catch (error) {
      await file.truncate(position).catch(() => {})
      throw error
    } finally {
      await file.close()
    }
    await syncFolder(dirname(path))
  } catch (error) {
    throw writeError(path, error)
  }
}

/** The error for a record whose chain is broken. */
export function brokenRecord(file: string, { line, what }: { line: number; what: string }): QueryveilError {
  return new QueryveilError(
    "project-broken",
    `${file}, line ${line}: ${what}. The record was changed by hand. Bring the file back from a copy.`,
    { file, line },
  )
}
