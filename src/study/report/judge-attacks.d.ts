import { type Gain } from "../../probes/gain.ts"
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
  couldNotRun: readonly {
    probe: string
    why: string
  }[]
  /** Registered, but not requested. */
  notAsked: readonly string[]
}
/** Judges every score of every attack. `all` are the attacks that exist. */
export declare function judgeAttacks(outcomes: readonly ProbeOutcome[], all: readonly AnyProbe[]): JudgedAttacks
