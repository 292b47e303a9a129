import type { IdentifierKind } from "./kinds.ts"
import { QueryText } from "./query-text.ts"

/** Marks that the byte scan looks for: an @, at least two colons, at least three dots, a slash, a per cent, a space. */
export const signs = ["at", "colons", "dots", "slash", "percent", "space"] as const

export type Sign = (typeof signs)[number]

/** Holds for a text with at least so many digits, at least one of the signs, and at least one of the words. */
interface Clue {
  digits?: number
  signs?: readonly Sign[]
  words?: Iterable<string>
}

/** What one detector file says. `matches` must imply that one of the clues holds, since others are never read. */
interface DetectorParts {
  kind: IdentifierKind
  summary: string
  clues: readonly Clue[]
  /** The same, for a query whose parts are shared between detectors. */
  matches(query: QueryText): boolean
}

/** A pure function of the normalised text of one query, in time linear in its length. */
export interface Detector extends DetectorParts {
  /** Whether a normalised query holds an identifier of this kind. */
  detect(text: string): boolean
}

export function defineDetector(parts: DetectorParts): Detector {
  return { ...parts, detect: (text) => parts.matches(new QueryText(text)) }
}
