import type { Inspection } from "#dist/log/inspect-log.js"

export interface Figure {
  kind: "share" | "count"
  value: number
}

const share = (value: number): Figure => ({ kind: "share", value })
const count = (value: number): Figure => ({ kind: "count", value })

/**
 * Published figures of AOL's log: Carpineto & Romano 2015, Tables 1 and 2 and §1 (one-user queries); rows, users and
 * clicks from the note that came with the log (Pass, Chowdhury & Torgeson 2006). A frequent n-gram has at least 65
 * users.
 */
export const published = {
  rows: count(36_389_567),
  users: count(657_426),
  events: count(28_898_361),
  "distinct queries": count(10_154_742),
  "rows with a click": share(0.5343),
  "queries of one user": share(0.9),
  "distinct queries, 1 word": share(0.2664),
  "distinct queries, 2 words": share(0.2022),
  "distinct queries, 3 words": share(0.2056),
  "distinct queries, 4 words": share(0.1456),
  "distinct queries, 5+ words": share(0.1799),
  "events, 1 word": share(0.4121),
  "events, 2 words": share(0.2453),
  "events, 3 words": share(0.1569),
  "events, 4 words": share(0.0888),
  "events, 5+ words": share(0.0966),
  "unigrams, unique": count(3_849_555),
  "unigrams, total": count(67_567_111),
  "bigrams, unique": count(7_409_939),
  "bigrams, total": count(38_668_750),
  "trigrams, unique": count(8_530_452),
  "trigrams, total": count(21_679_415),
  "frequent unigrams, unique": count(30_716),
  "frequent unigrams, total": count(49_346_473),
  "frequent bigrams, unique": count(24_298),
  "frequent bigrams, total": count(11_761_821),
  "frequent trigrams, unique": count(5089),
  "frequent trigrams, total": count(1_838_235),
} as const satisfies Record<string, Figure>

export type FigureName = keyof typeof published

export const figureNames = Object.keys(published).filter((name): name is FigureName => name in published)

/** The same figures for an inspected log; the share of clicks is left to the caller. */
export function countOf({ size, lengths, ngrams, exposure }: Inspection): Record<string, number> {
  const figures: Record<string, number> = {
    rows: size.rows,
    users: size.users,
    events: size.events,
    "distinct queries": size.queries,
    "queries of one user": exposure?.queries.find(({ fewerThan }) => fewerThan === 2)?.queryShare ?? Number.NaN,
  }
  for (const { words, orMore, queryShare, eventShare } of lengths) {
    const label = `${words}${orMore ? "+" : ""} word${words === 1 ? "" : "s"}`
    figures[`distinct queries, ${label}`] = queryShare
    figures[`events, ${label}`] = eventShare
  }
  ngrams.lengths.forEach(({ unique, total, frequent }, i) => {
    const label = ["unigrams", "bigrams", "trigrams"][i]
    figures[`${label}, unique`] = unique
    figures[`${label}, total`] = total
    figures[`frequent ${label}, unique`] = frequent.unique
    figures[`frequent ${label}, total`] = frequent.total
  })
  return figures
}
