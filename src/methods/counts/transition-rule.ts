import type { SearchLog } from "../../log/search-log.ts"

/** Which consecutive searches of a user are a transition. */
export interface TransitionRule {
  /** Most seconds between the two searches; infinite if there is no limit. */
  gap: number
  /** True if repeating the same query is a transition too. */
  repeats: boolean
}

/**
 * The rule that the options or the parameters of a manifest state. Without a gap there is no limit: the paper's
 * "adjacent query transitions". Releases of version 0.1 have no `repeats`; they left out repeated queries.
 */
export function transitionRule(options: { sessionGap?: unknown; repeats?: unknown }): TransitionRule {
  const { sessionGap, repeats } = options
  const gap = sessionGap === undefined ? Number.POSITIVE_INFINITY : Number(sessionGap) * 60
  return { gap, repeats: repeats === "keep" }
}

/** True if the search of row `last` and the user's next search, of row `next`, are a transition. */
export function isTransition(
  { query, time }: SearchLog,
  { last, next }: { last: number; next: number },
  { gap, repeats }: TransitionRule,
): boolean {
  return (repeats || query[last] !== query[next]) && time[next] - time[last] <= gap
}
