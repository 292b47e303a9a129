import { styleText } from "node:util"
import type { CheckState } from "../verify/verifier.ts"

const colours: Record<CheckState, "green" | "red" | "yellow"> = {
  passed: "green",
  failed: "red",
  "not checked": "yellow",
  "not promised": "yellow",
}

/** A state at the start of a line: the first cell of a row, or the word before a colon. */
const stateAtStart = new RegExp(`^(?:${Object.keys(colours).join("|")})(?= {2}|:|$)`, "gm")

/**
 * True if a stream gets colours. FORCE_COLOR decides if it is set (0 and false mean no). Then NO_COLOR and TERM=dumb
 * mean none. Otherwise a terminal gets colours and a pipe does not.
 */
export function wantsColour(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: none = "", TERM: terminal } = env
  if (forced !== undefined) return forced !== "0" && forced !== "false"
  return none === "" && terminal !== "dumb" && stream.isTTY === true
}

/** Colours the states of checks in a text. */
export function colourStates(text: string): string {
  return text.replace(stateAtStart, (state) =>
    styleText(colours[state as CheckState], state, { validateStream: false }),
  )
}
