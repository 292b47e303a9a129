/** Bounds between ambiguous, medium and distinct queries by DP(q, R); the paper's, from AOL's log. §7.1. */
export const queryClassBounds = { medium: 0.44, distinct: 0.82 } as const

/** How well a query says by itself what it means. */
export type QueryClass = "ambiguous" | "medium" | "distinct"

/** A query that is distinct by itself gains nothing from a profile: DP(q, R) ≥ μ. §5.2. */
export function queryClass(
  power: number,
  { medium, distinct }: { medium: number; distinct: number } = queryClassBounds,
): QueryClass {
  return power >= distinct ? "distinct" : power >= medium ? "medium" : "ambiguous"
}
