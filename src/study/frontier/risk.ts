import { gainOf } from "../../probes/gain.ts"
import { findScore, type Score, type ScoreKey } from "../../probes/score.ts"
import { riskScores } from "./scores.ts"

/** How much better than a guess the strongest attack is: 0 is no better, 1 is always right. */
export interface Risk {
  value: number
  low: number
  high: number
  attack: string
}

/**
 * The largest gain (`gainOf`) of the attacks that could be made. The interval ends at the highest upper bound of all
 * attacks, because any of them may be the worst.
 *
 * Undefined if there was nobody to attack, or nobody to confuse them with: then a guess is always right.
 */
export function riskOf(scores: readonly Score[], kind: keyof typeof riskScores): Risk | undefined {
  const found = riskScores[kind].flatMap((key: ScoreKey) => {
    const score = findScore(scores, key)
    const gain = score && gainOf(score)
    return gain === undefined ? [] : [{ ...gain, attack: score?.name ?? "" }]
  })
  const [first] = found
  if (first === undefined) return undefined
  const { value, low, attack } = found.reduce((most, risk) => (risk.value > most.value ? risk : most), first)
  return { value, low, high: Math.max(...found.map(({ high }) => high)), attack }
}
