import type { NameLifetime } from "./user-names.ts"

const lifetimes: Record<Exclude<NameLifetime, "drop">, number> = { cell: 0, day: 1, pseudonym: 2, keep: 2 }

/**
 * Whether a store whose releases carry names of one kind may go on with another: only with names that last shorter. Longer
 * ones would take back what was promised, and the column of names neither comes nor goes.
 */
export function mayChangeNames(before: NameLifetime, after: NameLifetime): boolean {
  if (before === after) return true
  return before !== "drop" && after !== "drop" && lifetimes[after] < lifetimes[before]
}
