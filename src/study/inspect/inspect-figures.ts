import type * as PlotLibrary from "@observablehq/plot"
import { tableOf } from "../../kernels/table.ts"
import type { Inspection } from "../../log/inspect-log.ts"
import { greys, palette } from "../figures/colours.ts"
import { type Figure, recordsOf } from "../study.ts"

const ngramNames = ["unigrams", "bigrams", "trigrams"]

/** The figures of an inspection: bars in the colours of the page, narrow enough for a phone. */
export function inspectFigures(inspection: Inspection): Figure[] {
  const { lengths, ngrams, exposure, identifiers } = inspection
  const parts = (rows: readonly { name: string; queryShare: number; eventShare: number }[]) =>
    rows.flatMap(({ name, queryShare, eventShare }): (string | number)[][] => [
      [name, "distinct queries", 100 * queryShare],
      [name, "events", 100 * eventShare],
    ])
  const figures: Figure[] = [
    shareFigure({
      id: "lengths",
      title: "Words in a query, in % of distinct queries and of events",
      cites: "Carpineto & Romano 2015, Table 1",
      caption: "An event is one search. A query that was issued again counts again.",
      rows: parts(
        lengths.map((part) => ({
          ...part,
          name: `${part.words}${part.orMore ? "+" : ""} ${part.words === 1 ? "word" : "words"}`,
        })),
      ),
    }),
    shareFigure({
      id: "ngrams",
      title: "Frequent n-grams, in % of unique n-grams and of their occurrences",
      cites: "Carpineto & Romano 2015, Table 2",
      caption: "How many of the n-grams are frequent, and their share of all occurrences.",
      rows: ngrams.lengths.flatMap(({ n, unique, total, frequent }): (string | number)[][] => {
        const name = ngramNames[n - 1] ?? `${n} words`
        return [
          [name, "unique", percentOf(frequent.unique, unique)],
          [name, "occurrences", percentOf(frequent.total, total)],
        ]
      }),
    }),
  ]
  if (exposure !== null) {
    figures.push(
      shareFigure({
        id: "exposure",
        title: "Queries of few users, in % of distinct queries and of events",
        caption: "Queries that fewer than 2, 5, 10 and 100 distinct users issued.",
        rows: parts(exposure.queries.map((part) => ({ ...part, name: `under ${part.fewerThan}` }))),
      }),
    )
  }
  return [...figures, identifiersFigure(identifiers)]
}

const percentOf = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole)

/** Colours of the first and second series, as in the key below the figure. */
const [first = "", , , , second = ""] = palette
const behind = { textAnchor: "start", dx: 4, fill: greys.ink } as const
const axis = { grid: true, labelArrow: "none", labelAnchor: "center" } as const
const compact = (value: number) => value.toLocaleString("en", { notation: "compact" })

const look = {
  width: 340,
  marginTop: 6,
  marginLeft: 78,
  marginBottom: 38,
}

function shareFigure({ rows, ...rest }: Omit<Figure, "data" | "plot"> & { rows: (string | number)[][] }): Figure {
  return {
    ...rest,
    data: tableOf(["group", "of", "share"], rows),
    plot: (data, { Plot }) => shareBars(recordsOf(data), Plot),
  }
}

/** Two bars per group, one above the other in the colours of the legend, each followed by its value. */
function shareBars(records: Record<string, string | number>[], Plot: typeof PlotLibrary): PlotLibrary.PlotOptions {
  const inOrder = (column: string) => [...new Set(records.map((record) => record[column]))]
  const value = ({ share }: { share: number }) => (share > 0 && share < 0.05 ? "<0.1" : share.toFixed(1))
  return {
    ...look,
    height: 44 + inOrder("group").length * 44,
    marginRight: 42,
    x: { domain: [0, 100], label: "%", ticks: 5, ...axis },
    y: { domain: inOrder("of"), axis: null, padding: 0.08 },
    fy: { domain: inOrder("group"), label: null, padding: 0.25 },
    color: { domain: inOrder("of"), range: [first, second] },
    marks: [
      Plot.axisFy({ anchor: "left", label: null }),
      Plot.barX(records, { x: "share", y: "of", fy: "group", fill: "of" }),
      Plot.text(records, { x: "share", y: "of", fy: "group", text: value, ...behind }),
      Plot.ruleX([0]),
    ],
  }
}

function identifiersFigure(identifiers: Inspection["identifiers"]): Figure {
  const kinds = identifiers.filter(({ kind }) => !kind.startsWith("any"))
  const most = Math.max(1, ...kinds.map(({ rows }) => rows))
  return {
    id: "identifiers",
    title: "Direct identifiers in queries, in rows",
    caption: "Found by rules: some are missed, and some are wrong. A query with several kinds counts for each.",
    data: tableOf(
      ["kind", "rows"],
      kinds.map(({ kind, rows }) => [kind, rows]),
    ),
    plot: (data, { Plot }) => ({
      ...look,
      height: 44 + kinds.length * 22,
      marginLeft: 88,
      marginRight: 62,
      x: { domain: [0, most], label: "rows", ticks: 4, tickFormat: compact, ...axis },
      y: { domain: kinds.map(({ kind }) => kind), label: null, tickSize: 0 },
      marks: [
        Plot.barX(recordsOf(data), { x: "rows", y: "kind", fill: first }),
        Plot.text(recordsOf(data), { x: "rows", y: "kind", text: ({ rows }) => rows.toLocaleString("en"), ...behind }),
        Plot.ruleX([0]),
      ],
    }),
  }
}
