import { markFront } from "../../../src/study/frontier/pareto-front.ts"
import type { Explore } from "../answers.ts"
import type { FrontierPoint, UseName } from "./point-words.ts"

/** The points of the front, by id. For the project's own use the server knows them. */
export function frontOf(
  explore: Explore,
  { use, placed }: { use: UseName; placed: readonly FrontierPoint[] },
): ReadonlySet<string> {
  if (use === explore.use) return new Set(placed.filter(({ front }) => front).map(({ id }) => id))
  const sign = explore.uses[use]?.better === "lower" ? -1 : 1
  const ids = (["sample", "whole"] as const).flatMap((of) => {
    const some = placed.filter((point) => point.of === of)
    const marks = markFront(
      some.map(({ risk, uses }) => ({ risk: risk?.value ?? 1, use: sign * (uses[use]?.value ?? 0) })),
    )
    return some.filter((_, i) => marks[i]).map(({ id }) => id)
  })
  return new Set(ids)
}

/** True if two choices have the same parameters. */
export function sameValues(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key])
}
