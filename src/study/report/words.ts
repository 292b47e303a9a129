import { count } from "../../kernels/number-words.ts"
import type { Score } from "../../probes/score.ts"

/** A no-break space keeps the percent sign on the line of its number. */
const unit = "\u00a0%"

/**
 * Formats a share for readers, without digits that say nothing: `12.0 %`, `0.60 %`, `0.032 %`. A share just below 1 is
 * never shown as 100 %.
 */
export function percent(share: number): string {
  const value = Math.abs(share) < 1e-12 ? 0 : 100 * share // the end of an interval may be 0 plus a rounding error
  if (value === 0 || value === 100) return `${value}${unit}`
  const size = Math.abs(value)
  if (size < 0.0005) return `under 0.001${unit}`
  if (value > 99.99 && value < 100) return `over 99.99${unit}`
  if (size > 100) return `${count(value)}${unit}`
  if (size >= 10) return `${size > 99 ? value.toFixed(2) : value.toFixed(1)}${unit}`
  return `${value.toFixed(Math.min(4, 1 - Math.floor(Math.log10(size))))}${unit}`
}

/** `12 of 2,000` for a share of countable things; `7.5 of 83` if there were ties, which count as fractions. */
export function countOf({ value, n = 0 }: Score): string {
  return `${(value * n).toLocaleString("en", { maximumFractionDigits: 1 })} of ${count(n)}`
}

/** `1 line`, `2,000 lines`. */
export const counted = (number: number, one: string) => `${count(number)} ${one}${number === 1 ? "" : "s"}`

/** `(0.60 %; 95 % interval 0.34 % to 1.0 %)`. */
export function shareInWords({ value, interval }: Score): string {
  if (interval === undefined) return `(${percent(value)})`
  return `(${percent(value)}; 95${unit} interval ${percent(interval[0])} to ${percent(interval[1])})`
}

/** Compares a result with pure chance. */
export function besideChance({ value, interval, baseline = 0 }: Score): string {
  const [low, high] = interval ?? [value, value]
  if (low > baseline) return "That is more than chance."
  return high < baseline ? "That is less than chance." : "That shows no more than chance."
}
