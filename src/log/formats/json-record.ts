import type { Cell } from "./convert-block.ts"

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The value of a text, or undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The object of a line; of a document as search engines dump it (`_source`), what was indexed. */
export function parseRecord(line: string): JsonObject | undefined {
  const value = parseJson(line)
  if (!isObject(value)) return undefined
  return isObject(value._source) ? value._source : value
}

/** A text or a number as a cell; anything else, an empty text too, is none. */
export function cellOf(value: unknown): Cell {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined
  return typeof value === "string" && value.trim() !== "" ? value : undefined
}
