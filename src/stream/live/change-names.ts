import type { NameLifetime } from "./user-names.ts"

const lifetimes: Record<Exclude<NameLifetime, "drop">, number> = { cell: 0, day: 1, pseudonym: 2, keep: 2 }

/**
 * True if a store whose releases carry names of one kind may continue with another kind. Only shorter-lived names are
 * allowed: longer-lived names would break the promise already made. The column of names is never added or removed.
 */
export function mayChangeNames(before: NameLifetime, after: NameLifetime): boolean {
  if (before === after) return true
  return before !== "drop" && after !== "drop" && lifetimes[after] < lifetimes[before]
}
