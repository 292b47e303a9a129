import { maxFieldBytes } from "../parsed-block.ts"

/**
 * Where everything is in the memory of the reader of plain lines, in bytes. The memory never grows. A page of it takes
 * real memory only once it is written.
 */

/** The largest block that fits, with the line feed after it. Blocks of files are this large. */
export const maxBlock = (4 << 20) + 1
/** Vectors are read and written beyond the end of a text. */
const slack = 64
/** A row has a time of nine bytes at least, a query, and the characters that end these two fields. */
export const maxRows = 1 << 19
/** Twice as many places as rows. */
export const maxSlots = maxRows * 2
/** No text is longer than eleven times its bytes after NFKC: U+FDFA has 3 bytes and becomes 33. */
const maxGrowth = 12
export const mostFields = 60

let end = 0
function reserve(bytes: number): number {
  const at = end
  end = Math.ceil((at + bytes + slack) / 64) * 64
  return at
}

/** Offsets of 32-bit integers: how lines are laid out, and what has been read. */
export const state = {
  at: reserve(64),
  user: 0,
  query: 4,
  time: 8,
  rank: 12,
  url: 16,
  minFields: 20,
  maxFields: 24,
  verbatim: 28,
  seed: 32,
  /** Number of lines of the block so far, and of rows. */
  lines: 36,
  rows: 40,
  /** Number of fields of the line that was cut last. */
  fields: 44,
} as const

/** The end of each field of a line as 32-bit integers. Before the first is the position before the line. */
export const fieldEnds = reserve((mostFields + 4) * 4) + 4

/** Offsets of 32-bit integers of a dictionary. The last four are addresses. */
export const part = { size: 0, mask: 4, last: 8, arena: 12, offsets: 16, hashes: 20, table: 24 } as const

const dictionary = (arenaBytes: number) => ({
  at: reserve(32),
  arena: reserve(arenaBytes),
  offsets: reserve((maxRows + 1) * 4),
  hashes: reserve(maxRows * 4),
  table: reserve(maxSlots * 8),
})
export type DictionaryPlace = ReturnType<typeof dictionary>

export const users = dictionary(maxBlock)
export const queries = dictionary(maxBlock * maxGrowth)
export const urls = dictionary(maxBlock)

/** The columns of the rows. */
export const columns = {
  user: reserve(maxRows * 4),
  query: reserve(maxRows * 4),
  time: reserve(maxRows * 4),
  rank: reserve(maxRows * 2),
  url: reserve(maxRows * 4),
  line: reserve(maxRows * 4),
} as const

/** A normalised query, or a text from elsewhere. */
export const scratch = reserve(maxFieldBytes)
/** The lines. */
export const input = reserve(maxBlock)

export const pages = Math.ceil(end / 65536)
