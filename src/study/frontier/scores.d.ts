import type { Score, ScoreKey } from "../../probes/score.ts"
/** Attacks that are run on every point. */
export declare const attackNames: readonly ["profile", "linkage", "membership", "secrets"]
/** The number of people to attack, under the option names of the attacks. */
export declare const attackValues: (targets: number) => {
  profileTargets: number
  members: number
}
/** A score that counts as risk, and what its attacker does, in words. */
export interface RiskScore extends ScoreKey {
  means: string
}
/**
 * The scores that count as risk; a point's risk is the worst of them. For rows: how often the attack finds the user who
 * issued a search, or the user behind a name. Tables name nobody. For tables: how much better than a guess an attacker
 * can tell whether a person is in the log.
 */
export declare const riskScores: {
  rows: (
    | {
        probe: string
        score: string
        means: string
        at?: never
      }
    | {
        probe: string
        score: string
        at: {
          attacker: string
          among: undefined
          known?: never
        }
        means: string
      }
    | {
        probe: string
        score: string
        at: {
          known: number
          attacker?: never
          among?: never
        }
        means: string
      }
  )[]
  tables: {
    probe: string
    score: string
    means: string
  }[]
}
/** The values of `--use`. */
export declare const useNames: readonly [
  "suggestions",
  "retrieval",
  "queries",
  "urls",
  "events",
  "distinct",
  "language",
  "topics",
]
/** What a release may be used for. */
export type UseName = (typeof useNames)[number]
interface Use extends ScoreKey {
  /** Title for axes and columns. */
  title: string
  better: Score["better"]
  /** What a good release keeps, in words. */
  keeps: string
}
/** The uses of a release, each with the score that measures how well the release serves it. */
export declare const uses: Record<UseName, Use>
