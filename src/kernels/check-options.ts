import { type TObject, type TSchema, Value } from "#typebox"
import { QueryveilError } from "./error.ts"

/** The keywords of a schema that restrict a value. */
interface ValueFacts {
  type?: string
  enum?: readonly string[]
  items?: ValueFacts
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
}

/** Describes the expected value in words: `a whole number of at least 1`. */
export function expectedValue(facts: ValueFacts): string {
  if (facts.enum !== undefined) return `one of ${facts.enum.join(", ")}`
  if (facts.type === "boolean") return "true or false"
  if (facts.type === "array") return `a list, each ${expectedValue(facts.items ?? {})}`
  if (facts.type === "object") return "an object"
  if (facts.type !== "integer" && facts.type !== "number") return "text"
  const bounds = [
    ...(facts.exclusiveMinimum === undefined ? [] : [`more than ${facts.exclusiveMinimum}`]),
    ...(facts.minimum === undefined ? [] : [`at least ${facts.minimum}`]),
    ...(facts.maximum === undefined ? [] : [`at most ${facts.maximum}`]),
  ]
  const kind = facts.type === "integer" ? "a whole number" : "a number"
  return bounds.length === 0 ? kind : `${kind} of ${bounds.join(" and ")}`
}

/**
 * Refuses a misspelt option, which would silently become a default. `who` is the method or function that has the
 * options.
 */
export function refuseUnknownOption(who: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key))
  if (unknown === undefined) return
  throw new QueryveilError("option-unknown", `${who}: there is no option ${unknown}. Options: ${known.join(", ")}.`)
}

/** Refuses the first value that its schema does not allow, with the same wording as the command line. */
export function refuseWrongValue(who: string, schema: TObject, values: unknown): void {
  const [problem] = Value.Errors(schema, values)
  if (problem === undefined) return
  const [, key = ""] = problem.instancePath.split("/")
  const given = new Map(typeof values === "object" && values !== null ? Object.entries(values) : [])
  const missing = given.has(key) ? undefined : schema.required?.find((name) => !given.has(name))
  if (missing !== undefined) throw new QueryveilError("usage", `${who}: ${missing} is missing.`)
  const facts: TSchema & ValueFacts = schema.properties[key] ?? {}
  throw new QueryveilError(
    "option-value",
    `${who}: ${key} ${shownValue(given.get(key))}: expected ${expectedValue(facts)}.`,
  )
}

/** A list or an object may contain query text, which no message may repeat. */
function shownValue(value: unknown): string {
  if (Array.isArray(value)) return "(a list)"
  return typeof value === "object" && value !== null ? "(an object)" : String(value)
}
