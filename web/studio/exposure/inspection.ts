import type { Inspection } from "../../../src/log/inspect-log.ts"

/** True if an answer has the parts of an inspection that the screen shows. */
export function isInspection(value: unknown): value is Inspection {
  if (typeof value !== "object" || value === null) return false
  return ["size", "lengths", "ngrams", "exposure", "identifiers"].every((part) => part in value)
}

/** Names of the kinds of identifiers, for people. */
export const kindTitles: Readonly<Record<string, string>> = {
  email: "E-mail addresses",
  phone: "Telephone numbers",
  card: "Payment cards",
  "national-id": "National id numbers",
  ip: "Network addresses",
  address: "Postal addresses",
  "birth-date": "Dates of birth",
  account: "Accounts and passwords",
  coordinates: "Coordinates",
  person: "Names of people",
}

/** A share as a percentage. It is never rounded to 0 % or 100 % if it is neither. */
export function sharePercent(share: number): string {
  if (share > 0 && share < 0.001) return "under 0.1\u00a0%"
  if (share < 1 && share > 0.999) return "over 99.9\u00a0%"
  return `${(100 * share).toFixed(1)}\u00a0%`
}
