import { traitsOf } from "../../methods/guarantee.ts"
import type { Manifest } from "../../release/manifest.ts"

const units: Record<string, string> = {
  user: "one user: all that one user id of the log did, taken together",
  session: "one session: what one user did without a long break, not all that a person did",
  query: "one query text, whoever issued it: not a person, and not what several queries of one person say together",
  record: "one released search: who made it, not what it says",
}

/** Who or what is protected. If the log was counted by session, a user name is a session. */
export function unitInWords({ guarantee }: Manifest): string {
  const isSession = guarantee.unit === "user" && "counted" in guarantee && guarantee.counted === "session"
  const unit = isSession ? "session" : guarantee.unit
  return units[unit] ?? `one ${unit}`
}

/** True if the release promises anything. The paper's own algorithms, and k = 1, promise nothing. */
export const isPromised = ({ guarantee }: Pick<Manifest, "guarantee">): boolean => traitsOf(guarantee).promised

/** The meaning of the numbers in a promise. */
export const numbersInWords = ({ guarantee }: Manifest): readonly string[] => traitsOf(guarantee).inWords
