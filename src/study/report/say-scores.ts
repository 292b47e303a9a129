import type { Score } from "../../probes/probe.ts"
import { type ProbeOutcome, scoresOf } from "../../probes/run-probes.ts"

/** How scores of some names are said in plain words. */
export interface SentenceRule {
  /** Of the whole name; its groups are given to `say`. */
  name: RegExp
  say(score: Score, parts: readonly string[], scores: ReadonlyMap<string, Score>): string | undefined
}

/** A sentence for each score that has one, in the order of the scores. Those without stand in the table alone. */
export function sayScores(outcomes: readonly ProbeOutcome[], rules: readonly SentenceRule[]): string[] {
  const scores = scoresOf(outcomes)
  const byName = new Map(scores.map((score) => [score.name, score]))
  return scores.flatMap((score) => {
    for (const { name, say } of rules) {
      const found = new RegExp(`^(?:${name.source})$`).exec(score.name)
      const sentence = found === null ? undefined : say(score, found.slice(1), byName)
      if (sentence !== undefined) return [sentence]
    }
    return []
  })
}
