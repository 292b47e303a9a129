import { createHash } from "node:crypto"
import { QueryveilError } from "../../kernels/error.ts"
import { normaliseQuery } from "../normalise.ts"

/** Normalised queries that are not withheld although a detector finds something in them. */
export type ExemptQueries = ReadonlySet<string>

export const noneExempt: ExemptQueries = new Set()

/** A field of a log is at most this long, so a longer entry cannot be a query of a log. */
const longestEntry = 1 << 16
const mostEntries = 1_000_000

/**
 * Reads an owner's list: one query per line, normalised like released text. Skips empty lines and lines whose first
 * character is #. To list a query that starts with #, put a space before it. Errors give the line number, never its
 * text.
 */
export function parseExempt(text: string | undefined): ExemptQueries {
  if (text === undefined) return noneExempt
  const exempt = new Set<string>()
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/)
  for (const [i, line] of lines.entries()) {
    if (line.startsWith("#")) continue
    if (line.length > longestEntry) throw refuse(`line ${i + 1} is longer than a query of a log may be`, i + 1)
    if (line.includes("\0") || line.includes("\ufffd")) throw refuse(`line ${i + 1} is not text in UTF-8`, i + 1)
    const query = normaliseQuery(line)
    if (query !== "") exempt.add(query)
    if (exempt.size > mostEntries) throw refuse(`it has more than ${mostEntries} queries`, i + 1)
  }
  if (exempt.size === 0) throw refuse("it has no query")
  return exempt
}

function refuse(what: string, line?: number): QueryveilError {
  return new QueryveilError("option-value", `--scrub-exempt: ${what}. Give a list with one query a line.`, {
    flag: "--scrub-exempt",
    ...(line !== undefined && { line }),
  })
}

/** The digest of a list. It does not depend on the order of the lines. */
export function digestExempt(exempt: ExemptQueries): string {
  return createHash("sha256")
    .update([...exempt].sort().join("\n"))
    .digest("hex")
}
