import { betas } from "../../measures/f-beta.ts"
import { tableOf } from "../../methods/table.ts"
import { type CurveOptions, drawCurves } from "../figures/curves.ts"
import type { Figure, Point, PointResult, StudySubject, TableData } from "../study.ts"

type Cell = string | number
type Row = Record<string, Cell>

const paper = "Carpineto & Romano 2015"

/** How a part is called in the figures. */
function methodOf({ part, theta }: Point): string {
  if (part === "equality") return "EQ"
  return part === "affinity" ? `AFF ${theta}` : "WNGEN"
}

/** The rows of one table of every part that has it, each with the name of its method. */
function gather(results: readonly PointResult[], name: string): Row[] {
  return results.flatMap(({ point, tables }) =>
    recordRows(tables?.[name]).map((row) => ({ method: methodOf(point), ...row })),
  )
}

function recordRows(table: TableData | undefined): Row[] {
  if (table === undefined) return []
  return table.rows.map((row) => Object.fromEntries(table.columns.map((column, i) => [column, row[i] ?? ""])))
}

/** Every figure and table of the paper for which there are numbers. */
export function affinityFigures(results: readonly PointResult[]): Figure[] {
  const figures = [
    ...releasedFigures(results),
    ...userFigures(results),
    ...judgedFigures(results),
    distortion(results),
    ...tables(results),
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
      caption:
        "Lines: every query of the log, exactly. Rings with bars: the mean of random samples, as the paper takes them, and twice its standard deviation over the samples on either side. AFF 1 is not EQ: queries of the same concepts are one under affinity, and those with a rare word are left out.",
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

function userFigures(results: readonly PointResult[]): Figure[] {
  const perUser = gather(results, "perUser")
  const users = gather(results, "users")
  const chosen = [...new Set(users.map(({ user }) => user))]
  return [
    ...(["queries", "events"] as const).map((part) =>
      curveFigure({
        id: `${part}-per-user`,
        title: part === "queries" ? "What a user keeps of his queries, by k" : "What a user keeps of his events, by k",
        caption: `Share of a user's ${part === "queries" ? "distinct queries" : "events"} that is released: the median over all users, with quartiles as bars.`,
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
        title: `Released of chosen user ${user}, by k`,
        cites: `${paper}, Fig. 5(b)`,
        caption: "Share of this user's distinct queries that is released. Users are numbered as they were named.",
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
        title: `Safe queries told from sensitive ones: F with β = ${beta}`,
        cites: `${paper}, Fig. 6(${"ab"[i] ?? ""})`,
        caption:
          "Precision and recall of releasing the safe queries among those that are judged. A curve ends where nothing judged is released.",
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
      title: "Secrets of common words released, by k",
      caption: "The same for planted secrets that are sentences of common words: no rare word gives them away.",
    }),
  ]
}

function distortion(results: readonly PointResult[]): Figure {
  return curveFigure({
    id: "ncp",
    title: "What is lost of the words: normalised certainty penalty, by k",
    cites: `${paper}, Fig. 7`,
    caption:
      "0: every word is released as it is; 1: nothing is left. Over all words of all searches, not over a sample.",
    rows: gather(results, "ncp").map((row) => ({ ...pick(row, ["k", "method"]), value: row.ncp ?? 0 })),
    label: "NCP (lower is better)",
  })
}

function tables(results: readonly PointResult[]): Figure[] {
  const of = (name: string) => results.find(({ tables: held }) => held?.[name] !== undefined)?.tables?.[name]
  const cost = gather(results, "cost").map(({ method, ...row }, i) => {
    return { part: results[i]?.point.part === "log" ? "Tables 1 and 2" : (method ?? ""), ...row }
  })
  return [
    plainTable({ id: "chosen", title: "Degrees of chosen queries", cites: `${paper}, Table 4 and §4.2`, caption: "The largest k for which each is released; 0: never, - : not in the log. First the list, then the users in the order they were named." }, chosenTable(results)),
    plainTable({ id: "lengths", title: "Words of a query", cites: `${paper}, Table 1`, caption: "Distinct queries and events by number of words." }, of("lengths")),
    plainTable({ id: "ngrams", title: "N-grams", cites: `${paper}, Table 2`, caption: "How many there are, with all users and with enough users to be concepts in the paper." }, of("ngrams")),
    plainTable({ id: "top", title: "Concepts of greatest weight", cites: `${paper}, Table 3`, caption: "Bigrams and trigrams by mutual information. Only those of enough users are shown by their text." }, of("top")),
    plainTable({ id: "cost", title: "Time and memory", caption: "Of each part, on this machine and beside whatever else it did. Memory is the peak of the whole run up to then; pairs are similar vectors." }, { columns: Object.keys(cost[0] ?? {}), rows: cost.map((row) => Object.values(row)) }),
  ] // biome-ignore format: a table
}

/** One row for each query, one column for each method, by rising degree as the paper orders them. */
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

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? ""]))

function plainTable(figure: Omit<Figure, "data" | "plot">, data: TableData | undefined): Figure {
  return { ...figure, data: tableOf(data?.columns ?? [], data?.rows ?? []) }
}

/** A figure of curves over k, one for each method; its table has the columns of its rows. */
function curveFigure({
  rows,
  label = "share",
  ring,
  isStretched = false,
  ...figure
}: Omit<Figure, "data" | "plot"> & { rows: Row[] } & Partial<CurveOptions>): Figure {
  const columns = Object.keys(rows[0] ?? {})
  const options: CurveOptions = {
    x: "k",
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
    plot: (data, library) => drawCurves(data, options, library),
  }
}

/** What was set, and what is missing. */
export function affinityNotes(subject: StudySubject, results: readonly PointResult[]): string[] {
  const [setting] = gather(results, "setting")
  const named = results.find(({ point }) => point.part === "equality")?.point.users
  const users: string[] = JSON.parse(String(named ?? "[]"))
  const unknown = users.filter((name) => subject.log.users.find(name) < 0).length
  return [
    ...(setting === undefined
      ? []
      : [
          `A concept has at least ${setting.minConceptUsers} users, for every k, and every word of a query with a concept at least ${setting.minTermUsers}. Names are not scrubbed here: degrees are those before.`,
        ]),
    ...(subject.labels === undefined && subject.truth === undefined
      ? [
          "Fig. 6 is left out: nothing is known about which queries are sensitive. Give --labels FILE, or --truth DIR for a made-up log.",
        ]
      : []),
    ...(users.length === 0 ? ["Fig. 5(b) is left out: no user was chosen. Give --users IDS."] : []),
    ...(subject.queries === undefined && users.length === 0
      ? ["Table 4 is left out: no query and no user was chosen. Give --queries FILE or --users IDS."]
      : []),
    ...(unknown > 0 ? [`Users named: ${users.length}, of whom the log does not know ${unknown}.`] : []),
  ]
}
