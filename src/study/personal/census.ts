import { queryClass, queryClassBounds } from "../../personal/query-classes.ts"
import type { TableData } from "../study.ts"
import type { Judged } from "./judged.ts"
import { type Person, situationsOf } from "./person.ts"
import { boundSources, type World } from "./world.ts"

/** The bounds between classes of queries by k-means over the log and as the paper has them, with the share of each class. §7.1. */
export function listClasses({ queries, logBounds }: World): TableData {
  const rows = boundSources.map((source) => {
    const bounds = source === "log" ? logBounds : queryClassBounds
    const share = (name: string) =>
      queries.filter(({ power }) => queryClass(power, bounds) === name).length / Math.max(1, queries.length)
    const shares = [share("distinct"), share("medium"), share("ambiguous")]
    return [source, bounds.medium, bounds.distinct, ...shares, queries.length]
  })
  return { columns: ["bounds", "medium from", "distinct from", "distinct", "medium", "ambiguous", "queries"], rows }
}

/** Who is looked at: how many people, how large their profiles are, and how many of their searches are judged by what. */
export function countPeople(people: readonly Person[], { by, searches }: Judged): TableData {
  const situations = situationsOf(people)
  const meanOf = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const row = [
    people.length,
    meanOf(people.map(({ profile }) => profile.size - 1)),
    situations.length,
    meanOf(situations.map(({ seed }) => seed.size)),
    searches.length,
    by,
  ]
  const columns = ["people", "topics of a profile", "searches", "topics of a seed", "searches judged", "judged by"]
  return { columns, rows: [row] }
}
