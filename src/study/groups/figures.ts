import { tableOf } from "../../methods/table.ts"
import type { Score } from "../../release/probe.ts"
import { drawCurves } from "../figures/curves.ts"
import { nameParameter } from "../figures/parameter-names.ts"
import type { Figure, PointResult, StudySubject } from "../study.ts"

const paper = "Hong et al. 2009"

/** Curves over the users, over k and over δ, one for each mode and score. */
export function groupsFigures(results: readonly PointResult[]): Figure[] {
  const figures = [
    curves(results, {
      id: "changed",
      title: "Query objects added and suppressed, by users",
      cites: `${paper}, Fig. 1(a)`,
      caption: "In all, with k = 10 and δ = 0.5. A query object is a row with a click.",
      part: "users",
      scores: { "objects-added": "added", "objects-suppressed": "suppressed" },
      label: "query objects",
    }),
    ...(["users", "k", "delta"] as const).map((part) =>
      curves(results, {
        id: `changed-per-user-by-${part}`,
        title: `Query objects added and suppressed for a user, by ${nameParameter("groups", part)}`,
        cites: `${paper}, Fig. 1(${{ users: "a", k: "b", delta: "c" }[part]})`,
        caption: captions[part],
        part,
        scores: { "objects-added-per-user": "added", "objects-suppressed-per-user": "suppressed" },
        label: "query objects a user",
      }),
    ),
    curves(
      results.filter(({ point }) => point.mode === "identical"),
      {
        id: "groups",
        title: "Groups found, by users",
        cites: `${paper}, Fig. 2(a)`,
        caption:
          "Groups of at least k users; the modes share them. The paper also has groups of fewer than k: here there are none.",
        part: "users",
        scores: { groups: "groups" },
        label: "groups",
      },
    ),
    curves(results, {
      id: "suppressed-texts",
      title: "Distinct queries and urls that are gone, by users",
      cites: `${paper}, Fig. 2(b)`,
      caption:
        "Share of the distinct queries, and urls, of all query objects that are not in the release; k = 10, δ = 0.5.",
      part: "users",
      scores: { "suppressed-queries": "queries", "suppressed-urls": "urls" },
      label: "share suppressed",
      top: 1,
    }),
    curves(results, {
      id: "top",
      title: "The 50 most frequent queries and urls, by users",
      cites: `${paper}, Fig. 2(c)`,
      caption:
        "Share of the 50 most frequent among the query objects that are among the 50 most frequent of the release.",
      part: "users",
      scores: { "top-queries@50": "queries", "top-urls@50": "urls" },
      label: "share of 50",
      top: 1,
    }),
  ]
  return figures.filter(({ data }) => data.rows > 0)
}

const captions = {
  users: "The same for each user who is in a group; k = 10, δ = 0.5.",
  k: "On a sample of users, δ = 0.5.",
  delta: "On a sample of users, k = 10.",
}

interface CurveSet extends Omit<Figure, "data" | "plot"> {
  part: "users" | "k" | "delta"
  /** Names of scores, and how their curves are called. */
  scores: Record<string, string>
  label: string
  /** The upper end of the heights; without it, the largest value. */
  top?: number
}

function curves(results: readonly PointResult[], { part, scores, label, top, ...figure }: CurveSet): Figure {
  const rows = results
    .filter(({ point }) => point.part === part)
    .flatMap(({ point, scores: found }) => {
      const x = part === "users" ? usersOf(found) : Number(point[part])
      return found.flatMap(({ name, value }) => {
        const called = scores[name]
        if (called === undefined) return []
        return [[x, called === "groups" ? called : `${point.mode}: ${called}`, value, value, value]]
      })
    })
    .sort((a, b) => Number(a[0]) - Number(b[0]))
  const highest = Math.max(...rows.map(([, , value]) => Number(value)), 0)
  const options = {
    x: nameParameter("groups", part),
    series: "curve",
    label,
    top: top ?? (highest || 1),
    isEven: part === "delta",
  }
  return {
    ...figure,
    data: tableOf([nameParameter("groups", part), "curve", "value", "low", "high"], rows),
    plot: (data, library) => drawCurves(data, options, library),
  }
}

/** The users who are in groups. */
const usersOf = (scores: readonly Score[]) => scores.find(({ name }) => name === "groups")?.n ?? 0

/** What was set. */
export function groupsNotes({ log }: StudySubject, results: readonly PointResult[]): string[] {
  const [first] = results
  const least = Number(first?.point.minQueryUsers ?? 1)
  const sample = results.find(({ point }) => point.part === "k")?.point.users
  return [
    least === 1
      ? "Every query text and url can be shown, as in the paper: these numbers are not those of a release with its default settings. Give --min-query-users 10 for those."
      : `Query texts of fewer than ${least} users, and urls of fewer than k, are not shown.`,
    ...(Number(sample) > log.users.size
      ? ["The curves over k and δ are those of all users: the log has fewer than the sample."]
      : []),
    "Users are a random sample, the same for all curves; who has no click is left out.",
  ]
}
