import { readFileSync } from "node:fs"
import { Value } from "#typebox"

const closed = new Map<string, object>()

/** The schema of `schemas/` in which no object may have a field that it does not name. */
function closedSchema(name: string): object {
  const known = closed.get(name)
  if (known !== undefined) return known
  const [, answer, version] = /^queryveil\/([a-z-]+)\/(\d+)$/.exec(name) ?? []
  const file = new URL(`../../schemas/${answer}.v${version}.json`, import.meta.url)
  const schema = close(JSON.parse(readFileSync(file, "utf8")))
  closed.set(name, schema)
  return schema
}

/** A schema in which no object may have other fields than it names. */
export function close<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(close) as T
  if (typeof schema !== "object" || schema === null) return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]))
  const isObject = "type" in schema && schema.type === "object" && "properties" in schema
  return { ...parts, ...(isObject && { additionalProperties: false }) } as T
}

/** Fails if an answer names its schema but does not match it: a field is missing, wrong, or not described. */
export function checkAnswer(answer: unknown): void {
  const named = typeof answer === "object" && answer !== null && "schema" in answer ? answer.schema : undefined
  if (typeof named !== "string" || !named.startsWith("queryveil/")) return
  const [problem] = Value.Errors(closedSchema(named), answer)
  if (problem !== undefined)
    throw new Error(`${named}: ${problem.instancePath} ${problem.message} ${JSON.stringify(problem.params)}`)
}

/** Checks what a command printed, as one value or as lines. */
export function checkPrinted(printed: string): void {
  for (const text of [printed, ...printed.split("\n")]) {
    if (!/^\{\s*"schema":/.test(text)) continue
    let answer: unknown
    try {
      answer = JSON.parse(text)
    } catch {
      continue // a part of one
    }
    checkAnswer(answer)
  }
}
