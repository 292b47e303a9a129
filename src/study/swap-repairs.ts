import type { Figure, PointResult } from "./study.ts"
import { gather, panelFigure, type Row, tableFigureData } from "./swap-rows.ts"

const overK = { x: "k", series: "series", xLabel: "k", xScale: "log" as const, yScale: "root" as const }
const columns = ["series", "k", "value", "low", "high", "named"]

/** Where the paper's 1/k fails, what repairs it, and the price. */
export function repairFigures(results: readonly PointResult[]): Figure[] {
  return [heavyFigure(results), heavyTable(results), timesFigure(results), repeatsFigure(results), priceTable(results)]
}

/** 1/k as a curve beside the others. */
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
    caption:
      "Failure 1. A made-up topic: one user issues 30 % of 20,000 records, 2,000 others the rest. Share of records that the attacker gives back rightly who names the user shown most often. In paper mode it is that user's share, whatever k is; in strict mode nobody is in a cell more than once. The price is in the table of the CSV that follows.",
    rows: [...sortedBySeries(curves), ...boundRows(curves)],
    keep: columns,
    draw: { ...overK, y: "value", yLabel: "share of records" },
  })
}

function heavyTable(results: readonly PointResult[]): Figure {
  const made = gather(results, "heavyUser", [])
    .filter(({ attacker }) => attacker === "largest-share")
    .map(
      (row): Row => ({
        ...row,
        where: "made up",
        depth: "",
        userShare: 0.3,
        value: row.share ?? 0,
        bound: 1 / Number(row.k),
      }),
    )
  const found = gather(results, "heavy").map((row): Row => ({ ...row, where: "this log", bound: 1 / Number(row.k) }))
  return {
    id: "heavy-topics",
    title: "The most uneven topic: attacker 4 beside 1/k",
    caption:
      "In the topic (of at least 500 and 20 k records) in which one user's share of what came is largest: how often the attacker is right who names whoever was shown most, of the records for which he names somebody.",
    data: tableFigureData([...made, ...found], ["where", "mode", "k", "depth", "userShare", "named", "value", "low", "high", "bound", "released", "overBacklog"]), // biome-ignore format: columns
  }
}

/** Rows of one attacker in some variants, by what he named. */
function variantRows(results: readonly PointResult[], attacker: string, variants: readonly string[]): Row[] {
  const rows = gather(results, "variants", ["k"]).filter((row) => row.attacker === attacker)
  return variants.flatMap((variant) =>
    rows
      .filter((row) => row.variant === variant)
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
    title: "Times that betray who waited",
    caption:
      "Failure 2. How often the attacker is right who reads times and order, of the records for which he names somebody. Where a record shows its own time, who waited is known; where all of a cell show the time at which it closed, nothing is learnt.",
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
    caption:
      "Failure 3. How often the attacker is right who intersects the users around equal texts, of the records for which he names somebody (the CSV says of how many). Whoever repeats a query is in each of its cells; strict mode therefore releases a query of a user once.",
    rows: [...rows, ...boundRows(rows)],
    keep: columns,
    draw: { ...overK, y: "value", yLabel: "share of named records" },
  })
}

function priceTable(results: readonly PointResult[]): Figure {
  const rows = gather(results, "price", ["k", "depth"])
  return {
    id: "price",
    title: "The price",
    caption:
      "Shares of the records with a topic, by what became of them, and the mean delay of those that left: in records that came meanwhile, and in hours. Queries of k users: a text waits until k users have issued it (--min-query-users k).",
    data: tableFigureData(rows, ["k", "depth", "variant", "released", "waiting", "repeated", "overBacklog", "rareText", "delay", "hours"]), // biome-ignore format: columns
  }
}

const sortedBySeries = (rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) => String(a.series).localeCompare(String(b.series)) || Number(a.k) - Number(b.k))
