import type { Score } from "../../release/probe.ts"
import type { SentenceRule } from "./say-scores.ts"
import { count, percent, plain } from "./words.ts"

const ofLog = ({ value, baseline = 0 }: Score) =>
  baseline === 0 ? "" : ` That is ${percent(value / baseline)} of what the log itself gives.`

/** What is left, and what was lost, by the name of the score. */
export const measureSentences: readonly SentenceRule[] = [
  {
    name: /events-(?:kept|shown)/,
    say: ({ value, n = 0 }) =>
      `${percent(value)} of the log's ${count(n)} searches are of a query that the release shows; ${percent(1 - value)} are lost.`,
  },
  {
    name: /queries-(?:kept|shown)/,
    say: ({ value, n = 0 }) =>
      `${percent(value)} of the log's ${count(n)} distinct queries are in the release; ${percent(1 - value)} are lost, most of them rare ones.`,
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
    say: ({ value }, [top]) =>
      `Of the log's ${top} most frequent queries, ${percent(value)} are the release's most frequent too.`,
  },
  {
    name: /top-urls@(\d+)/,
    say: ({ value }, [top]) =>
      `Of the log's ${top} most clicked urls, ${percent(value)} are the release's most clicked too.`,
  },
  {
    name: /suggestions/,
    say: (score) =>
      `Suggesting a user's next query from the release reaches a mean reciprocal rank of ${plain(score.value)}, from the log ${plain(score.baseline ?? 0)}.${ofLog(score)}`,
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
    name: /ncp/,
    say: ({ value }) => `${percent(value)} of what the words of all searches said is lost.`,
  },
  {
    name: /suppressed-(queries|urls)/,
    say: ({ value }, [part]) =>
      `${percent(value)} of the distinct ${part === "urls" ? "urls that were clicked" : "queries that led to a click"} are shown nowhere.`,
  },
]
