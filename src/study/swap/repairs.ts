import type { Figure, PointResult } from "../study.ts"
import { gather, panelFigure, type Row, tableFigureData } from "./rows.ts"

const overK = {
  x: "k",
  series: "series",
  theory: "1/k",
  hasIntervals: true,
  xLabel: "k",
  xScale: "log" as const,
  yScale: "root" as const,
}
const columns = ["series", "k", "value", "low", "high", "named"]
// biome-ignore format: columns
const heavyColumns = [
  "where", "k", "mode", "depth", "of one user", "named", "right", "low", "high", "1/k", "released",
]
// biome-ignore format: columns
const priceColumns = [
  "k", "depth", "variant", "released", "waiting", "repeated", "over backlog", "same text", "of few users", "delay",
  "hours",
]

/** Where the paper's 1/k fails, what repairs it, and what the repair costs. */
export function repairFigures(results: readonly PointResult[]): Figure[] {
  return [
    heavyFigure(results),
    heavyTable(results),
    timesFigure(results),
    repeatsFigure(results),
    datesFigure(results),
    comparisonFigure(results),
    wordsFigure(results),
    pairsFigure(results),
    priceTable(results),
  ]
}

/** 1/k as a curve next to the others. */
const boundRows = (rows: readonly Row[]): Row[] =>
  [...new Set(rows.map(({ k }) => Number(k)))].sort((a, b) => a - b).map((k) => ({ series: "1/k", k, value: 1 / k }))

function heavyFigure(results: readonly PointResult[]): Figure {
  const rows = gather(results, "heavyUser", []).filter(({ attacker }) => attacker === "largest-share")
  const curves = rows.flatMap(({ mode, k = 0, share = 0, low = 0, high = 0, named = 0 }): Row[] => [
    { series: `${mode} mode`, k, value: share, low, high, named },
  ])
  return panelFigure({
    id: "heavy-user",
    title: "A user who issues 30 % of a topic",
    caption: [
      "Failure 1. In paper mode the attacker finds this user's share of the records, whatever k is.",
      "In strict mode nobody is in a cell more than once, and most of what this user issued stays behind.",
      "The curves show the share of records that an attacker gives back correctly by naming the user shown most often.",
      "The topic is synthetic: one user issues 30 % of 20,000 records, and 2,000 others issue the rest.",
    ].join(" "),
    rows: [...sortedBySeries(curves), ...boundRows(curves)],
    keep: columns,
    draw: { ...overK, y: "value", yLabel: "share of records" },
  })
}

function heavyTable(results: readonly PointResult[]): Figure {
  const synthetic = gather(results, "heavyUser", [])
    .filter(({ attacker }) => attacker === "largest-share")
    .map(({ shareOfNamed = 0, lowOfNamed = 0, highOfNamed = 0, ...row }): Row => {
      return { ...row, where: "synthetic", userShare: 0.3, value: shareOfNamed, low: lowOfNamed, high: highOfNamed }
    })
  const found = gather(results, "heavy").map((row): Row => ({ ...row, where: "this log" }))
  const most = (row: Row) => Math.max(...found.filter(({ k }) => k === row.k).map(({ userShare }) => Number(userShare)))
  const rows = [...synthetic, ...found.filter((row) => row.userShare === most(row))]
    .sort((a, b) => String(a.where).localeCompare(String(b.where)) || Number(a.k) - Number(b.k))
    .map((row): Row => ({ ...row, "of one user": row.userShare ?? 0, right: row.value ?? 0, "1/k": 1 / Number(row.k) }))
  return {
    id: "heavy-topics",
    title: "The most uneven topics: attacker 4 against 1/k",
    caption: [
      "Attacker 4 names the user who was shown most.",
      "right: how often this is correct, of the records for which the attacker names somebody.",
      "The rows are the synthetic topic and, for each k, the topic of this log in which one user's share of what came",
      "is largest, at any depth. Topics with fewer than 500 or 20 × k records do not count.",
      "If several depths have the same share, each is listed.",
      "released: the share of the synthetic records that left.",
      "The others wait or are over the backlog, and most of them are the heavy user's.",
    ].join(" "),
    data: tableFigureData(rows, heavyColumns),
  }
}

/** Rows of one attacker for some variants, with shares of the records that the attacker named. */
function variantRows(results: readonly PointResult[], attacker: string, variants: readonly string[]): Row[] {
  const rows = gather(results, "variants", ["k"]).filter((row) => row.attacker === attacker)
  return variants.flatMap((variant) =>
    rows
      .filter((row) => row.variant === variant && Number(row.named) > 0)
      .map((row): Row => {
        const { k = 0, shareOfNamed = 0, lowOfNamed = 0, highOfNamed = 0, named = 0 } = row
        return { series: variant, k, value: shareOfNamed, low: lowOfNamed, high: highOfNamed, named }
      }),
  )
}

function timesFigure(results: readonly PointResult[]): Figure {
  const rows = variantRows(results, "times-and-order", ["paper", "strict, own times", "strict"])
  return panelFigure({
    id: "own-times",
    title: "Times that reveal who waited",
    caption: [
      "Failure 2. If a record shows its own time, an attacker knows who waited.",
      "If all records of a cell show the time at which the cell closed, the times reveal nothing.",
      "The curves show how often an attacker who reads times and order is right,",
      "of the records for which the attacker names somebody.",
    ].join(" "),
    rows: [...rows, ...boundRows(rows)],
    keep: columns,
    draw: { ...overK, y: "value", yLabel: "share of named records" },
  })
}

