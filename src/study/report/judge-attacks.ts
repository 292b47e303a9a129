import { type Gain, gainOf } from "../../probes/gain.ts"
import type { AnyProbe } from "../../probes/probe.ts"
import type { ProbeOutcome } from "../../probes/run-probes.ts"
import type { Score } from "../../probes/score.ts"

/** A score of an attack, and its gain over a guess. */
export interface JudgedScore {
  score: Score
  gain: Gain
}

/** An attack that ran, with the scores that can be judged: those above chance first, then by falling gain. */
export interface JudgedAttack {
  probe: string
  scores: readonly JudgedScore[]
  /** The score with the largest gain among those above chance, else among all. */
  worst: JudgedScore
}

/** All attacks of a report, the worst first, and the attacks without a result. */
export interface JudgedAttacks {
  ran: readonly JudgedAttack[]
  /** Could not run, or had nothing to judge. */
  couldNotRun: readonly { probe: string; why: string }[]
  /** Registered, but not requested. */
  notAsked: readonly string[]
}

const byGain = (one: JudgedScore, other: JudgedScore) =>
  Number(other.gain.isAbove) - Number(one.gain.isAbove) ||
  other.gain.value - one.gain.value ||
  other.gain.low - one.gain.low

/** Judges every score of every attack. `all` are the attacks that exist. */
export function judgeAttacks(outcomes: readonly ProbeOutcome[], all: readonly AnyProbe[]): JudgedAttacks {
  const ran: JudgedAttack[] = []
  const couldNotRun: { probe: string; why: string }[] = []
  for (const outcome of outcomes) {
    const { probe } = outcome
    if ("skipped" in outcome) {
      couldNotRun.push({ probe, why: outcome.skipped })
      continue
    }
    const scores = judgeScores(outcome.scores)
    const [worst] = scores
    if (worst === undefined) couldNotRun.push({ probe, why: "the release shows nothing to try it on" })
    else ran.push({ probe, scores, worst })
  }
  const notAsked = all.map(({ name }) => name).filter((name) => !outcomes.some(({ probe }) => probe === name))
  return { ran: ran.sort((one, other) => byGain(one.worst, other.worst)), couldNotRun, notAsked }
}

/** The scores that can be judged: those above chance first, then by falling gain. */
function judgeScores(scores: readonly Score[]): JudgedScore[] {
  const judged = scores.flatMap((score) => {
    const gain = gainOf(score)
    return gain === undefined ? [] : [{ score, gain }]
  })
  return judged.sort(byGain)
}
