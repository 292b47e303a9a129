import type { Inspection } from "../../log/inspect-log.ts"
import type { TableData } from "../study.ts"

/** Query lengths and n-grams of a log, laid out as Tables 1 and 2 of Carpineto & Romano 2015. */
export function textTables({ lengths, ngrams }: Inspection): Record<string, TableData> {
  return {
    lengths: {
      columns: ["words", "distinct queries", "share", "events", "share of events"],
      rows: lengths.map(({ words, orMore, queries, queryShare, events, eventShare }) => {
        return [`${words}${orMore ? "+" : ""}`, queries, queryShare, events, eventShare]
      }),
    },
    ngrams: {
      columns: ["n-grams", "users", "distinct", "occurrences"],
      rows: [
        ...ngrams.lengths.map(({ n, unique, total }) => [n, "any", unique, total]),
        ...ngrams.lengths.map(({ n, frequent }) => [
          n,
          `at least ${ngrams.leastUsers}`,
          frequent.unique,
          frequent.total,
        ]),
      ],
    },
  }
}
