import { rejectMeanings } from "../../src/log/formats/parsed-block.ts"
import type { WithheldReason } from "../../src/stream/live/core-options.ts"

/** Why a record that could be read is not released, for a person. */
const withheldMeanings: Record<WithheldReason, string> = {
  "no topic": "no topic was found",
  "unknown category": "its topic is not in the taxonomy",
  identifier: "holds a direct identifier",
  repeated: "repeats a query of its user",
  backlog: "too many of its user wait",
  "same text": "same text as another of its cell",
  "withheld topic": "its topic is withheld",
  click: "click whose search is not shown",
  "no user": "no user",
}

const meanings: Readonly<Record<string, string>> = { ...rejectMeanings, ...withheldMeanings }

/** What a reason means; one that the page does not know is shown as it is. */
export const meaningOf = (reason: string) => meanings[reason] ?? reason
