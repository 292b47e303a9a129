import { markFront } from "../../../src/study/frontier/pareto-front.ts"
import recorded from "../recorded/frontier.json"

/** What a release may be used for: as the study names it, its title, and which direction is better. */
export const uses = {
  suggestions: { title: "next query suggested (MRR)", better: "higher", isShare: false },
  retrieval: { title: "retrieval (nDCG@10)", better: "higher", isShare: false },
  queries: { title: "most frequent queries shared", better: "higher", isShare: true },
  urls: { title: "most clicked urls shared", better: "higher", isShare: true },
  events: { title: "searches kept", better: "higher", isShare: true },
  distinct: { title: "distinct queries kept", better: "higher", isShare: true },
  language: { title: "perplexity of held-out queries", better: "lower", isShare: false },
  topics: { title: "distance of topics (edges)", better: "lower", isShare: false },
} as const

export type UseName = keyof typeof uses
export const useNames = [
  "suggestions",
  "retrieval",
  "queries",
  "urls",
  "events",
  "distinct",
  "language",
  "topics",
] as const

/** A release of the recorded study. */
export interface FrontierPoint {
  id: string
  method: string
  settings: string
  risk: { value: number; low: number; high: number }
  /** What the strongest attacker does, in words. */
  attacker: string
  uses: Partial<Record<UseName, number>>
  checks: string
}

/** The releases of the study, and the commands that made it. */
export const frontier: { commands: readonly string[]; points: readonly FrontierPoint[] } = {
  commands: recorded.commands,
  points: recorded.points.map(({ risk: [value = 0, low = 0, high = 0], ...point }) => ({
    ...point,
    id: `${point.method}, ${point.settings}`,
    risk: { value, low, high },
  })),
}

/** The one point that protects nobody. */
export const rawLog = "raw log"

/** The methods of the study in the order in which they occur, the raw log last. */
export const methods = [...new Set(frontier.points.map(({ method }) => method))].sort(
  (a, b) => Number(a === rawLog) - Number(b === rawLog) || (a < b ? -1 : 1),
)

/** A point that has a value for a use. */
export interface PlacedPoint {
  point: FrontierPoint
  value: number
  isOnFront: boolean
}

/** The points that have a value for this use, each marked if no other is better in both risk and use. */
export function placePoints(points: readonly FrontierPoint[], use: UseName): PlacedPoint[] {
  const sign = uses[use].better === "higher" ? 1 : -1
  const found = points.flatMap((point) => {
    const value = point.uses[use]
    return value === undefined ? [] : [{ point, value }]
  })
  const marks = markFront(found.map(({ point, value }) => ({ risk: point.risk.value, use: sign * value })))
  return found.map((one, i) => ({ ...one, isOnFront: marks[i] ?? false }))
}

/** True if the upper end of the point's risk is within the accepted one. */
export const isAccepted = ({ risk }: FrontierPoint, maxRisk: number) => risk.high <= maxRisk

/** `54.1 %` */
export const asPercent = (share: number) => `${(100 * share).toFixed(1)}\u00a0%`

/** A gain over a guess, as a share. */
export const sayGain = (gain: number) => (gain > 0 && gain < 0.001 ? "under 0.1\u00a0%" : asPercent(gain))

/** `54.1 %`, or `0.038` where the score is not a share. */
export function sayUse(use: UseName, value: number | undefined): string {
  if (value === undefined) return "not measured"
  if (uses[use].isShare) return asPercent(value)
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)))
}

/** The attacker behind the risk, as a sentence. */
export const sayAttacker = ({ attacker }: FrontierPoint) =>
  attacker === "" ? "No attack could be made." : `The attacker ${attacker.replace(/, (?!and )/, " and ")}.`

/** Columns of the table, by which it can be sorted. */
export const columns = {
  release: { title: "Release", of: ({ id }: FrontierPoint) => id },
  risk: { title: "Risk", of: ({ risk }: FrontierPoint) => risk.value },
  high: { title: "At most", of: ({ risk }: FrontierPoint) => risk.high },
  use: { title: "Usefulness", of: ({ uses: found }: FrontierPoint, use: UseName) => found[use] },
  kept: { title: "Searches kept", of: ({ uses: found }: FrontierPoint) => found.events },
} as const

export type ColumnName = keyof typeof columns

/** Points by a column. Those without a value are last, in both directions. */
export function sortPoints(
  points: readonly FrontierPoint[],
  { column, descending, use }: { column: ColumnName; descending: boolean; use: UseName },
): FrontierPoint[] {
  const sign = descending ? -1 : 1
  return points.toSorted((a, b) => {
    const [x, y] = [columns[column].of(a, use), columns[column].of(b, use)]
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined)
    return sign * (x < y ? -1 : x > y ? 1 : 0)
  })
}
