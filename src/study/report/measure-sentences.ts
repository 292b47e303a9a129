import { count, plain } from "../../kernels/number-words.ts"
import { findScore, type Score } from "../../probes/score.ts"
import type { SentenceRule } from "./say-scores.ts"
import { countOf, percent, shareInWords } from "./words.ts"

/**
 * Comparison with the log: a share of its score. If the interval contains the log's score, it says that no difference
 * is shown.
 */
function ofLog({ value, interval, baseline = 0 }: Score): string {
  if (interval !== undefined && interval[0] <= baseline && baseline <= interval[1])
    return " No difference from the log is shown by that."
  return baseline === 0 ? "" : ` That is ${percent(value / baseline)} of what the log itself gives.`
}

const within = ({ interval }: Score) =>
  interval === undefined ? "" : ` (95\u00a0% interval ${plain(interval[0])} to ${plain(interval[1])})`

/** Sentences about what is left and what was lost. */
export const measureSentences: readonly SentenceRule[] = [
  {
    probe: "events-kept",
    score: "events-kept",
    say: ({ value, n = 0 }) =>
      `Of the log's ${count(n)} searches the release shows ${percent(value)}, counted by the text of the query; ${percent(1 - value)} are lost.`,
  },
  {
    probe: "events-kept",
    score: "events-traced",
    say: ({ value }, scores) =>
      percent(value) === percent(findScore(scores, { probe: "events-kept", score: "events-kept" })?.value ?? value)
        ? undefined
        : `Counted for each person apart, as the audit tells, it is ${percent(value)}.`,
  },
  {
    probe: "shown-counts",
    score: "events-shown",
    say: ({ value }) => `${percent(value)} of the log's searches are of a query that has a count.`,
  },
  {
    probe: "queries-kept",
    score: "queries-kept",
    say: ({ value, n = 0 }) =>
      `${percent(value)} of the log's ${count(n)} distinct queries are in the release; ${percent(1 - value)} are lost.`,
  },
  {
    probe: "shown-counts",
    score: "clicks-shown",
    say: ({ value, n = 0 }) =>
      `${percent(value)} of the log's ${count(n)} clicks are of a query and url that are shown.`,
  },
  {
    probe: "shown-counts",
    score: "count-error",
    say: ({ value }) => `Half of the shown counts of queries are off by less than ${percent(value)} of the true count.`,
  },
  {
    probe: "kept-per-user",
    score: "events-per-user",
    at: { percent: 50 },
    say: ({ value }) =>
      value === 0
        ? "Half of the users keep none of their searches."
        : `Half of the users keep at least ${percent(value)} of their searches.`,
  },
  {
    probe: "top-queries",
    score: "top-queries",
    say: ({ value, n, at }) =>
      `Of the log's ${n ?? at?.top} most frequent queries, ${percent(value)} are the release's most frequent too.`,
  },
  {
    probe: "top-urls",
    score: "top-urls",
    say: ({ value, n, at }) =>
      `Of the log's ${n ?? at?.top} most clicked urls, ${percent(value)} are the release's most clicked too.`,
  },
  {
    probe: "suggestions",
    score: "suggestions",
    say: (score) =>
      score.n === 0
        ? "There was no pair of a query and the next one to ask suggestions for."
        : `Suggesting a user's next query from the release reaches a mean reciprocal rank of ${plain(score.value)}${within(score)}, from the log ${plain(score.baseline ?? 0)}.${ofLog(score)}`,
  },
  {
    probe: "perplexity",
    score: "perplexity",
    say: ({ value, baseline = 0 }) =>
      `A language model of the release hesitates between ${plain(value)} equally likely words for each word that other people search, one of the log between ${plain(baseline)}; fewer is better.`,
  },
  {
    probe: "retrieval",
    score: "ndcg",
    at: { cut: 10, statistic: undefined },
    say: (score) =>
      `A search engine that learns from the release (${score.at?.ranker === "walk" ? "random walk on clicks" : "clicks as feedback"}) orders results with nDCG@10 = ${plain(score.value)}, one that learns from the log with ${plain(score.baseline ?? 0)}.${ofLog(score)}`,
  },
  {
    probe: "topic-distance",
    score: "topic-distance",
    say: ({ value }) =>
      `The topics of the release and of the log are ${value.toFixed(2)} steps of the tree of topics apart on average; 0 would be the same topics.`,
  },
  {
    probe: "profile-distance",
    score: "profile-distance",
    at: { depth: undefined },
    say: ({ value }) =>
      `The topics that a person is shown with are ${value.toFixed(2)} steps of the tree of topics from the person's own on average.`,
  },
  {
    probe: "profile-distance",
    score: "profile-users",
    say: (score) => `${countOf(score)} users of the log ${shareInWords(score)} are in a profile.`,
  },
  {
    probe: "ncp",
    score: "ncp",
    say: ({ value }) => `${percent(value)} of what the words of all searches said is lost.`,
  },
  {
    probe: "objects-changed",
    score: "objects-added",
    say: ({ value, n = 0 }, scores) =>
      `To make the users of groups alike, clicks were made up that a user did not make: ${count(value)}. Of ${count(n)} clicks that were made, ${count(findScore(scores, { probe: "objects-changed", score: "objects-suppressed" })?.value ?? 0)} were taken away.`,
  },
  {
    probe: "member-distance",
    score: "members-far",
    say: ({ value, n = 0 }, scores) => {
      const filled = findScore(scores, { probe: "member-distance", score: "groups-filled" })
      return `Before anything was changed, ${percent(value)} of ${count(n)} members of groups had nothing in common with the user whose history they show; ${count(filled?.value ?? 0)} of ${count(filled?.n ?? 0)} groups have such members.`
    },
  },
  {
    probe: "unique-suppressed",
    score: "suppressed-queries",
    say: ({ value }) => `${percent(value)} of the distinct queries that led to a click are shown nowhere.`,
  },
  {
    probe: "unique-suppressed",
    score: "suppressed-urls",
    say: ({ value }) => `${percent(value)} of the distinct urls that were clicked are shown nowhere.`,
  },
]
