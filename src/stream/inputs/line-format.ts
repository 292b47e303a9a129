import { QueryveilError } from "../../kernels/error.ts"
import { detectFormat, type FormatChoice, isArray, planLines } from "../../log/formats/detect-format.ts"
import { pathOfName } from "../../log/formats/json-path.ts"
import type { LinePlan } from "../../log/formats/parsed-block.ts"
import { sniffText } from "../../log/sniff.ts"

/** Maximum number of bytes from which a format is detected. */
export const headBytes = 1 << 18

/** What the caller already specified about a source. */
export interface LineChoice extends FormatChoice {
  encoding: string | undefined
}

/**
 * Detects how the lines of a live source become rows, from its first lines. Accepts only formats that can be read line
 * by line.
 */
export function detectLineFormat(
  head: Uint8Array,
  options: LineChoice & { path: string },
): { plan: LinePlan; bom: number } {
  const { path } = options
  const format = detectFormat(head, options)
  if (format === "parquet")
    throw refuse(
      path,
      "Parquet cannot be read line by line. Use queryveil anonymize swap, or convert it to NDJSON first.",
    )
  const bom = sniffText(head, path)
  const start = head.subarray(bom, headBytes)
  if (isArray(start))
    throw refuse(
      path,
      "is one JSON array. A stream needs one record per line. Convert it, for example with jq -c '.[]'.",
    )
  return { plan: withOptional(planLines(format, start, options)), bom }
}

function refuse(path: string, what: string): QueryveilError {
  return new QueryveilError("input-unreadable", `${path}: ${what}`, { file: path })
}

/** The first records of a stream may have no click. Rank and url then get the names that most logs use. */
export function withOptional(plan: LinePlan): LinePlan {
  const { conversion } = plan
  if (conversion?.name !== "jsonl") return plan
  const columns = { rank: pathOfName("rank"), url: pathOfName("url"), ...conversion.columns }
  return { ...plan, conversion: { ...conversion, columns } }
}

/** Refuses UTF-16: its line feeds have two bytes, so lines cannot be cut before they are decoded. */
export function checkStreamEncoding(encoding: string): void {
  if (!/^(utf-?16|ucs-?2|unicode|csunicode|iso-10646-ucs-2)/i.test(encoding)) return
  throw new QueryveilError(
    "option-value",
    `--encoding ${encoding}: a stream cannot be read as UTF-16. Convert it first, for example with iconv -t utf-8.`,
    { flag: "--encoding" },
  )
}
