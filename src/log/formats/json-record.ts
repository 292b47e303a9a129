import type { Cell } from "./convert-block.ts"

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The object in a line. For a document as search engines dump it, the object is the indexed part (`_source`). */
export function parseRecord(line: string): JsonObject | undefined {
  const value = parseJson(line)
  if (!isObject(value)) return undefined
  return isObject(value._source) ? value._source : value
}

/** A text or a number as a cell. Anything else, including an empty text, is undefined. */
export function cellOf(value: unknown): Cell {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined
  return typeof value === "string" && value.trim() !== "" ? value : undefined
}
