import { type TSchema, Value } from "#typebox"
import { findMethod, methodOptions, ownPlace } from "../release/anonymize.ts"
import type { Release } from "../release/read-release.ts"
import { formatKinds, parseKinds } from "../text/identifiers/kinds.ts"
import type { Check } from "./verifier.ts"

const about = { name: "closed", promise: "manifest and files contain only what the method writes" }

/**
 * Checks that a release has no free text, which could carry anything out. Every parameter must be an option of the
 * method with an allowed value. The creation time must be a time. Files may contain only what a reader of their columns
 * sees.
 */
export async function checkClosed(release: Release): Promise<Check> {
  const { manifest } = release
  if (!isTime(manifest.created)) return { ...about, state: "failed", detail: "its creation time is not a time" }
  for (const [key, value] of Object.entries(manifest.parameters)) {
    const detail = problemOf(manifest.method, key, value)
    if (detail !== undefined) return { ...about, state: "failed", detail }
  }
  for (const file of manifest.files) {
    const columns = "columns" in file ? file.columns.map(({ name }) => name) : columnsOf(release)
    if (await release.hasHiddenData(file.path, columns)) return { ...about, state: "failed", detail: file.path }
  }
  return { ...about, state: "passed" }
}

const columnsOf = ({ kind, manifest }: Release): readonly string[] => (kind === "rows" ? manifest.columns : [])

function isTime(text: string): boolean {
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString() === text
}

interface OptionFacts {
  type?: string
  enum?: readonly unknown[]
  pattern?: string
  private?: boolean
  place?: boolean
  fromFile?: string
  unless?: readonly string[]
}

/** Says what is wrong with a parameter. Never includes its name or value, which may be the hidden text. */
function problemOf(method: string, key: string, value: unknown): string | undefined {
  const schemas: Record<string, TSchema & OptionFacts> = optionsOf(method)
  const facts = Object.hasOwn(schemas, key) ? schemas[key] : undefined
  if (facts === undefined) return "a parameter that the method does not have"
  if (facts.private === true) return "a parameter that is private"
  if (!Value.Check(facts, value)) return "a parameter with a value that the method does not take"
  if (typeof value !== "string" || facts.enum !== undefined || facts.pattern !== undefined) return undefined
  const isKnown = facts.unless?.includes(value) === true
  if (facts.place === true) return isKnown || value === ownPlace ? undefined : "a place that is written out"
  if (facts.fromFile !== undefined) return undefined // a list that the method was given, which the verifier needs
  if (key === "scrub") return isKinds(value) ? undefined : "unknown kinds of identifiers"
  return /^(auto|[0-9.eE+-]{1,40})$/.test(value) ? undefined : "a parameter that is free text"
}

function optionsOf(method: string): Record<string, TSchema> {
  try {
    return methodOptions(findMethod(method)).properties
  } catch {
    return {}
  }
}

function isKinds(text: string): boolean {
  try {
    return formatKinds(parseKinds(text)) === text
  } catch {
    return false
  }
}
