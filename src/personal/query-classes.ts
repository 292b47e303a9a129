/** Bounds on DP(q, R) between ambiguous, medium and distinct queries. They are the paper's, from AOL's log. §7.1. */
export const queryClassBounds = { medium: 0.44, distinct: 0.82 } as const

/** How clearly a query states its meaning by itself. */
export type QueryClass = "ambiguous" | "medium" | "distinct"

/** The class of a query by DP(q, R). A distinct query gains nothing from a profile: DP(q, R) ≥ μ. §5.2. */
export function queryClass(
  power: number,
  { medium, distinct }: { medium: number; distinct: number } = queryClassBounds,
): QueryClass {
  return power >= distinct ? "distinct" : power >= medium ? "medium" : "ambiguous"
}
