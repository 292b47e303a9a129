import { tableOf } from "../../kernels/table.ts"
import { methods } from "../../methods/registry.ts"
import { findMethod } from "../../release/anonymize.ts"
import type { Figure, PointResult, StudySubject } from "../study.ts"
import { drawFrontier } from "./chart.ts"
import { type Comparable, compareRows, type FrontierRow, rawName, readFrontier } from "./rows.ts"
import { type UseName, useNames, uses } from "./scores.ts"

/** Risk against the chosen use, then against the other uses, then a table of every point. */
export function frontierFigures(results: readonly PointResult[], use: UseName): Figure[] {
  const rows = readFrontier(results)
  const charts = [use, ...useNames.filter((name) => name !== use)].flatMap((name) => {
    const compared = compareRows(rows, name)
    return compared.length === 0 ? [] : [chart(compared, name, { isSmall: name !== use })]
  })
  return [...charts, pointsFigure(rows, use), ...missingFigures(rows, use)]
}

const chartCaption = [
  "Each symbol is one release. Low and right is best.",
  "Up is risk: what the best attack gains over a guess. 0 is no better than a guess, 1 is always right.",
  "Right is usefulness.",
  "Point at a symbol, tap it, or go through the symbols with the Tab key,",
  "to see its method, settings, searches kept and worst attack.",
  "“+ 2” after a name: two more releases are on the same spot.",
  "A ring: no other release is at least as good in both and better in one. The dashed stair joins these releases.",
  "Thin bars are 95 % intervals. Points whose bars overlap may change places.",
  "Heights are by cube root, so that small risks differ visibly: half as high is an eighth of the risk.",
].join(" ")

const notDrawnCaption =
  "Not drawn does not mean safe: nobody could be attacked, or the usefulness could not be measured."

// biome-ignore format: columns
const chartColumns = [
  "method", "parameters", "use", "useLow", "useHigh", "original", "risk", "low", "high", "attack", "attacker", "kept",
  "front", "label", "short",
]

function chart(compared: readonly Comparable[], name: UseName, { isSmall }: { isSmall: boolean }): Figure {
  const { title, better } = uses[name]
  const options = { title, better, series: [...methods.map(({ name }) => name), rawName], raw: rawName, isSmall }
  return {
    id: name,
    title: isSmall ? `${title.charAt(0).toUpperCase()}${title.slice(1)}` : `Risk against usefulness: ${title}`,
    caption: isSmall ? "As above, against another use." : chartCaption,
    isSmall,
    data: tableOf(
      chartColumns,
      compared.map(({ row, risk, use, isOnFront }) => [
        row.series,
        row.parameters,
        use.value,
        use.low,
        use.high,
        use.original ?? "",
        risk.value,
        risk.low,
        risk.high,
        risk.attack,
        row.attacker,
        row.uses.events?.value ?? "",
        isOnFront ? "yes" : "",
        row.label,
        row.series === rawName ? rawName : shorten(row),
      ]),
    ),
    plot: (data, canvas) => drawFrontier(data, options, canvas),
  }
}

/** `affinity 10, 0.9` */
const shorten = ({ series, parameters }: FrontierRow) =>
  `${series} ${parameters
    .split(", ")
    .map((part) => part.split(" ").at(-1))
    .join(", ")}`

