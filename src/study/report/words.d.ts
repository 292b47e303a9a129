import type { Score } from "../../probes/score.ts"
/**
 * Formats a share for readers, without digits that say nothing: `12.0 %`, `0.60 %`, `0.032 %`. A share just below 1 is
 * never shown as 100 %.
 */
export declare function percent(share: number): string
/** `12 of 2,000` for a share of countable things; `7.5 of 83` if there were ties, which count as fractions. */
export declare function countOf({ value, n }: Score): string
/** `1 line`, `2,000 lines`. */
export declare const counted: (number: number, one: string) => string
/** `(0.60 %; 95 % interval 0.34 % to 1.0 %)`. */
export declare function shareInWords({ value, interval }: Score): string
/** Compares a result with pure chance. */
export declare function besideChance({ value, interval, baseline }: Score): string
