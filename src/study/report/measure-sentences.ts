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
    return " That shows no difference from the log."
  return baseline === 0 ? "" : ` That is ${percent(value / baseline)} of what the log itself gives.`
}

const within = ({ interval }: Score) =>
  interval === undefined ? "" : ` (95\u00a0% interval ${plain(interval[0])} to ${plain(interval[1])})`

const rankersInWords: Readonly<Record<string, string>> = {
  walk: "random walk on clicks",
  feedback: "clicks as feedback, with a hint from the clicks that judge it",
  clicks: "most clicked first",
}

/** Sentences about what is left and what was lost. */
export const measureSentences: readonly SentenceRule[] = [
  {
    probe: "events-kept",
    score: "events-kept",
    say: ({ value, n = 0 }) =>
      [
        `The release shows ${percent(value)} of the log's ${count(n)} searches, counted by the text of the query;`,
        `${percent(1 - value)} are lost.`,
      ].join(" "),
  },
  {
    probe: "events-kept",
    score: "events-traced",
    say: ({ value }, scores) =>
      percent(value) === percent(findScore(scores, { probe: "events-kept", score: "events-kept" })?.value ?? value)
        ? undefined
        : `Counted person by person, with the audit, it is ${percent(value)}.`,
  },
  {
    probe: "shown-counts",
    score: "events-shown",
    say: ({ value }) => `${percent(value)} of the log's searches are for a query whose count is shown.`,
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
      `${percent(value)} of the log's ${count(n)} clicks are on a query and url that are shown.`,
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
    say: (score) => {
      if (score.n === 0) return "Suggestions could not be tried: no query is followed by another."
      const reached = `a mean reciprocal rank of ${plain(score.value)}${within(score)}`
      const inLog = `suggesting it from the log reaches ${plain(score.baseline ?? 0)}`
      return `Suggesting a user's next query from the release reaches ${reached}; ${inLog}.${ofLog(score)}`
    },
  },
  {
    probe: "perplexity",
    score: "perplexity",
    say: ({ value, baseline = 0 }) =>
      [
        `For each word that other people search, a language model of the release is as unsure as between`,
        `${plain(value)} equally likely words, a model of the log as between ${plain(baseline)}. Fewer is better.`,
      ].join(" "),
  },
  {
    probe: "retrieval",
    score: "ndcg",
    at: { cut: 10, statistic: undefined },
    say: (score) => {
      const how = rankersInWords[score.at?.ranker ?? ""] ?? score.at?.ranker ?? "its clicks"
      const [fromRelease, fromLog] = [plain(score.value), plain(score.baseline ?? 0)]
      return [
        `A search engine that learns from the release (${how}) orders results with nDCG@10 = ${fromRelease},`,
        `one that learns from the log with ${fromLog}.${ofLog(score)}`,
      ].join(" ")
    },
  },
  {
    probe: "topic-distance",
    score: "topic-distance",
    say: ({ value }) =>
      [
        `The topics of the release are on average ${value.toFixed(2)} steps in the tree of topics`,
        "from those of the log; 0 would be the same topics.",
      ].join(" "),
  },
  {
    probe: "profile-distance",
    score: "profile-distance",
    at: { depth: undefined },
    say: ({ value }) =>
      [
        `The topics shown for a person are on average ${value.toFixed(2)} steps in the tree of topics`,
        "from the person's own.",
      ].join(" "),
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
    say: ({ value, n = 0 }, scores) => {
      const removed = findScore(scores, { probe: "objects-changed", score: "objects-suppressed" })?.value ?? 0
      return [
        `To make the users of a group alike, ${count(value)} clicks were added that the user did not make,`,
        `and ${count(removed)} of ${count(n)} real clicks were removed.`,
      ].join(" ")
    },
  },
  {
    probe: "member-distance",
    score: "members-far",
    say: ({ value, n = 0 }, scores) => {
      const filled = findScore(scores, { probe: "member-distance", score: "groups-filled" })
      const groups = `${count(filled?.value ?? 0)} of ${count(filled?.n ?? 0)} groups`
      return [
        `Before anything was changed, ${percent(value)} of ${count(n)} members of groups had nothing in common`,
        `with the user whose history they show. ${groups} have such members.`,
      ].join(" ")
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
