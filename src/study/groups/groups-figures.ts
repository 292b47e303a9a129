import { studentInterval } from "../../kernels/statistics/student-interval.ts"
import { tableOf } from "../../kernels/table.ts"
import { findScore, isScore, type Score, type ScoreKey } from "../../probes/score.ts"
import { drawCurves } from "../figures/curves.ts"
import { nameParameter } from "../figures/parameter-names.ts"
import type { Figure, PointResult, StudySubject } from "../study.ts"

const paper = "Hong et al. 2009"

/** Curves over the number of users, k, δ and the largest distance, one for each mode and score. */
export function groupsFigures(results: readonly PointResult[]): Figure[] {
  const identical = results.filter(({ point }) => point.mode === "identical")
  const figures = [
    curves(results, {
      id: "changed",
      title: "Query objects added and suppressed, by number of users",
      cites: `${paper}, Fig. 1(a)`,
      caption: "Totals, with k = 10 and δ = 0.5. A query object is a row with a click.",
      part: "users",
      scores: scoresOf("objects-changed", { "objects-added": "added", "objects-suppressed": "suppressed" }),
      label: "query objects",
    }),
    ...(["users", "k", "delta", "maxDistance"] as const).map((part) =>
      curves(results, {
        id: `changed-per-user-by-${part === "maxDistance" ? "distance" : part}`,
        title: `Query objects added and suppressed for a user, by ${nameParameter("groups", part)}`,
        ...(part === "maxDistance" ? {} : { cites: `${paper}, Fig. 1(${{ users: "a", k: "b", delta: "c" }[part]})` }),
        caption: captions[part],
        part,
        scores: scoresOf("objects-changed", {
          "objects-added-per-user": "added",
          "objects-suppressed-per-user": "suppressed",
        }),
        label: "query objects per user",
      }),
    ),
    curves(identical, {
      id: "groups",
      title: "Groups of similar users and filled groups, by number of users",
      cites: `${paper}, Fig. 2(a)`,
      caption: [
        "Both modes have the same groups.",
        "Similar: all members share something with the centroid. Filled: some members share nothing with it.",
        "The paper has groups of fewer than k users in their place.",
      ].join(" "),
      part: "users",
      scores: scoresOf("member-distance", { "groups-similar": "similar", "groups-filled": "filled" }),
      label: "groups",
    }),
    ...(["users", "k", "delta", "maxDistance"] as const).map((part) =>
      curves(identical, {
        id: `distance-by-${part === "maxDistance" ? "distance" : part}`,
        title: `Distance of members from their centroid before the change, by ${nameParameter("groups", part)}`,
        caption: `Mean distance D, and the share of members at distance 1, in the original log. ${captions[part]}`,
        part,
        scores: scoresOf("member-distance", {
          "member-distance": "mean distance",
          "members-far": "share at distance 1",
        }),
        label: "distance, share",
        top: 1,
      }),
    ),
    curves(identical, {
      id: "grouped-users",
      title: "Users in a group, by the largest distance",
      caption: captions.maxDistance,
      part: "maxDistance",
      scores: scoresOf("objects-changed", { groups: "users in groups" }),
      pick: ({ n = 0 }) => n,
      label: "users",
    }),
    curves(results, {
      id: "suppressed-texts",
      title: "Distinct queries and urls that are suppressed, by number of users",
      cites: `${paper}, Fig. 2(b)`,
      caption:
        "Share of the distinct queries and urls of all query objects that are not in the release. k = 10, δ = 0.5.",
      part: "users",
      scores: scoresOf("unique-suppressed", { "suppressed-queries": "queries", "suppressed-urls": "urls" }),
      label: "share suppressed",
      top: 1,
    }),
    curves(results, {
      id: "top",
      title: "The 50 most frequent queries and urls, by number of users",
      cites: `${paper}, Fig. 2(c)`,
      caption: [
        "Share of the 50 most frequent of the query objects that are also among the 50 most frequent of the",
        "release.",
      ].join(" "),
      part: "users",
      scores: [
        { probe: "top-queries", score: "top-queries", at: { top: 50 }, curve: "queries" },
        { probe: "top-urls", score: "top-urls", at: { top: 50 }, curve: "urls" },
      ],
      label: "share of 50",
      top: 1,
    }),
    curves(results, {
      id: "top-order",
      title: "Order of the 50 most frequent queries and urls, by number of users",
      cites: `${paper}, §4.2`,
      caption: [
        "Spearman's rank correlation between frequencies in the query objects and in the release,",
        "over the 50 most frequent of the query objects.",
        "A correlation below 0 is drawn as 0.",
      ].join(" "),
      part: "users",
      scores: [
        { probe: "top-queries", score: "order", at: { top: 50 }, curve: "queries" },
        { probe: "top-urls", score: "order", at: { top: 50 }, curve: "urls" },
      ],
      label: "rank correlation",
      top: 1,
    }),
  ]
  return figures.filter(({ data }) => data.rows > 0)
}

