import { traitsOf } from "../../methods/guarantee.ts"
import type { Manifest } from "../../release/manifest.ts"

const units: Record<string, string> = {
  user: "one user: all that one user id of the log did, taken together",
  session: "one session: what one user did without a long break, not all that a person did",
  query: "one query text, whoever issued it: not a person, and not what several queries of one person say together",
  record: "one released search: who made it, not what it says",
}

/** Who or what is protected. Where sessions are counted, a name is one. */
export function unitInWords({ guarantee }: Manifest): string {
  const isSession = guarantee.unit === "user" && "counted" in guarantee && guarantee.counted === "session"
  const unit = isSession ? "session" : guarantee.unit
  return units[unit] ?? `one ${unit}`
}

/** Whether there is a promise that can be kept: by the paper's algorithms, or with k = 1, there is none. */
export const isPromised = ({ guarantee }: Pick<Manifest, "guarantee">): boolean => traitsOf(guarantee).promised

/** What the numbers of a promise mean. */
export const numbersInWords = ({ guarantee }: Manifest): readonly string[] => traitsOf(guarantee).inWords
