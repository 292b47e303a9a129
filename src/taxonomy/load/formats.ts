import { countBytes, lineBlocks } from "../../log/blocks.ts"
import type { InputFile } from "../../log/inputs.ts"

/** The formats of taxonomies that can be read: our TSV, a dump of ODP, IAB's table. */
export const importFormats = ["tsv", "odp", "iab"] as const
/** One of `importFormats`. */
export type ImportFormat = (typeof importFormats)[number]

/**
 * Guesses the format from the first bytes: XML is a dump of ODP, a header with `Unique ID` is IAB's, all else is TSV.
 */
export function guessFormat(start: string): ImportFormat {
  const head = start.replace(/^\uFEFF/, "").trimStart()
  if (head.startsWith("<")) return "odp"
  const lines = head.split("\n", 3)
  return lines.some((line) => /(^|\t)\s*Unique ID\s*\t/i.test(line)) ? "iab" : "tsv"
}

/** The first bytes of a file, gunzipped; empty for an empty file. */
export async function readStart(input: InputFile, signal: AbortSignal): Promise<string> {
  for await (const { bytes, length } of lineBlocks(input, countBytes(signal)))
    return Buffer.from(bytes.subarray(0, Math.min(length, 4096))).toString()
  return ""
}
