import { type ProbeOutcome, scoresOf } from "../../probes/run-probes.ts"
import { isScore, type Score, type ScoreKey } from "../../probes/score.ts"

/** How a score is said in plain words; `scores` are all that were found. */
export interface SentenceRule extends ScoreKey {
  say(score: Score, scores: readonly Score[]): string | undefined
}

/** A sentence for each score that has one, in the order of the scores. Those without are in the table alone. */
export function sayScores(outcomes: readonly ProbeOutcome[], rules: readonly SentenceRule[]): string[] {
  const scores = scoresOf(outcomes)
  return scores.flatMap((score) => rules.find((rule) => isScore(score, rule))?.say(score, scores) ?? [])
}
