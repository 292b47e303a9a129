import { tableOf } from "../../kernels/table.ts"
import type { Figure, PointResult, TableData } from "../study.ts"
import { type Cell, gather, paper, type Row } from "./gather.ts"

/** The tables of the paper, and the numbers that it gives in its text. */
export function tableFigures(results: readonly PointResult[]): Figure[] {
  const of = (name: string) => results.find(({ tables: held }) => held?.[name] !== undefined)?.tables?.[name]
  const rowsOf = (name: string) => asTable(gather(results, name).map(({ rules: _, ...row }) => row))
  return [
    plainTable(
      {
        id: "chosen",
        title: "Degrees of chosen queries",
        cites: `${paper}, Table 4 and §4.2`,
        caption: [
          "The largest k for which each query is released. A dash: not in the log.",
          "First the listed queries, then those of the users, in the order in which users were named.",
        ].join(" "),
      },
      chosenTable(results),
    ),
    plainTable(
      {
        id: "matching",
        title: "Which k of affinity releases as many queries as equality",
        cites: `${paper}, §5`,
        caption: [
          "For each k of equality: the distinct queries that it releases,",
          "and the largest k at which affinity releases as many. 0: equality releases nothing.",
        ].join(" "),
      },
      matchingTable(results),
    ),
    plainTable(
      {
        id: "states",
        title: "Queries by state",
        cites: `${paper}, §3.2`,
        caption: [
          "Plain: the query has no concept.",
          "Excluded: it has a concept, and a word with too few users. Only its own users protect it.",
          "Expanded: all other queries.",
        ].join(" "),
      },
      of("states"),
    ),
    plainTable(
      {
        id: "subgraphs",
        title: "What Vmax costs",
        cites: `${paper}, §3.4 and 4.1`,
        caption: [
          "Subgraphs of at most Vmax vertices around random expanded queries.",
          "A vertex is a set of concepts, which several queries may share.",
          "vertices, queries: means over the subgraphs. closed: the share of subgraphs that are whole components.",
          "exact: the share of queries whose degree is found. error: how much is missing from the degree on average.",
          "gap: the most by which the released share is underestimated at any k.",
        ].join(" "),
      },
      rowsOf("subgraphs"),
    ),
    plainTable(
      {
        id: "lengths",
        title: "Words of a query",
        cites: `${paper}, Table 1`,
        caption: "Distinct queries and events by number of words.",
      },
      of("lengths"),
    ),
    plainTable(
      {
        id: "ngrams",
        title: "N-grams",
        cites: `${paper}, Table 2`,
        caption: "The number of n-grams: all, and those with enough users to be concepts in the paper.",
      },
      of("ngrams"),
    ),
    plainTable(
      {
        id: "top",
        title: "Concepts of greatest weight",
        cites: `${paper}, Table 3`,
        caption: "Bigrams and trigrams by mutual information. A text is shown only if it has enough users.",
      },
      of("top"),
    ),
    plainTable(
      {
        id: "level",
        title: "Searches by concept, at one level of WordNet",
        cites: `${paper}, Table 5`,
        caption: [
          "Each query is counted at its concept, or at the concept above it on the deepest level shown.",
          "Queries at entity have no noun, or mean entity itself. Words are matched as in the paper.",
        ].join(" "),
      },
      of("level"),
    ),
    plainTable(
      {
        id: "words",
        title: "Words that WordNet does not have",
        cites: `${paper}, §4.4`,
        caption: [
          "Words of all searches, repetitions included, and distinct queries without a noun.",
          "Any generalisation loses at least these.",
          "WNGEN skips function words, and WNGEN paper matches them.",
        ].join(" "),
      },
      rowsOf("words"),
    ),
    plainTable(
      {
        id: "user-concepts",
        title: "What chosen users' queries become",
        cites: `${paper}, §4.4`,
        caption:
          "The concept that replaces each query, by k. Users are numbered in the order in which they were named.",
      },
      rowsOf("userConcepts"),
    ),
    plainTable(
      {
        id: "cost",
        title: "Time and memory",
        caption: [
          "Of each part, on this machine, next to whatever else ran on it.",
          "Memory is the peak of the whole run until then. Pairs are pairs of similar vectors.",
        ].join(" "),
      },
      costTable(results),
    ),
  ]
}

function plainTable(figure: Omit<Figure, "data" | "plot">, data: TableData | undefined): Figure {
  return { ...figure, data: tableOf(data?.columns ?? [], data?.rows ?? []) }
}

function asTable(rows: readonly Row[]): TableData {
  const columns = Object.keys(rows[0] ?? {})
  return { columns, rows: rows.map((row) => columns.map((name) => row[name] ?? "")) }
}

function costTable(results: readonly PointResult[]): TableData {
  const rows = results.flatMap((result) =>
    gather([result], "cost").map(({ method = "", rules = "", ...row }): Row => {
      const part = result.point.part === "log" ? "Tables 1 and 2" : `${method} ${rules}`.trim()
      return { part, ...row }
    }),
  )
  return asTable(rows)
}

function matchingTable(results: readonly PointResult[]): TableData | undefined {
  const rows = gather(results, "matching")
  if (rows.length === 0) return undefined
  const methods = [...new Set(rows.map(({ method }) => String(method)))]
  const byK = new Map<Cell, Row>()
  for (const { k = 0, queries = 0, method = "", matching = 0 } of rows) {
    byK.set(k, { "k of EQ": k, queries, ...byK.get(k), [method]: matching })
  }
  const columns = ["k of EQ", "queries", ...methods]
  return { columns, rows: [...byK.values()].map((row) => columns.map((name) => row[name] ?? "")) }
}

/** One row for each query and one column for each method, in order of rising degree as in the paper. */
function chosenTable(results: readonly PointResult[]): TableData | undefined {
  const rows = gather(results, "chosen")
  if (rows.length === 0) return undefined
  const methods = [...new Set(rows.map(({ method }) => String(method)))]
  const byQuery = new Map<string, Row>()
  for (const { user = "", query = "", method = "", degree = 0 } of rows) {
    const key = JSON.stringify([user, query])
    byQuery.set(key, { user, query, ...byQuery.get(key), [method]: degree === -1 ? "-" : degree })
  }
  const lines = [...byQuery.values()].map((row) => [
    row.user ?? "",
    row.query ?? "",
    ...methods.map((name) => row[name] ?? ""),
  ])
  lines.sort((a, b) => Number(a[0]) - Number(b[0]) || orderOf(a[2]) - orderOf(b[2]))
  return { columns: ["user", "query", ...methods], rows: lines }
}

const orderOf = (degree: Cell | undefined) => (typeof degree === "number" ? degree : -1)