const captions = {
  users: "Per user in a group. k = 10, δ = 0.5.",
  k: "On a sample of users, δ = 0.5.",
  delta: "On a sample of users, k = 10.",
  maxDistance: "On a sample of users, k = 10, δ = 0.5. Users without a group within the distance are left out.",
}

/** Scores of one probe, each with the name of its curve. */
const scoresOf = (probe: string, curves: Record<string, string>) =>
  Object.entries(curves).map(([score, curve]) => ({ probe, score, curve }))

interface CurveSet extends Omit<Figure, "data" | "plot"> {
  part: "users" | "k" | "delta" | "maxDistance"
  /** The scores and the names of their curves. */
  scores: readonly (ScoreKey & { curve: string })[]
  label: string
  /** The number that is drawn for a score (default: its value). */
  pick?: (score: Score) => number
  /** The upper end of the value axis (default: the largest value). */
  top?: number
}

/**
 * One row for each x value and curve: the mean over the runs and its 95 % interval. With a single run the interval is
 * the value itself.
 */
function curves(results: readonly PointResult[], set: CurveSet): Figure {
  const { part, scores, label, top, pick = ({ value }) => value, ...figure } = set
  const isOneMode = new Set(results.map(({ point }) => point.mode)).size === 1
  const drawn = results
    .filter(({ point }) => point.part === part)
    .flatMap(({ point, scores: found }) =>
      found.flatMap((score) => {
        const called = scores.find((key) => isScore(score, key))?.curve
        if (called === undefined) return []
        const x = part === "users" ? usersOf(found) : Number(point[part])
        return [{ x, curve: isOneMode ? called : `${point.mode}: ${called}`, value: pick(score) }]
      }),
    )
  const places = new Map<string, typeof drawn>()
  for (const one of drawn) places.set(`${one.x} ${one.curve}`, [...(places.get(`${one.x} ${one.curve}`) ?? []), one])
  const rows = [...places.values()]
    .flatMap((same) =>
      same.slice(0, 1).map(({ x, curve }) => {
        const { mean, interval = [mean, mean] } = studentInterval(same.map(({ value }) => value))
        return [x, curve, mean, ...interval, same.length]
      }),
    )
    .sort((a, b) => Number(a[0]) - Number(b[0]))
  const highest = Math.max(...rows.map((row) => Number(row[4])), 0)
  const x = nameParameter("groups", part)
  const height = top ?? (highest || 1)
  const columns = [x, "curve", "value", "low", "high", "runs"]
  const isEven = part === "delta" || part === "maxDistance"
  const clamped = rows.map((row) => row.map((cell, i) => (i < 2 ? cell : Math.min(height, Math.max(0, Number(cell))))))
  return {
    ...figure,
    data: tableOf(columns, rows),
    plot: (_, canvas) =>
      drawCurves(tableOf(columns, clamped), { x, series: "curve", label, top: height, isEven }, canvas),
  }
}

/** The number of users in groups. */
const usersOf = (scores: readonly Score[]) => findScore(scores, { probe: "objects-changed", score: "groups" })?.n ?? 0

/** The settings of the study. */
export function groupsNotes({ log }: StudySubject, results: readonly PointResult[]): string[] {
  const [first] = results
  const least = Number(first?.point.minQueryUsers ?? 1)
  const runs = Math.max(1, ...results.map(({ point }) => Number(point.run)))
  const sample = results.find(({ point }) => point.part === "k")?.point.users
  return [
    least === 1
      ? [
          "Every query text and url can be shown, as in the paper.",
          "These numbers are not those of a release with default settings. For those,",
          "give --min-query-users 10.",
        ].join(" ")
      : `Query texts of fewer than ${least} users, and urls of fewer than k, are not shown.`,
    ...(Number(sample) > log.users.size
      ? ["The curves over k and δ are over all users, because the log has fewer users than the sample."]
      : []),
    runs === 1
      ? "Each point was drawn once, so there are no intervals. --repeat 3 draws it three times."
      : [
          `Each point was drawn ${runs} times, with other users and other centroids. Intervals are at 95 %,`,
          "by Student's t over the runs.",
        ].join(" "),
    "Users are a random sample, the same for all curves of one run. Users without a click are left out.",
  ]
}
