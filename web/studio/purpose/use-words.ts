import type { StudioState } from "../answers.ts"

export type Use = NonNullable<StudioState["purpose"]>["use"]

/** What a release can be for, as cards. */
export const useCards: readonly { use: Use; title: string; says: string; measured: string }[] = [
  {
    use: "suggestions",
    title: "Suggestions and next searches",
    says: "Suggest to people what they may search for next.",
    measured: "how often the next search is among the first suggestions",
  },
  {
    use: "retrieval",
    title: "Ranking by clicks",
    says: "Order results by what others clicked after the same query.",
    measured: "how well results are ordered",
  },
  {
    use: "urls",
    title: "Most clicked results",
    says: "See which pages people open most.",
    measured: "how many of the most clicked urls are the same",
  },
  {
    use: "queries",
    title: "Most frequent queries",
    says: "See what most people search for.",
    measured: "how many of the most frequent queries are the same",
  },
  {
    use: "language",
    title: "Language",
    says: "Train a model of how people word their queries, for example to correct spelling.",
    measured: "how well a model made from the release predicts other queries",
  },
  {
    use: "topics",
    title: "Topics",
    says: "See how much people search about health, travel, work and so on.",
    measured: "how far the shares of topics move",
  },
  {
    use: "events",
    title: "As many searches as possible",
    says: "Keep the volume, for uses that are not known yet.",
    measured: "the share of searches that are kept",
  },
  {
    use: "distinct",
    title: "As many different queries as possible",
    says: "Keep the variety, also of rare queries.",
    measured: "the share of different queries that are kept",
  },
]
