import type { IdentifierKind } from "./kinds.ts"
import { QueryText } from "./query-text.ts"

/**
 * Signs that the byte scan looks for: an @, at least two colons, at least three dots, a slash, a per cent sign, a
 * space.
 */
export const signs = ["at", "colons", "dots", "slash", "percent", "space"] as const

export type Sign = (typeof signs)[number]

/** True of a text with at least this many digits, at least one of the signs, and at least one of the words. */
interface Clue {
  digits?: number
  signs?: readonly Sign[]
  words?: Iterable<string>
}

/**
 * The content of one detector file. If `matches` is true, one of the clues must be too: a query without a clue is never
 * read.
 */
interface DetectorParts {
  kind: IdentifierKind
  summary: string
  clues: readonly Clue[]
  /** `detect` for a query whose parts are shared between detectors. */
  matches(query: QueryText): boolean
}

/** A pure function of the normalised text of one query, in time linear in its length. */
export interface Detector extends DetectorParts {
  /** True if a normalised query contains an identifier of this kind. */
  detect(text: string): boolean
}

export function defineDetector(parts: DetectorParts): Detector {
  return { ...parts, detect: (text) => parts.matches(new QueryText(text)) }
}
