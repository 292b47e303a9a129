import type { SearchLog } from "../../log/search-log.ts"

/** Which next search of a user makes a transition. */
export interface TransitionRule {
  /** Most seconds between the two searches; infinite where there is no limit. */
  gap: number
  /** A search for the same query again is a transition too. */
  repeats: boolean
}

/**
 * The rule that options or the parameters of a manifest state. Without a gap there is no limit: the paper's "adjacent query
 * transitions". Releases of version 0.1 have no `repeats`; they left repeated queries out.
 */
export function transitionRule(options: { sessionGap?: unknown; repeats?: unknown }): TransitionRule {
  const { sessionGap, repeats } = options
  const gap = sessionGap === undefined ? Number.POSITIVE_INFINITY : Number(sessionGap) * 60
  return { gap, repeats: repeats === "keep" }
}

/** Whether the search of one row and the user's next search, of another row, are a transition. */
export function isTransition(
  { query, time }: SearchLog,
  { last, next }: { last: number; next: number },
  { gap, repeats }: TransitionRule,
): boolean {
  return (repeats || query[last] !== query[next]) && time[next] - time[last] <= gap
}
