import { type Comparable, compareRows, type FrontierRow, rawName } from "../frontier/rows.ts"
import { type UseName, uses } from "../frontier/scores.ts"
import { describeAdvice } from "./advice-text.ts"

/** What the release is for, and how much risk it may have. */
export interface AdviceOptions {
  use: UseName
  /** The most that the strongest attack may gain over a guess, by the upper end of its interval. */
  maxRisk: number
}

/** Which release to make, and what was next best. */
export interface Advice {
  /** Undefined: no release stays within the bound. */
  chosen?: Comparable
  /** The release whose risk is the lowest, by the upper end of its interval; undefined when none could be judged. */
  safest?: Comparable
  /** The next best of all, and of those within the bound. */
  alternatives: Alternative[]
  /** Three sentences: what is kept, what the strongest attack did, what else there was. */
  reasons: string[]
}

/** A release that was nearly chosen, and what speaks against it. */
export interface Alternative {
  option: Comparable
  why: "risk" | "use"
}

/**
 * The release of most use among those whose risk, by the upper end of its interval, is at most the bound, whose checks
 * do not fail, and which keep anything at all. The raw log is never advised. Of equal ones that of less risk.
 */
export function advise(rows: readonly FrontierRow[], options: AdviceOptions): Advice {
  const sign = uses[options.use].better === "higher" ? 1 : -1
  const compared = compareRows(rows, options.use)
  const raw = compared.find(({ row }) => row.series === rawName)
  const candidates = compared
    .filter(({ row }) => row.series !== rawName && row.state !== "failed")
    .filter(({ row, use }) => row.uses.events?.value !== 0 && (sign < 0 || use.value > 0))
    .sort((a, b) => sign * (b.use.value - a.use.value) || a.risk.value - b.risk.value || a.risk.high - b.risk.high)
  const fits = (option: Comparable) => option.risk.high <= options.maxRisk
  const chosen = candidates.find(fits)
  const safest = [...candidates].sort((a, b) => a.risk.high - b.risk.high)[0]
  const others = candidates.filter((option) => option !== chosen)
  const fitting = others.filter(fits)
  const next = [...new Set([...others.slice(0, 1), ...fitting.slice(0, 1), ...others.slice(1, 2)])].slice(0, 2)
  const alternatives = next.map((option): Alternative => ({ option, why: fits(option) ? "use" : "risk" }))
  return {
    ...(chosen && { chosen }),
    ...(safest && { safest }),
    alternatives,
    reasons:
      chosen === undefined
        ? []
        : describeAdvice({ chosen, alternatives, fitting: fitting.length + 1, ...(raw && { raw }) }, options),
  }
}
