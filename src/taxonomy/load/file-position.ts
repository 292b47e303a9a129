import { type ErrorCode, QueryveilError } from "../../kernels/error.ts"

/** A line of a taxonomy file. */
export interface FilePosition {
  file: string
  line: number
}

/** The error for a line. A taxonomy is public, so its names may be shown. */
export function brokenAt(
  { file, line }: FilePosition,
  what: string,
  code: ErrorCode = "taxonomy-broken",
): QueryveilError {
  return new QueryveilError(code, `${file}, line ${line}: ${what}`, { file, line })
}

/** A name in a message, shortened without splitting a character. */
export function quoted(text: string): string {
  const letters = [...text.slice(0, 400)]
  return `"${letters.length > 80 ? `${letters.slice(0, 80).join("")}…` : letters.join("")}"`
}