/** A table of all points that were computed: those of the front first, by falling use and rising risk. */
function pointsFigure(rows: readonly FrontierRow[], use: UseName): Figure {
  const front = new Set(compareRows(rows, use).flatMap(({ row, isOnFront }) => (isOnFront ? [row] : [])))
  const sign = uses[use].better === "higher" ? -1 : 1
  const worth = (row: FrontierRow) => sign * (row.uses[use]?.value ?? Number.POSITIVE_INFINITY * sign)
  const shown = rows
    .filter(({ refused }) => refused === undefined)
    .sort((a, b) => Number(front.has(b)) - Number(front.has(a)) || worth(a) - worth(b) || riskValue(a) - riskValue(b))
  const columns = [use, ...useNames.filter((name) => name !== use)]
  return {
    id: "points",
    title: "All releases",
    caption: [
      `Sorted by ${uses[use].title}. Releases of the front (●) come first.`,
      "Risk has the ends of its 95 % interval, and the attack that was worst.",
      "Checks are all that verify makes with the log and the audit, except randomness,",
      "which comes from a seed here.",
      "An empty cell: the attack or measure gave no result for this release. Its report says why.",
      `Uses: ${columns.map((name) => `${name}: ${uses[name].title}`).join("; ")}.`,
    ].join(" "),
    link: { column: "release", to: (row) => shown[row]?.report },
    data: tableOf(
      ["", "release", "risk", "low", "high", "attack", ...columns, "checks", "seconds"],
      shown.map((row) => [
        front.has(row) ? "●" : "",
        row.label,
        row.risk?.value ?? "",
        row.risk?.low ?? "",
        row.risk?.high ?? "",
        row.risk?.attack ?? "",
        ...columns.map((name) => row.uses[name]?.value ?? ""),
        row.failed.length === 0 ? row.state : `${row.state}: ${row.failed.join(", ")}`,
        Math.round(row.seconds * 10) / 10,
      ]),
    ),
  }
}

const riskValue = ({ risk }: FrontierRow) => risk?.value ?? Number.POSITIVE_INFINITY

/** Points that are missing from the main chart, and why. */
function missingFigures(rows: readonly FrontierRow[], use: UseName): Figure[] {
  const refused = rows.flatMap(({ label, refused: reason }) => (reason === undefined ? [] : [[label, reason]]))
  const unseen = rows.flatMap((row) => {
    if (row.refused !== undefined || (row.risk !== undefined && row.uses[use] !== undefined)) return []
    return [[row.label, whyMissing(row, use)]]
  })
  const figures: [string, string, string, string[][]][] = [
    ["refused", "Settings that a method refused", "No release was made of these.", refused],
    ["not-drawn", "Releases that are not in the main chart", notDrawnCaption, unseen],
  ]
  return figures.flatMap(([id, title, caption, list]) =>
    list.length === 0 ? [] : [{ id, title, caption, data: tableOf(["release", "why"], list) }],
  )
}

function whyMissing({ point, risk, skipped }: FrontierRow, use: UseName): string {
  if (risk !== undefined) return `${uses[use].title}: ${skipped.get(uses[use].probe) ?? "not measured"}`
  const attack = findMethod(String(point.method)).releases === "tables" ? "membership" : "profile"
  return `not attacked: ${skipped.get(attack) ?? "nobody to attack, or nobody to confuse them with"}`
}

export function frontierNotes({ truth }: StudySubject, results: readonly PointResult[]): string[] {
  const targets = Number(results[0]?.point.targets ?? 0)
  return [
    [
      "Every release was verified, attacked and measured in the same way.",
      `Attacks are on at most ${targets.toLocaleString("en")} people, drawn at random.`,
    ].join(" "),
    [
      "Risk is how much better than a guess the strongest attack is: (v − b)/(1 − b),",
      "if the attack is right with share v and a guess with share b.",
      "Tables of counts name nobody. Their risk is the advantage in deciding who is in the log.",
      "Risk is not a bound: an attacker who knows more, or attacks better, may gain more.",
    ].join(" "),
    [
      "The releases are drawn from a seed so that they can be repeated. They are not for publication.",
      "Make the one you choose with queryveil anonymize.",
    ].join(" "),
    [
      "δ means three things in three methods. δ (groups) is a distance between the clicks of two queries.",
      "δ (dp) is the chance that a bound fails. δ (personal) is a bound on a searcher's risk.",
    ].join(" "),
    ...(truth === undefined ? ["Planted secrets were not searched for, because --truth was not given."] : []),
  ]
}
