import type { Truth } from "./check-releases.ts"
import { numberOf } from "./numbered-searches.ts"
import type { SeenRelease } from "./read-topics.ts"

/**
 * Cuts the committed releases of each partition into cells. No two searches have the same text, so each cell is
 * exactly k + 1 releases in a row, of one category. Its k + 1 users are distinct, the users that it shows are the users
 * who searched, and none of them is shown with their own search. Returns the number of cells.
 */
export function checkCells(releases: readonly SeenRelease[], { userOf, findings, k }: Truth & { k: number }): number {
  const partitions = new Map<number, SeenRelease[]>()
  for (const release of releases) {
    const own = partitions.get(release.partition)
    if (own === undefined) partitions.set(release.partition, [release])
    else own.push(release)
  }
  let cells = 0
  for (const [partition, own] of partitions) {
    for (const [i, { seq }] of own.entries())
      if (seq !== i) findings.add("numbers of releases have a gap or go back", `partition ${partition}: ${seq} at ${i}`)
    for (let from = 0; from < own.length; from += k + 1) {
      cells++
      const why = faultOf(own.slice(from, from + k + 1), { userOf, k })
      if (why !== undefined) findings.add(why, `partition ${partition}, from release ${from}`)
    }
  }
  return cells
}

/** What is wrong with a cell; undefined if nothing is. */
function faultOf(cell: readonly SeenRelease[], { userOf, k }: Pick<Truth, "userOf"> & { k: number }) {
  const owners = cell.map(({ query }) => userOf.get(numberOf(query)))
  const shown = cell.map(({ user }) => user)
  if (cell.length !== k + 1) return "a cell has fewer than k + 1 releases"
  if (new Set(cell.map(({ category }) => category)).size !== 1) return "a cell has two categories"
  if (new Set(owners).size !== k + 1) return "a cell has fewer than k + 1 users"
  if ([...shown].sort().join() !== [...owners].sort().join()) return "a cell shows users who are not its own"
  if (shown.some((user, i) => user === owners[i])) return "to its own user: a search was released under its own user"
  return undefined
}
