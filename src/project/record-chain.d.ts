import { type Static, Type } from "#typebox"
import { QueryveilError } from "../kernels/error.ts"
/** What a project's record can say. */
export declare const recordKinds: readonly [
  "opened",
  "unmasked",
  "exempted",
  "drawn",
  "draw interrupted",
  "signed",
  "refused",
  "handed out",
  "deleted",
]
/** One of `recordKinds`. */
export type RecordKind = (typeof recordKinds)[number]
/** An entry of a record. Its facts depend on its kind. */
export declare const entrySchema: Type.TObject<{
  /** 1 for the first entry. */
  number: Type.TInteger
  at: Type.TString
  kind: Type.TEnum<
    ["opened", "unmasked", "exempted", "drawn", "draw interrupted", "signed", "refused", "handed out", "deleted"]
  >
  facts: Type.TRecord<"^.*$", Type.TUnknown>
  /** The digest of the entry before; null for the first. */
  previous: Type.TUnion<[Type.TString, Type.TNull]>
  /** SHA-256 of the entry's JSON without this field. */
  digest: Type.TString
}>
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
  problem?: {
    line: number
    what: string
  }
  /** Bytes up to the end of the last whole line. A crash may have left a part of a line after it. */
  length: number
}
/** The SHA-256 of an entry's JSON without its digest. The order of its fields counts. */
export declare function digestEntry({
  digest: _,
  ...entry
}: Omit<RecordEntry, "digest"> & {
  digest?: string
}): string
/**
 * Reads a record: lines of JSON, each with the digest of the line before it. An edit anywhere breaks the chain, and
 * `problem` says where. Lines removed at the very end leave no trace here; a signature next to a release names its
 * entry, so `checkSignature` notices if that entry is gone.
 */
export declare function readRecord(file: string): Promise<ProjectRecord>
/**
 * Adds an entry to a record, which the caller holds alone, and returns it when it is on the disk. Refuses a record
 * whose chain is broken. If the disk is full, the record stays as it was.
 */
export declare function appendRecord(file: string, { kind, facts }: RecordFacts, at: Date): Promise<RecordEntry>
/** The error for a record whose chain is broken. */
export declare function brokenRecord(
  file: string,
  {
    line,
    what,
  }: {
    line: number
    what: string
  },
): QueryveilError
