import { findScore, type Score, type ScoreKey } from "../../probes/score.ts"
import { riskScores } from "./scores.ts"

/** How much better than a guess the strongest attack was: 0 as a guess, 1 always right. */
export interface Risk {
  value: number
  low: number
  high: number
  attack: string
}

/**
 * The worst of the attacks that could be made. An attack that is right with share v where a guess is with share b has
 * gained (v − b)/(1 − b) of what there was to gain; less than nothing counts as nothing. The interval is mapped
 * alike, and ends at the highest upper bound of all attacks: any of them may be the worst. Undefined when there was nobody to
 * attack, or nobody to tell him apart from: then a guess is always right.
 */
export function riskOf(scores: readonly Score[], kind: keyof typeof riskScores): Risk | undefined {
  const found = riskScores[kind].flatMap((key: ScoreKey) => {
    const score = findScore(scores, key)
    const isTold = score !== undefined && score.n !== 0 && Number.isFinite(score.value) && (score.baseline ?? 0) < 1
    return isTold ? [gainOf(score)] : []
  })
  const worst = found.reduce((most, risk) => (risk.value > most.value ? risk : most), found[0] ?? none)
  return found.length === 0 ? undefined : { ...worst, high: Math.max(...found.map(({ high }) => high)) }
}

const none: Risk = { value: 0, low: 0, high: 0, attack: "" }

function gainOf({ name, value, interval, baseline = 0 }: Score): Risk {
  const gain = (share: number) => Math.max(0, (share - baseline) / (1 - baseline))
  const [low, high] = interval ?? [value, value]
  return { value: gain(value), low: gain(low), high: gain(high), attack: name }
}
