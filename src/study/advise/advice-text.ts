import type { Comparable } from "../frontier/rows.ts"
import { uses } from "../frontier/scores.ts"
import type { AdviceOptions, Alternative } from "./advise.ts"

/** What the sentences are about. */
interface Outcome {
  chosen: Comparable
  alternatives: readonly Alternative[]
  /** Number of releases whose risk is within the bound. */
  fitting: number
  raw?: Comparable
}

const nameOf = ({ row }: Comparable) => `${row.series} with ${row.parameters || "its defaults"}`

/** Three sentences: what the release keeps, what the strongest attack achieved, and why the alternatives lost. */
export function describeAdvice(outcome: Outcome, options: AdviceOptions): string[] {
  return [describeUse(outcome, options), describeAttack(outcome, options), describeAlternatives(outcome, options)]
}

function describeUse({ chosen, fitting }: Outcome, { use }: AdviceOptions): string {
  const { title, keeps } = uses[use]
  const { value, original } = chosen.use
  const beside = original === undefined ? "" : `; the log itself: ${short(original)}`
  const kept = `keeps ${keeps} best (${title}: ${short(value)}${beside})`
  return fitting === 1
    ? `${capital(nameOf(chosen))} is the only release within the bound that ${kept.replace(" best", "")}.`
    : `Of the ${fitting} releases within the bound, ${nameOf(chosen)} ${kept}.`
}

function describeAttack({ chosen, raw }: Outcome, { maxRisk }: AdviceOptions): string {
  const { value, low, high, attack } = chosen.risk
  const before =
    raw === undefined ? "" : `; on the log with its user names replaced, the strongest gained ${short(raw.risk.value)}`
  const interval = `95 % interval ${short(low)} to ${short(high)}`
  const gained = `gained ${short(value)} over a guess (${interval}), within the ${short(maxRisk)} that you allow`
  return `The strongest attack on it, ${attack}, ${gained}${before}.`
}

function describeAlternatives({ chosen, alternatives }: Outcome, { use, maxRisk }: AdviceOptions): string {
  if (alternatives.length === 0) return "There was no other release to choose."
  const parts = alternatives.map(({ option, why }) => {
    const reason =
      why === "risk"
        ? `may have a risk of ${short(option.risk.high)}, more than ${short(maxRisk)}`
        : option.use.value === chosen.use.value
          ? "keeps as much, at no less risk"
          : "keeps less"
    return `${nameOf(option)} (${short(option.use.value)}; ${reason})`
  })
  return `The next best by ${uses[use].title}: ${parts.join(" and ")}.`
}

/** Rounds to three digits; an estimate is no more precise than that. */
/** Three digits. A rounding error of the arithmetic is shown as 0. */
const short = (value: number) => String(Math.abs(value) < 1e-9 ? 0 : Number(value.toPrecision(3)))

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
