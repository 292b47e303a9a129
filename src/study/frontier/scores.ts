import type { Score, ScoreKey } from "../../probes/score.ts"

/** Attacks that are run on every point. */
export const attackNames = ["profile", "linkage", "membership", "secrets"] as const

/** The number of people to attack, under the option names of the attacks. */
export const attackValues = (targets: number) => ({ profileTargets: targets, members: Math.max(10, targets) })

/** A score that counts as risk, and what its attacker does, in words. */
export interface RiskScore extends ScoreKey {
  means: string
}

/**
 * The scores that count as risk; a point's risk is the worst of them. For rows: how often the attack finds the user who
 * issued a search, or the user behind a name. Tables name nobody. For tables: how much better than a guess an attacker
 * can tell whether a person is in the log.
 */
export const riskScores = {
  rows: [
    { probe: "profile", score: "record", means: "knows earlier searches, names the user who made a search" },
    { probe: "profile", score: "name", means: "knows earlier searches, finds the person behind a name" },
    {
      probe: "linkage",
      score: "linkage",
      at: { attacker: "shared-words", among: undefined },
      means: "names the member of a cell who shares rare words with it",
    },
    {
      probe: "linkage",
      score: "linkage",
      at: { attacker: "self-trained", among: undefined },
      means: "names a member of a cell by rare words, and learns from earlier guesses",
    },
    {
      probe: "linkage",
      score: "linkage",
      at: { attacker: "member-cells", among: undefined },
      means: "names the member whose other cells share most words with the search",
    },
    {
      probe: "linkage",
      score: "known-searches",
      at: { known: 2 },
      means: "knows two searches of a person, finds the person's name",
    },
  ],
  tables: [
    { probe: "membership", score: "informed", means: "knows all other rows, decides who is in the log" },
    {
      probe: "membership",
      score: "membership",
      means: "knows a person's searches, decides whether they are in the log",
    },
  ],
} satisfies Record<string, readonly RiskScore[]>

/** The values of `--use`. */
export const useNames = [
  "suggestions",
  "retrieval",
  "queries",
  "urls",
  "events",
  "distinct",
  "language",
  "topics",
] as const
/** What a release may be used for. */
export type UseName = (typeof useNames)[number]

interface Use extends ScoreKey {
  /** Title for axes and columns. */
  title: string
  better: Score["better"]
  /** What a good release keeps, in words. */
  keeps: string
}

/** The uses of a release, each with the score that measures how well the release serves it. */
export const uses: Record<UseName, Use> = {
  suggestions: {
    probe: "suggestions",
    score: "suggestions",
    title: "next query suggested (MRR)",
    better: "higher",
    keeps: "the suggestion of next queries",
  },
  retrieval: {
    probe: "retrieval",
    score: "ndcg",
    at: { ranker: "walk", cut: 10, statistic: undefined },
    title: "retrieval (nDCG@10)",
    better: "higher",
    keeps: "retrieval by clicks",
  },
  queries: {
    probe: "top-queries",
    score: "top-queries",
    title: "most frequent queries shared",
    better: "higher",
    keeps: "the most frequent queries",
  },
  urls: {
    probe: "top-urls",
    score: "top-urls",
    title: "most clicked urls shared",
    better: "higher",
    keeps: "the most clicked urls",
  },
  events: {
    probe: "events-kept",
    score: "events-kept",
    title: "searches kept",
    better: "higher",
    keeps: "searches",
  },
  distinct: {
    probe: "queries-kept",
    score: "queries-kept",
    title: "distinct queries kept",
    better: "higher",
    keeps: "distinct queries",
  },
  language: {
    probe: "perplexity",
    score: "perplexity",
    title: "perplexity of held-out queries",
    better: "lower",
    keeps: "the language of queries",
  },
  topics: {
    probe: "topic-distance",
    score: "topic-distance",
    title: "distance of topics (edges)",
    better: "lower",
    keeps: "the share of each topic",
  },
}
