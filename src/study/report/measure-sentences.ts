import type { Score } from "../../probes/probe.ts"
import type { SentenceRule } from "./say-scores.ts"
import { count, countOf, percent, plain, shareInWords } from "./words.ts"

/** Beside the log: a share of it, or, where the interval holds both, that no difference is shown. */
function ofLog({ value, interval, baseline = 0 }: Score): string {
  if (interval !== undefined && interval[0] <= baseline && baseline <= interval[1])
    return " No difference from the log is shown by that."
  return baseline === 0 ? "" : ` That is ${percent(value / baseline)} of what the log itself gives.`
}

const within = ({ interval }: Score) =>
  interval === undefined ? "" : ` (95\u00a0% interval ${plain(interval[0])} to ${plain(interval[1])})`

/** What is left, and what was lost, by the name of the score. */
export const measureSentences: readonly SentenceRule[] = [
  {
    name: /events-kept/,
    say: ({ value, n = 0 }) =>
      `Of the log's ${count(n)} searches the release shows ${percent(value)}, counted by the text of the query; ${percent(1 - value)} are lost.`,
  },
  {
    name: /events-traced/,
    say: ({ value }, _, scores) =>
      percent(value) === percent(scores.get("events-kept")?.value ?? value)
        ? undefined
        : `Counted for each person apart, as the audit tells, it is ${percent(value)}.`,
  },
  {
    name: /events-shown/,
    say: ({ value }) => `${percent(value)} of the log's searches are of a query that has a count.`,
  },
  {
    name: /queries-kept/,
    say: ({ value, n = 0 }) =>
      `${percent(value)} of the log's ${count(n)} distinct queries are in the release; ${percent(1 - value)} are lost.`,
  },
  {
    name: /clicks-shown/,
    say: ({ value, n = 0 }) =>
      `${percent(value)} of the log's ${count(n)} clicks are of a query and url that are shown.`,
  },
  {
    name: /count-error@50/,
    say: ({ value }) => `Half of the shown counts of queries are off by less than ${percent(value)} of the true count.`,
  },
  {
    name: /events-per-user@50/,
    say: ({ value }) =>
      value === 0
        ? "Half of the users keep none of their searches."
        : `Half of the users keep at least ${percent(value)} of their searches.`,
  },
  {
    name: /top-queries@(\d+)/,
    say: ({ value, n }, [top]) =>
      `Of the log's ${n ?? top} most frequent queries, ${percent(value)} are the release's most frequent too.`,
  },
  {
    name: /top-urls@(\d+)/,
    say: ({ value, n }, [top]) =>
      `Of the log's ${n ?? top} most clicked urls, ${percent(value)} are the release's most clicked too.`,
  },
  {
    name: /suggestions/,
    say: (score) =>
      score.n === 0
        ? "There was no pair of a query and the next one to ask suggestions for."
        : `Suggesting a user's next query from the release reaches a mean reciprocal rank of ${plain(score.value)}${within(score)}, from the log ${plain(score.baseline ?? 0)}.${ofLog(score)}`,
  },
  {
    name: /perplexity/,
    say: ({ value, baseline = 0 }) =>
      `A language model of the release hesitates between ${plain(value)} equally likely words for each word that other people search, one of the log between ${plain(baseline)}; fewer is better.`,
  },
  {
    name: /(walk|feedback)-ndcg_cut_10/,
    say: (score, [ranker]) =>
      `A search engine that learns from the release (${ranker === "walk" ? "random walk on clicks" : "clicks as feedback"}) orders results with nDCG@10 = ${plain(score.value)}, one that learns from the log with ${plain(score.baseline ?? 0)}.${ofLog(score)}`,
  },
  {
    name: /topic-distance/,
    say: ({ value }) =>
      `The topics of the release and of the log are ${value.toFixed(2)} steps of the tree of topics apart on average; 0 would be the same topics.`,
  },
  {
    name: /profile-distance/,
    say: ({ value }) =>
      `The topics that a person is shown with are ${value.toFixed(2)} steps of the tree of topics from the person's own on average.`,
  },
  {
    name: /profile-users/,
    say: (score) => `${countOf(score)} users of the log ${shareInWords(score)} are in a profile.`,
  },
  {
    name: /ncp/,
    say: ({ value }) => `${percent(value)} of what the words of all searches said is lost.`,
  },
  {
    name: /objects-added/,
    say: ({ value, n = 0 }, _, scores) =>
      `To make the users of groups alike, clicks were made up that a user did not make: ${count(value)}. Of ${count(n)} clicks that were made, ${count(scores.get("objects-suppressed")?.value ?? 0)} were taken away.`,
  },
  {
    name: /members-far/,
    say: ({ value, n = 0 }, _, scores) =>
      `Before anything was changed, ${percent(value)} of ${count(n)} members of groups had nothing in common with the user whose history they show; ${count(scores.get("groups-filled")?.value ?? 0)} of ${count(scores.get("groups-filled")?.n ?? 0)} groups have such members.`,
  },
  {
    name: /suppressed-(queries|urls)/,
    say: ({ value }, [part]) =>
      `${percent(value)} of the distinct ${part === "urls" ? "urls that were clicked" : "queries that led to a click"} are shown nowhere.`,
  },
]
