import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { searchSorted } from "../../kernels/search-sorted.ts"
import { orderByKey } from "../../kernels/sort-segments.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { GroupedLog } from "./group-log.ts"
import { ObjectRows } from "./object-rows.ts"
import type { GroupMode } from "./options.ts"
import { publicTimes } from "./public-times.ts"
import { shareObjects } from "./share-objects.ts"
import { type GroupCost, tallyMember, zeroCost } from "./tally-cost.ts"

const hour = 3600

/** Query objects, as parallel lists: a query, its clicked url, and its time. */
interface Objects {
  queries: number[]
  urls: number[]
  times: number[]
  /** Lines of the log that the objects come from; 0 for an added object. */
  lines: number[]
}

/**
 * Gives every member of every group their query objects. A query is drawn uniformly from the shown queries of its cell
 * if the object is added, or if the object's own text is not shown. If a member has too many objects of their own, the
 * ones to leave out are chosen uniformly.
 *
 * In mode `identical`, all members get the same objects at the same public times. In other modes, a member's own object
 * keeps its own hour, and any other object gets a public time. There are no ranks, because only real objects could have
 * one.
 */
export async function composeMembers(
  log: SearchLog,
  grouped: GroupedLog,
  { mode, k }: { mode: GroupMode; k: number },
  context: RunContext,
): Promise<{ log: SearchLog; cost: GroupCost }> {
  const { matrices, groups, cells } = grouped
  const cost = zeroCost()
  const rows = new ObjectRows()
  const times = publicTimes(log, { k })
  const composer = createComposer(log, grouped, { context, cost, times, isPublic: mode === "identical" })
  const { users, starts } = listMembers(grouped)
  for (let group = 0; group < groups.centroids.length; group++) {
    if (group % 1024 === 0)
      await yieldAndReport(context, { stage: "composing", done: group, total: groups.centroids.length })
    const centroid = groups.centroids[group]
    const members = users.subarray(starts[group], starts[group + 1])
    const share = shareObjects(matrices, { centroid, mode, cells })
    const common = mode === "identical" ? composer.compose(centroid, { centroid, counts: share(centroid) }) : undefined
    for (const user of members) {
      const counts = share(user)
      const { queries, urls, times: shown, lines } = common ?? composer.compose(user, { centroid, counts })
      for (let i = 0; i < queries.length; i++)
        rows.push(user, { query: queries[i], url: urls[i], time: shown[i], line: lines[i] })
      tallyMember(matrices, { user, centroid, counts }, cost)
    }
  }
  return { log: rows.close(log), cost }
}

/** The users of each group g: users[starts[g], starts[g + 1]). */
function listMembers({ groups }: GroupedLog): { users: Uint32Array; starts: Uint32Array } {
  const { groupOf, centroids } = groups
  const groupOrNone = groupOf.map((group) => (group < 0 ? centroids.length : group))
  const starts = new Uint32Array(centroids.length + 1)
  for (const group of groupOf) if (group >= 0) starts[group + 1]++
  for (let group = 0; group < centroids.length; group++) starts[group + 1] += starts[group]
  return { users: orderByKey(groupOrNone, centroids.length + 1), starts }
}

function createComposer(
  log: SearchLog,
  { matrices, cells, cellOfRow, isShown }: GroupedLog,
  options: { context: RunContext; cost: GroupCost; times: Int32Array; isPublic: boolean },
) {
  const { cost, times, isPublic } = options
  const { random } = options.context
  const firstRow = new Uint32Array(log.users.size + 1)
  for (let row = 0; row < log.rows; row++) firstRow[log.user[row] + 1]++
  for (let user = 0; user < log.users.size; user++) firstRow[user + 1] += firstRow[user]
  const hourOf = (row: number) => Math.floor(log.time[row] / hour) * hour

  /** Draws a shown query of the cell uniformly. */
  const draw = (cell: number) => {
    const { poolStarts, pool } = cells
    return pool[poolStarts[cell] + random.below(poolStarts[cell + 1] - poolStarts[cell])]
  }

  /** The rows of a user in each cell of the centroid. */
  function rowsInCells(user: number, centroid: number): number[][] {
    const [from, to] = [matrices.offsets[centroid], matrices.offsets[centroid + 1]]
    const inCell: number[][] = Array.from({ length: to - from }, () => [])
    for (let row = firstRow[user]; row < firstRow[user + 1]; row++) {
      const at = searchSorted(matrices.cells, cellOfRow[row], { from, to })
      if (at >= 0) inCell[at - from].push(row)
    }
    return inCell
  }

  /** Adds an object of a cell: the user's own of this row as far as it can be shown, or a drawn one if row is -1. */
  function addObject(objects: Objects, cell: number, row: number): void {
    const isOwn = row >= 0
    const isKept = isOwn && isShown[log.query[row]] === 1
    if (isOwn && !isKept) cost.replaced++
    objects.queries.push(isKept ? log.query[row] : draw(cell))
    objects.urls.push(cells.url[cell])
    objects.lines.push(isOwn ? log.line[row] : 0)
    objects.times.push(isOwn && !isPublic ? hourOf(row) : times[random.below(times.length)])
  }

  return {
    /** Composes `counts[i]` objects for each cell of the centroid. Uses the user's own objects as far as they go. */
    compose(user: number, { centroid, counts }: { centroid: number; counts: Uint32Array }): Objects {
      const objects: Objects = { queries: [], urls: [], times: [], lines: [] }
      rowsInCells(user, centroid).forEach((rows, i) => {
        const cell = matrices.cells[matrices.offsets[centroid] + i]
        for (let n = 0; n < counts[i]; n++) {
          // One step of a shuffle: the own objects that are kept are drawn uniformly.
          const row = n < rows.length ? takeOne(rows, n, random.below(rows.length - n)) : -1
          addObject(objects, cell, row)
        }
      })
      return objects
    },
  }
}

/** Swaps the item `ahead` places after `place` with the item at `place`, and returns it. */
function takeOne(items: number[], place: number, ahead: number): number {
  const taken = items[place + ahead]
  items[place + ahead] = items[place]
  items[place] = taken
  return taken
}
