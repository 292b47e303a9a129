import { asPercent } from "../../shared/format.ts"

interface Outcome {
  verdict: string
  chance: { low: number; high: number }
}

/** The chance that a query is released, in words. Empty if the outcome is certain. */
export function sayChance({ verdict, chance: { low, high } }: Outcome): string {
  if (verdict !== "depends on chance") return ""
  return low === high
    ? `Its chance is ${sayShare(low)}.`
    : `Its chance is between ${sayShare(low)} and ${sayShare(high)}.`
}

function sayShare(share: number): string {
  if (share > 0 && share < 0.001) return "nearly 0"
  return share < 1 && share > 0.999 ? "nearly 1" : asPercent(share)
}
