import { type ProbeOutcome } from "../../probes/run-probes.ts"
/** What is left of the log, in at most three sentences. The sentence with the least left comes first. */
export declare function mainMeasures(outcomes: readonly ProbeOutcome[]): string[]
