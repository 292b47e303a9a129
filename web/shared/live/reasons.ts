import { rejectMeanings } from "../../../src/log/formats/parsed-block.ts"
import { withheldMeanings } from "../../../src/stream/live/core-options.ts"

const meanings: Readonly<Record<string, string>> = { ...rejectMeanings, ...withheldMeanings }

/** The meaning of a reason. An unknown reason is shown as it is. */
export const meaningOf = (reason: string) => meanings[reason] ?? reason
