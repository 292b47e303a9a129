import { type ProbeOutcome, scoresOf } from "../../probes/run-probes.ts"
import { findScore, isScore, type Score, type ScoreKey } from "../../probes/score.ts"
import { measureSentences } from "./measure-sentences.ts"
import { sayScores } from "./say-scores.ts"

/**
 * The scores that most readers want first, by importance. Each is a share of the log, or is compared with the log's own
 * score.
 */
const asked: readonly ScoreKey[] = [
  { probe: "events-kept", score: "events-kept" },
  { probe: "shown-counts", score: "events-shown" },
  { probe: "profile-distance", score: "profile-users" },
  { probe: "top-queries", score: "top-queries" },
  { probe: "suggestions", score: "suggestions" },
  { probe: "queries-kept", score: "queries-kept" },
  { probe: "ncp", score: "ncp" },
  { probe: "top-urls", score: "top-urls" },
]

/** What is left of the log, in at most three sentences. The sentence with the least left comes first. */
export function mainMeasures(outcomes: readonly ProbeOutcome[]): string[] {
  const scores = scoresOf(outcomes)
  const said = asked.flatMap((key) => {
    const score = findScore(scores, key)
    if (score === undefined) return []
    const sentence = measureSentences.find((rule) => isScore(score, rule))?.say(score, scores)
    return sentence === undefined ? [] : [{ sentence, left: shareLeft(score) }]
  })
  if (said.length === 0) return sayScores(outcomes, measureSentences).slice(0, 3)
  const first = said.slice(0, 3).sort((one, other) => one.left - other.left)
  return first.map(({ sentence }) => sentence)
}

/** The share of the log's own score; for a loss, the share that is not lost. */
const shareLeft = ({ value, baseline = 1, better }: Score) => (better === "lower" ? 1 - value : value / (baseline || 1))
