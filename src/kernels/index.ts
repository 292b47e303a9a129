export { anonymityDegrees } from "./anonymity-degrees.ts"
export { buildClickGraph, type ClickGraph, pairOf } from "./click-graph.ts"
export { type Clusters, clusterSets } from "./cluster-sets.ts"
export { type ContextOptions, createContext, type Progress, type RunContext } from "./context.ts"
export { insiderChance } from "./derangements.ts"
export { type Dictionary, type DictionaryParts, dictionaryFrom, dictionaryOf } from "./dictionary.ts"
export { collectDistinctUsers, type UserSets } from "./distinct-users.ts"
export { type ErrorCode, type ErrorFields, errorCodes, QueryveilError } from "./error.ts"
export { type GroupOptions, groupUsers, type UserGroups } from "./group-users.ts"
export type { NgramIndex, TokenRuns } from "./index-ngrams.ts"
export { type CsrGraph, joinSimilar } from "./join-similar.ts"
export { type AttackOptions, type LinkageAttacker, linkageAttackers } from "./linkage/attackers.ts"
export { balanceCell } from "./linkage/balance-cell.ts"
export { type ComparisonOptions, linkByComparison } from "./linkage/compare-cells.ts"
export { linkByDate } from "./linkage/date-texts.ts"
export { type IntersectionOptions, linkByIntersection } from "./linkage/intersect-users.ts"
export { findByKnownSearches, type KnownSearchesOptions, type NamesFound } from "./linkage/known-searches.ts"
export { linkToLargestShare } from "./linkage/largest-share.ts"
export { createProfileMatcher, type ProfileMatch } from "./linkage/match-profiles.ts"
export { createSharedMatcher } from "./linkage/match-shared.ts"
export { indexProfiles, type ProfileIndex } from "./linkage/profile-index.ts"
export {
  type Candidates as LinkCandidates,
  describeCandidates,
  type RankedPerson,
  rankPerson,
} from "./linkage/rank-person.ts"
export { linkByCells } from "./linkage/read-cells.ts"
export { linkByOrder } from "./linkage/read-order.ts"
export { type NamingPoint, namingCurve, recallAtPrecision } from "./linkage/recall-at-precision.ts"
export { rebuildCells } from "./linkage/released-cells.ts"
export type { LinkageOptions, ReleasedStream } from "./linkage/released-stream.ts"
export {
  type CategoryScore,
  type LinkageScore,
  scoreCategories,
  scoreLinkage,
  worstCategory,
} from "./linkage/score-linkage.ts"
export { linkBySelfTraining } from "./linkage/self-trained.ts"
export { linkBySharedWords, type SharedWordsOptions } from "./linkage/shared-words.ts"
export type { TextWords } from "./linkage/text-words.ts"
export { linkAtRandom, linkByHistory, linkToMostFrequent } from "./linkage/undo-swaps.ts"
export { type UnitIntervals, unitIntervals } from "./linkage/unit-intervals.ts"
export { countNgrams, type NgramRows, type Ngrams } from "./ngrams.ts"
export { drawDiscreteLaplace } from "./noise/draw-discrete-laplace.ts"
export { laplaceProbability, laplaceUpperTail, laplaceVariance } from "./noise/laplace-distribution.ts"
export { createLaplaceSampler, type LaplaceSampler } from "./noise/laplace-sampler.ts"
export { createLaplaceTail, type LaplaceTail } from "./noise/laplace-tail.ts"
export { approximate, laplaceScale, type Rational, rationalOf } from "./noise/rational.ts"
export { orderByNumbers } from "./order-by-numbers.ts"
export { runParallel, serveShards, streamParallel } from "./parallel.ts"
export type { UnitVectors } from "./prefix-index.ts"
export type { Pseudonyms } from "./pseudonyms.ts"
export { cryptoRandom, type RandomSource, type SeededStream, seededRandom, seededStream, shuffle } from "./random.ts"
export { rankByClicks, rankWithFeedback } from "./retrieval/click-feedback.ts"
export { evaluateRanking, type RankingMeasure, rankingMeasures } from "./retrieval/evaluate-ranking.ts"
export { createWalker, type WalkOptions } from "./retrieval/random-walk.ts"
export { type Candidates, type Ranking, rankDocuments } from "./retrieval/rank-documents.ts"
export { expectedReciprocal, type TiedRank, tiedRank } from "./retrieval/tied-rank.ts"
export { qrelsLine, runLines } from "./retrieval/trec-format.ts"
export { buildWalkGraph, type OutEdges, type WalkGraph, type WeightedEdges } from "./retrieval/walk-graph.ts"
export { firstAtLeast, type SortedRange, searchSorted } from "./search-sorted.ts"
export { type CsrSets, countSetUsers } from "./set-users.ts"
export { bestMixture } from "./statistics/best-mixture.ts"
export { binomialTail } from "./statistics/binomial.ts"
export { chiSquareTail, chiSquareTest } from "./statistics/chi-square.ts"
export { clopperPearson, type IntervalOptions } from "./statistics/clopper-pearson.ts"
export { type ClusteredMean, clusteredMean } from "./statistics/clustered-mean.ts"
export { kolmogorovSmirnov } from "./statistics/kolmogorov-smirnov.ts"
export { newcombeInterval, type Share } from "./statistics/newcombe-interval.ts"
export {
  type Equivalence,
  type PairedT,
  pairedEquivalence,
  pairedTTest,
  type Sample,
} from "./statistics/paired-t-test.ts"
export { rankCorrelation } from "./statistics/rank-correlation.ts"
export { studentTail } from "./statistics/student.ts"
export { wilsonInterval } from "./statistics/wilson-interval.ts"
export { beginMark, endMark, indexTrigrams, type TrigramIndex, type WordRuns } from "./trigram-index.ts"
export { type TrigramModel, trainTrigrams } from "./trigram-model.ts"
export { buildUserMatrices, type UserMatrices, userDistance } from "./user-matrices.ts"
