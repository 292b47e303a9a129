import { tableOf } from "../../kernels/table.ts"
import { betas } from "../../measures/f-beta.ts"
import { type CurveOptions, drawCurves } from "../figures/curves.ts"
import type { Figure, PointResult } from "../study.ts"
import { gather, paper, type Row } from "./gather.ts"
import { tableFigures } from "./table-figures.ts"

/** Every figure and table of the paper that the results have data for. */
export function affinityFigures(results: readonly PointResult[]): Figure[] {
  const figures = [
    ...releasedFigures(results),
    rulesFigure(results),
    stability(results),
    ...userFigures(results),
    ...judgedFigures(results),
    distortion(results),
    ...tableFigures(results),
  ]
  return figures.filter(({ data }) => data.rows > 0)
}

function releasedFigures(results: readonly PointResult[]): Figure[] {
  const kept = gather(results, "kept")
  const spread = (row: Row, sign: number) => Number(row.sampled) + sign * 2 * Number(row.deviation)
  return [
    curveFigure({
      id: "released-queries",
      title: "Distinct queries released, by k",
      cites: `${paper}, Fig. 5(a)`,
      caption: [
        "Lines: exact values over all queries of the log.",
        "Rings with bars: random samples, as the paper takes them. The ring is the mean over the samples,",
        "and the bar reaches twice the standard deviation to either side.",
        "AFF 1 is not EQ: under affinity, queries with the same concepts count as one.",
      ].join(" "),
      rows: kept.map((row) => ({
        ...pick(row, ["k", "method"]),
        value: row.queries ?? 0,
        sampled: row.sampled ?? 0,
        low: Math.max(0, spread(row, -1)),
        high: Math.min(1, spread(row, 1)),
      })),
      ring: "sampled",
      label: "share (by cube root)",
      isStretched: true,
    }),
    curveFigure({
      id: "released-events",
      title: "Events released, by k",
      caption: "Share of all searches whose query is released.",
      rows: kept.map((row) => ({ ...pick(row, ["k", "method"]), value: row.events ?? 0 })),
      label: "share (by cube root)",
      isStretched: true,
    }),
  ]
}

/** Compares the chosen rules with the other set of rules. */
function rulesFigure(results: readonly PointResult[]): Figure {
  const rows = [...gather(results, "kept"), ...gather(results, "otherKept")]
  return curveFigure({
    id: "rules",
    title: "Distinct queries released, by k, under the safe rules and the paper's",
    cites: `${paper}, Fig. 5(a)`,
    caption: [
      "The safe rules are the method's defaults.",
      "Under the paper's rules, one in ten thousand users is enough for a concept,",
      "and two users are enough for a word.",
      "No curve is below EQ.",
    ].join(" "),
    rows: rows.map(({ k = "", method = "", rules = "", queries = 0 }) => ({
      k,
      method: rules === "" ? method : `${method} ${rules}`,
      value: queries,
    })),
    label: "share (by cube root)",
    isStretched: true,
  })
}

function stability(results: readonly PointResult[]): Figure {
  const rows = gather(results, "stability")
  const spread = (row: Row, sign: number) => Number(row.mean) + sign * 2 * Number(row.deviation)
  return curveFigure({
    id: "sample-size",
    title: `How exact the estimate of a sample is, by its size, at k = ${rows[0]?.k ?? ""}`,
    cites: `${paper}, §4.1`,
    caption: [
      "Share of the distinct queries that is released, as random samples estimate it.",
      "The value is the mean over the samples.",
      "The bar reaches twice the standard deviation of one sample to either side.",
      "The paper takes 5,000 queries.",
    ].join(" "),
    rows: rows.map((row) => ({
      ...pick(row, ["size", "method"]),
      value: row.mean ?? 0,
      low: Math.max(0, spread(row, -1)),
      high: Math.min(1, spread(row, 1)),
      relative: Number(row.mean) === 0 ? "" : Number(row.deviation) / Number(row.mean),
    })),
    x: "size",
    label: "share (by cube root)",
    isStretched: true,
  })
}

