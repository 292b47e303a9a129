import { rejectMeanings } from "../../src/log/formats/parsed-block.ts"
import { withheldMeanings } from "../../src/stream/live/core-options.ts"

const meanings: Readonly<Record<string, string>> = { ...rejectMeanings, ...withheldMeanings }

/** What a reason means; one that the page does not know is shown as it is. */
export const meaningOf = (reason: string) => meanings[reason] ?? reason
