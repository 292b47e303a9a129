export { anonymityDegrees } from "./anonymity-degrees.ts"
export { type ContextOptions, createContext, type Progress, type RunContext } from "./context.ts"
export { type Dictionary, type DictionaryParts, dictionaryFrom, dictionaryOf } from "./dictionary.ts"
export { collectDistinctUsers, type UserSets } from "./distinct-users.ts"
export { type ErrorCode, type ErrorFields, errorCodes, QueryveilError } from "./error.ts"
export type { NgramIndex, TokenRuns } from "./index-ngrams.ts"
export { type CsrGraph, joinSimilar } from "./join-similar.ts"
export { type AttackOptions, type LinkageAttacker, linkageAttackers } from "./linkage/attackers.ts"
export { linkByIntersection } from "./linkage/intersect-users.ts"
export { linkToLargestShare } from "./linkage/largest-share.ts"
export { linkByCells } from "./linkage/read-cells.ts"
export { linkByOrder } from "./linkage/read-order.ts"
export type { LinkageOptions, ReleasedStream } from "./linkage/released-stream.ts"
export {
  type CategoryScore,
  type LinkageScore,
  scoreCategories,
  scoreLinkage,
  worstCategory,
} from "./linkage/score-linkage.ts"
export { linkAtRandom, linkByHistory, linkToMostFrequent } from "./linkage/undo-swaps.ts"
export { type UnitIntervals, unitIntervals } from "./linkage/unit-intervals.ts"
export { countNgrams, type NgramRows, type Ngrams } from "./ngrams.ts"
export { runParallel, serveShards, streamParallel } from "./parallel.ts"
export type { UnitVectors } from "./prefix-index.ts"
export { cryptoRandom, type RandomSource, type SeededStream, seededRandom, seededStream, shuffle } from "./random.ts"
export { type CsrSets, countSetUsers } from "./set-users.ts"
export { chiSquareTail, chiSquareTest } from "./statistics/chi-square.ts"
export { clopperPearson } from "./statistics/clopper-pearson.ts"
export { kolmogorovSmirnov } from "./statistics/kolmogorov-smirnov.ts"
export { pairedEquivalence, pairedTTest } from "./statistics/paired-t-test.ts"
export { studentTail } from "./statistics/student.ts"
