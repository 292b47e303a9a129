import { incompleteBeta } from "./incomplete-beta.ts"

/** The chance of at least `successes` successes in n trials with success chance p each. */
export function binomialTail(successes: number, n: number, { p }: { p: number }): number {
  if (successes <= 0) return 1
  if (successes > n) return 0
  return incompleteBeta({ x: p, y: 1 - p, a: successes, b: n - successes + 1 })
}
