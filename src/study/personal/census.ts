import { queryClass, queryClassBounds } from "../../personal/query-classes.ts"
import type { TableData } from "../study.ts"
import type { Judged } from "./judged.ts"
import { type Person, situationsOf } from "./person.ts"
import { boundSources, type World } from "./world.ts"

/**
 * The bounds between the classes of queries, from k-means over the log and from the paper, with the share of each
 * class. §7.1.
 */
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

/**
 * The people of the study: how many there are, the size of their profiles, how many of their searches can be judged,
 * and by what.
 */
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
