import type { AnyProbe } from "../../probes/probe.ts"
import { type Score } from "../../probes/score.ts"
import type { JudgedScore } from "./judge-attacks.ts"
/**
 * What the score of an attack means for a person in the log. An attack without a sentence of its own is described by
 * its name and summary.
 */
export declare function tellMeaning(
  { score, gain }: JudgedScore,
  {
    scores,
    probes,
  }: {
    scores: readonly Score[]
    probes: readonly AnyProbe[]
  },
): string
/** `78 of 100`, `6 of 1,000`: the smallest power of ten, from 100, at which the count does not round to 0 or to all. */
export declare function outOf(share: number): string
