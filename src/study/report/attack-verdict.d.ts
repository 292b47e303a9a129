import type { AnyProbe } from "../../probes/probe.ts"
import type { ProbeOutcome } from "../../probes/run-probes.ts"
import type { LogRelation } from "../../release/receipt.ts"
/** The default accepted risk: the largest gain over a guess that is acceptable. */
export declare const usualRisk = 0.1
/** The possible verdicts on what attacks found. */
export declare const attackStates: readonly [
  "nothing above chance",
  "above chance",
  "over the accepted risk",
  "not attacked",
]
/** The second verdict of a report: what attacks found despite the promise. */
export interface AttackVerdict {
  state: (typeof attackStates)[number]
  /** How many attacks gained more than chance, and which was the worst. */
  sentence: string
  /** Why the verdict is weaker than it looks: attacks that did not run, or a different log. */
  caveats: readonly string[]
  /** What the worst attacks mean for a person in the log. The worst is first; at most three. */
  meanings: readonly string[]
  acceptedRisk: number
  /** The number of attacks that ran and could be judged, and how many of them gained more than chance. */
  ran: number
  above: number
  /** The number of attacks that exist. */
  known: number
  /** The score with the largest gain among those above chance. */
  worst?: {
    attack: string
    name: string
    value: number
    chance: number
    gain: number
    low: number
    high: number
  }
}
/** What was attacked, and how. */
export interface VerdictOptions {
  acceptedRisk?: number | undefined
  /** How the log relates to the log of the receipt; undefined if they were not compared. */
  relation?: LogRelation | undefined
  /** True if the release shows nothing. */
  isEmpty?: boolean
  all?: readonly AnyProbe[]
}
/** True if results against this log say nothing about the release. */
export declare const isForeign: (relation: LogRelation | undefined) => relation is "alike" | "other"
export declare const foreignSentence = "Judged against another log than the release was made from."
/**
 * Judges all scores of all attacks. The verdict is "nothing above chance" only if the interval of every score reaches
 * chance.
 */
export declare function attackVerdict(outcomes: readonly ProbeOutcome[], options?: VerdictOptions): AttackVerdict
