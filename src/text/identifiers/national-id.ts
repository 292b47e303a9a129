import { defineDetector } from "./detector.ts"
import { type NationalIdScheme, nationalIdSchemes } from "./national-id-schemes.ts"
import { countDigits, type QueryText } from "./query-text.ts"

const leastDigits = Math.min(...nationalIdSchemes.map((scheme) => scheme.digits))

function matches(query: QueryText): boolean {
  const digits = countDigits(query.text)
  return nationalIdSchemes.some((scheme) => digits >= scheme.digits && hasId(query, scheme))
}

function hasId({ text, words }: QueryText, { written, bare, words: context = [], valid }: NationalIdScheme): boolean {
  if (written !== undefined && hasValid(text, written, valid)) return true
  return bare !== undefined && context.some((word) => words.includes(word)) && hasValid(text, bare, valid)
}

function hasValid(text: string, form: RegExp, valid: (id: string) => boolean): boolean {
  if (text.search(form) < 0) return false
  for (const [, found] of text.matchAll(form)) if (valid(found.replace(/[ .+-]/g, ""))) return true
  return false
}

/**
 * The number that a state gives a person, in twenty countries. If the number has check digits, they must match. If it
 * is only nine or ten digits, it must be grouped as it is printed, or be next to its name (ssn, bsn, sin).
 */
export const nationalId = defineDetector({
  kind: "national-id",
  summary: `national id numbers of ${[...new Set(nationalIdSchemes.map(({ country }) => country))].join(", ")}`,
  clues: [{ digits: leastDigits }],
  matches,
})
