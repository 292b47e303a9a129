import type { SentenceRule } from "./say-scores.ts"
/** Sentences about what is left and what was lost. */
export declare const measureSentences: readonly SentenceRule[]