function userFigures(results: readonly PointResult[]): Figure[] {
  const perUser = gather(results, "perUser")
  const users = gather(results, "users")
  const chosen = [...new Set(users.map(({ user }) => user))]
  return [
    ...(["queries", "events"] as const).map((part) =>
      curveFigure({
        id: `${part}-per-user`,
        title: part === "queries" ? "What users keep of their queries, by k" : "What users keep of their events, by k",
        caption: [
          `Share of a user's ${part === "queries" ? "distinct queries" : "events"} that is released.`,
          "The value is the median over all users, and the bars are quartiles.",
        ].join(" "),
        rows: perUser.map((row) => ({
          ...pick(row, ["k", "method"]),
          value: row[`${part}50`] ?? 0,
          low: row[`${part}25`] ?? 0,
          high: row[`${part}75`] ?? 0,
        })),
        label: `share of a user's ${part} (by cube root)`,
        isStretched: true,
      }),
    ),
    ...chosen.map((user) =>
      curveFigure({
        id: `user-${user}`,
        title: `What is released of chosen user ${user}, by k`,
        cites: `${paper}, Fig. 5(b)`,
        caption: [
          "Share of this user's distinct queries that is released.",
          "Users are numbered in the order in which they were named.",
        ].join(" "),
        rows: users
          .filter((row) => row.user === user)
          .map((row) => ({ ...pick(row, ["k", "method"]), value: row.share ?? 0 })),
        label: "share of the user's queries (by cube root)",
        isStretched: true,
      }),
    ),
  ]
}

function judgedFigures(results: readonly PointResult[]): Figure[] {
  const retrieval = gather(results, "retrieval")
  const sensitive = gather(results, "sensitive")
  const part = (kind: string, figure: Pick<Figure, "id" | "title" | "caption">) =>
    curveFigure({
      ...figure,
      rows: sensitive
        .filter((row) => row.kind === kind)
        .map((row) => ({ ...pick(row, ["k", "method", "low", "high", "n"]), value: row.share ?? 0 })),
    })
  return [
    ...betas.map((beta, i) =>
      curveFigure({
        id: `f-${String(beta).replace(".", "-")}`,
        title: `Releasing safe queries and withholding sensitive ones: F with β = ${beta}`,
        cites: `${paper}, Fig. 6(${"ab"[i] ?? ""})`,
        caption: [
          "F of precision and recall, where the safe queries among the judged ones are to be released.",
          "A curve ends where nothing judged is released.",
        ].join(" "),
        rows: retrieval.map((row) => ({
          ...pick(row, ["k", "method", "precision", "recall"]),
          value: row[`f@${beta}`] ?? 0,
        })),
        label: "F (by cube root)",
        isStretched: true,
      }),
    ),
    part("all", {
      id: "sensitive",
      title: "Sensitive queries released, by k",
      caption: "Share of the distinct sensitive queries that is released, with 95 % Wilson intervals.",
    }),
    part("common-words", {
      id: "sensitive-common-words",
      title: "Secrets made of common words that are released, by k",
      caption: "The same for planted secrets that are sentences of common words. No rare word gives them away.",
    }),
  ]
}

function distortion(results: readonly PointResult[]): Figure {
  return curveFigure({
    id: "ncp",
    title: "Loss of words: normalised certainty penalty, by k",
    cites: `${paper}, Fig. 7`,
    caption: [
      "0: every word is released as it is. 1: nothing is left.",
      "Computed over all words of all searches, not over a sample.",
    ].join(" "),
    rows: gather(results, "ncp").map((row) => ({ ...pick(row, ["k", "method"]), value: row.ncp ?? 0 })),
    label: "NCP (lower is better)",
  })
}

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? ""]))

/** A figure of curves over k, one for each method. Its table has the columns of `rows`. */
function curveFigure({
  rows,
  label = "share",
  ring,
  x = "k",
  isStretched = false,
  ...figure
}: Omit<Figure, "data" | "plot"> & { rows: Row[] } & Partial<CurveOptions>): Figure {
  const columns = Object.keys(rows[0] ?? {})
  const options: CurveOptions = {
    x,
    series: "method",
    label,
    isStretched,
    ...(ring === undefined ? {} : { ring }),
  }
  return {
    ...figure,
    data: tableOf(
      columns,
      rows.map((row) => columns.map((name) => row[name] ?? "")),
    ),
    plot: (data, canvas) => drawCurves(data, options, canvas),
  }
}
