import { type Gain, gainOf } from "../../probes/gain.ts"
import type { AnyProbe } from "../../probes/probe.ts"
import type { ProbeOutcome } from "../../probes/run-probes.ts"
import type { Score } from "../../probes/score.ts"

/** A score of an attack, and what it gained over a guess. */
export interface JudgedScore {
  score: Score
  gain: Gain
}

/** An attack that ran: its scores that can be judged, the largest gain first. */
export interface JudgedAttack {
  probe: string
  scores: readonly JudgedScore[]
  /** The score with the largest gain among those above chance, else among all. */
  worst: JudgedScore
}

/** All attacks of a report, worst first, and those of which nothing is known. */
export interface JudgedAttacks {
  ran: readonly JudgedAttack[]
  /** Could not be made, or had nothing to judge. */
  couldNotRun: readonly { probe: string; why: string }[]
  /** Registered, and not asked for. */
  notAsked: readonly string[]
}

const byGain = (one: JudgedScore, other: JudgedScore) =>
  Number(other.gain.isAbove) - Number(one.gain.isAbove) ||
  other.gain.value - one.gain.value ||
  other.gain.low - one.gain.low

/** Judges every score of every attack. `all` are the attacks that there are. */
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
    if (worst === undefined) couldNotRun.push({ probe, why: "the release shows nothing that it could be tried on" })
    else ran.push({ probe, scores, worst })
  }
  const notAsked = all.map(({ name }) => name).filter((name) => !outcomes.some(({ probe }) => probe === name))
  return { ran: ran.sort((one, other) => byGain(one.worst, other.worst)), couldNotRun, notAsked }
}

/** The scores that can be judged: those above chance first, the largest gain first. */
function judgeScores(scores: readonly Score[]): JudgedScore[] {
  const judged = scores.flatMap((score) => {
    const gain = gainOf(score)
    return gain === undefined ? [] : [{ score, gain }]
  })
  return judged.sort(byGain)
}
