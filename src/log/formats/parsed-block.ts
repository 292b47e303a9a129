import type { Unit } from "../search-log.ts"
import type { ColumnChoice } from "./columns.ts"
import type { Reading } from "./reading.ts"

/** Why a line is no row of the log. The order is the code in files and messages between threads: append only. */
export const rejectReasons = [
  "columns",
  "user",
  "query",
  "time",
  "rank",
  "encoding",
  "nul",
  "length",
  "text",
  "syntax",
  "search",
] as const
/** Why a line is no row of the log. */
export type RejectReason = (typeof rejectReasons)[number]

/** What each reason means, for a person. */
export const rejectMeanings: Record<RejectReason, string> = {
  columns: "too few or too many columns",
  user: "no user",
  query: "empty query",
  time: "unreadable time",
  rank: "unreadable rank",
  encoding: "bytes that are no text in this encoding",
  nul: "NUL byte",
  length: "line longer than 1 MiB, or field longer than 64 KiB",
  text: "text that is not normalised",
  syntax: "not a record of this format",
  search: "click whose search is not in the log",
}

export const reasonCode = Object.fromEntries(rejectReasons.map((reason, code) => [reason, code])) as Record<
  RejectReason,
  number
>

/**
 * The first byte of a converted line that stands for a record that is no row; the reason's code follows, counted from the
 * digit `0`. No text of a converted line has it.
 */
export const rejectMark = 1

export const maxLineBytes = 1 << 20
/** Of a user, a normalised query, a url: what was read from lines of a log can be written and read again as lines. */
export const maxFieldBytes = 1 << 16

/** Distinct texts of one column of one block, under local ids. */
export interface ParsedTexts {
  arena: Uint8Array
  offsets: Uint32Array
  hashes: Uint32Array
}

/** How records of a format that is not delimited text become lines that are. Plain data: it travels to workers. */
export interface Conversion {
  name: string
  unit: Unit
  /** Where the columns are, for formats whose columns can be named. */
  columns: ColumnChoice
  /** The query in the search body of a slow log. */
  jsonPath?: string
}

/** Where the fields of a line are; -1: the file has no such column. */
export interface LinePlan {
  /** The format that was told from the file. */
  format: string
  delimiter: number
  columns: { user: number; query: number; time: number; rank: number; url: number; category?: number }
  minFields: number
  maxFields: number
  /** Lines before the first row. */
  headerLines: number
  /** Which times are read: `YYYY-MM-DD hh:mm:ss` only, or any that logs write. */
  times?: "civil" | "any"
  /** The delimiter of quoted text, which is made plain before it is parsed. */
  quotedBy?: number
  /** Texts must stand in the file as they are kept: what differs from its normalised form is no row. */
  verbatim?: boolean
  /** The lines are records of another format, made into delimited ones before they are parsed. */
  conversion?: Conversion
  /** The lines were made by a conversion already. */
  converted?: boolean
  /**
   * The field that tells which search a line belongs to. A line with a query is a search; one without is something that
   * happened after the search with the same key, a click where it has a url.
   */
  key?: number
  /** Searches of one user for the same text within so many seconds, without a click, are one search logged twice. */
  collapseSeconds?: number
  /** Which columns these are, for people. */
  reading?: Reading
}

/** Whole lines of one file and where their fields are; `texts` of all blocks are hashed under one secret seed. */
export interface TextBlock {
  bytes: Uint8Array
  length: number
  plan: LinePlan
  /** Lines at the start to count and not to read. */
  skipLines: number
  seed: number
}

/** The rows of one block. Ids are local to the block, lines count from 1 at its start. */
export interface ParsedBlock {
  user: Int32Array
  query: Int32Array
  time: Int32Array
  rank: Uint16Array
  url: Int32Array
  line: Uint32Array
  users: ParsedTexts
  queries: ParsedTexts
  urls: ParsedTexts
  /** Of formats whose clicks must be joined to their searches; user and query may be -1 there. */
  joins?: { key: Int32Array; keys: ParsedTexts } // -1: no key
  /** The topics that the file gives its searches, where it has a column of them; -1: none. */
  categories?: { category: Int32Array; texts: ParsedTexts }
  lines: number
  rejectLine: Uint32Array
  rejectReason: Uint8Array
}
