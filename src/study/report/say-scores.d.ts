import { type ProbeOutcome } from "../../probes/run-probes.ts"
import { type Score, type ScoreKey } from "../../probes/score.ts"
/** How to put a score into words; `scores` are all scores that were computed. */
export interface SentenceRule extends ScoreKey {
  say(score: Score, scores: readonly Score[]): string | undefined
}
/** A sentence for each score that has a rule, in the order of the scores. The other scores appear only in the table. */
export declare function sayScores(outcomes: readonly ProbeOutcome[], rules: readonly SentenceRule[]): string[]