function repeatsFigure(results: readonly PointResult[]): Figure {
  const rows = variantRows(results, "intersection", ["paper", "strict, repeats kept", "strict"])
  return panelFigure({
    id: "repeats",
    title: "Queries that a user issues again",
    caption: [
      "Failure 3. A user who repeats a query is in every cell of this query.",
      "Strict mode therefore releases a query of a user once.",
      "The curves show how often an attacker who intersects the users around equal texts is right,",
      "of the records for which the attacker names somebody. The CSV has their number.",
    ].join(" "),
    rows: [...rows, ...boundRows(rows)],
    keep: columns,
    draw: { ...overK, y: "value", yLabel: "share of named records" },
  })
}

/** Rows of the attacker on a synthetic topic, with shares of the records that the attacker named. */
function topicRows(
  results: readonly PointResult[],
  { table, seriesOf }: { table: string; seriesOf: (row: Row) => string },
): Row[] {
  return gather(results, table, [])
    .filter((row) => Number(row.named) > 0)
    .map((row): Row => {
      const { k = 0, shareOfNamed = 0, lowOfNamed = 0, highOfNamed = 0, named = 0, records = 0 } = row
      return { series: seriesOf(row), k, value: shareOfNamed, low: lowOfNamed, high: highOfNamed, named, records }
    })
}

function datesFigure(results: readonly PointResult[]): Figure {
  const seriesOf = ({ backlog }: Row) => `backlog ${backlog}`
  const rows = topicRows(results, { table: "news", seriesOf })
  return panelFigure({
    id: "outdated-texts",
    title: "Texts that are out of date when they leave",
    caption: [
      "Failure 4. The attacker gives a text that leaves long after its day to a user",
      "who was there at every closing since.",
      "If few queries of a user may wait, the attacker names few records, and is right no more often than by chance.",
      "The curves show how often the attacker is right, of the records for which they name somebody.",
      "The CSV has the number of these records, and of those that left.",
      "The topic is synthetic news: half of 20,000 records have one of the 40 texts of their day.",
      "One user issues 30 % of all records, and 2,000 others issue the rest.",
    ].join(" "),
    rows: [...rows, ...boundRows(rows)],
    keep: [...columns, "records"],
    draw: { ...overK, y: "value", yLabel: "share of named records" },
  })
}

function comparisonFigure(results: readonly PointResult[]): Figure {
  const seriesOf = ({ texts }: Row) => `${texts} texts`
  const rows = topicRows(results, { table: "fewTexts", seriesOf })
  return panelFigure({
    id: "compared-cells",
    title: "Texts that leave with several cells",
    caption: [
      "Failure 5. The attacker compares the cells of each text: nobody issued a text in two of them.",
      "The curves show how often the attacker is right, of the records for which they name somebody.",
      "The CSV has the number of these records, and of those that left.",
      "The topics are synthetic: 300 users issue each of the texts once. The backlog is the method's default.",
    ].join(" "),
    rows: [...rows, ...boundRows(rows)],
    keep: [...columns, "records"],
    draw: { ...overK, y: "value", yLabel: "share of named records" },
  })
}

function wordsFigure(results: readonly PointResult[]): Figure {
  const rows = ["shared-words", "self-trained"].flatMap((attacker) =>
    variantRows(results, attacker, ["strict", "strict, as by default"]).map((row): Row => {
      return { ...row, series: `${attacker}, ${row.series}` }
    }),
  )
  return panelFigure({
    id: "shared-words",
    title: "Rare words that searches share",
    caption: [
      "Failure 6. Under names that last through the release, rare words link the searches of a person,",
      "because the person is a member of every cell that their searches leave with.",
      "No k and none of the other repairs helps. A name that lasts one cell does.",
      "The curves show how often the attackers who go by rare words are right, of the searches that they name.",
      "The CSV has their number.",
    ].join(" "),
    rows: [...rows, ...boundRows(rows)],
    keep: columns,
    draw: { ...overK, y: "value", yLabel: "share of named searches" },
  })
}

function pairsFigure(results: readonly PointResult[]): Figure {
  const rows = gather(results, "price", ["k"]).map(({ k = 0, variant = "", pairs = 0 }): Row => {
    return { series: variant, k, value: pairs }
  })
  return panelFigure({
    id: "original-pairs",
    title: "Pairs of user and query that survive",
    cites: "Pàmies-Estrems et al. 2020, §IV-C, which asks for none",
    caption: [
      "Share of released searches that are shown under a user who issued the same text, at any time in this log.",
      "“Distinct texts in a cell”: no two members of a cell wait with one text (--cell-texts distinct).",
    ].join(" "),
    rows: sortedBySeries(rows),
    keep: ["series", "k", "value"],
    draw: { x: "k", y: "value", series: "series", xLabel: "k", xScale: "log", yLabel: "share of searches" },
  })
}

function priceTable(results: readonly PointResult[]): Figure {
  const rows = gather(results, "price", ["k", "depth"]).map((row): Row => {
    return {
      ...row,
      "over backlog": row.overBacklog ?? 0,
      "same text": row.sameText ?? 0,
      "of few users": row.rareText ?? 0,
    }
  })
  return {
    id: "price",
    title: "The price of the repairs",
    caption: [
      "Shares of the records with a topic, by what became of them.",
      "delay and hours: how long a released record waited on average, in records that came meanwhile and in hours.",
      "“Queries of k users”: a text waits until k users have issued it (--min-query-users k).",
    ].join(" "),
    data: tableFigureData(rows, priceColumns),
  }
}

const sortedBySeries = (rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) => String(a.series).localeCompare(String(b.series)) || Number(a.k) - Number(b.k))
