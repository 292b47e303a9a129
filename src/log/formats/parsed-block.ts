import type { Unit } from "../search-log.ts"
import type { ColumnChoice } from "./columns.ts"
import type { Reading } from "./reading.ts"

/**
 * Why a line is not a row of the log. The index is the code in files and in messages between threads, so append only.
 */
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
/** Why a line is not a row of the log. */
export type RejectReason = (typeof rejectReasons)[number]

/** True if there is a reason of this name. */
export const isRejectReason = (name: string): name is RejectReason => rejectReasons.some((reason) => reason === name)

/** What each reason means, in words for people. */
export const rejectMeanings: Record<RejectReason, string> = {
  columns: "too few or too many columns",
  user: "no user",
  query: "empty query",
  time: "unreadable time",
  rank: "unreadable rank",
  encoding: "bytes that are not text in this encoding",
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
 * The first byte of a converted line whose record is not a row. The code of the reason follows, counted from the digit
 * `0`. No text of a converted line contains this byte.
 */
export const rejectMark = 1

export const maxLineBytes = 1 << 20
/**
 * Limit for a user, a normalised query and a url. With it, everything read from lines can be written and read again as
 * lines.
 */
export const maxFieldBytes = 1 << 16

/** Distinct texts of one column of one block, with local ids. */
export interface ParsedTexts {
  arena: Uint8Array
  offsets: Uint32Array
  hashes: Uint32Array
}

/** How to convert records of another format to delimited lines. Plain data, because it is sent to workers. */
export interface Conversion {
  name: string
  unit: Unit
  /** Where the columns are, for formats whose columns the caller can name. */
  columns: ColumnChoice
  /** The path to the query in the search body of a slow log. */
  jsonPath?: string
}

/** Where the fields of a line are. -1: the file has no such column. */
export interface LinePlan {
  /** The format that was given or detected. */
  format: string
  delimiter: number
  columns: { user: number; query: number; time: number; rank: number; url: number; category?: number }
  minFields: number
  maxFields: number
  /** Number of lines before the first row. */
  headerLines: number
  /** Which times are accepted: only `YYYY-MM-DD hh:mm:ss`, or any that logs use. */
  times?: "civil" | "any"
  /** The delimiter of quoted text. The text is unquoted before it is parsed. */
  quotedBy?: number
  /** True if texts must already be normalised in the file. A line with another text is rejected. */
  verbatim?: boolean
  /** Set if the lines are records of another format. They are converted to delimited lines before they are parsed. */
  conversion?: Conversion
  /** True if a conversion has already made these lines. */
  converted?: boolean
  /**
   * The field that identifies the search of a line. A line with a query is a search. A line without one happened after
   * the search with the same key, and is a click if it has a url.
   */
  key?: number
  /** Searches of one user for the same text within this many seconds, without a click, are one search logged twice. */
  collapseSeconds?: number
  /** The columns that are read, described for people. */
  reading?: Reading
}

/** Whole lines of one file and where their fields are. The texts of all blocks are hashed with one secret seed. */
export interface TextBlock {
  bytes: Uint8Array
  length: number
  plan: LinePlan
  /** Number of lines at the start that are counted but not read. */
  skipLines: number
  seed: number
}

/** The rows of one block. Ids are local to the block. Line numbers count from 1 at its start. */
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
  /** For formats whose clicks must be joined to their searches. There, user and query may be -1. */
  joins?: { key: Int32Array; keys: ParsedTexts } // -1: no key
  /** The topics that the file gives its searches, if it has a column for them. -1: none. */
  categories?: { category: Int32Array; texts: ParsedTexts }
  lines: number
  rejectLine: Uint32Array
  rejectReason: Uint8Array
}
