import { type Comparable, compareRows, type FrontierRow, rawName } from "../frontier/rows.ts"
import { type UseName, uses } from "../frontier/scores.ts"
import { describeAdvice } from "./advice-text.ts"

/** What the release is for, and how much risk is acceptable. */
export interface AdviceOptions {
  use: UseName
  /**
   * Upper bound on the gain of the strongest attack over a guess. The upper end of the gain's interval must not exceed
   * it.
   */
  maxRisk: number
}

/** The release to make, and the runners-up. */
export interface Advice {
  /** Undefined if no release is within the bound. */
  chosen?: Comparable
  /** The release with the lowest risk, by the upper end of its interval. Undefined if no release could be judged. */
  safest?: Comparable
  /** The runner-up among all releases, and the one among those within the bound. */
  alternatives: Alternative[]
  /** Three sentences: what the release keeps, what the strongest attack achieved, and why the alternatives lost. */
  reasons: string[]
}

/** A release that was nearly chosen, and the reason against it. */
export interface Alternative {
  option: Comparable
  why: "risk" | "use"
}

/**
 * Chooses the most useful release that keeps anything, fails no check, and whose risk is at most the bound. The upper
 * end of the risk's interval is what counts. The raw log is never chosen. Among equally useful releases, the one with
 * less risk wins.
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
