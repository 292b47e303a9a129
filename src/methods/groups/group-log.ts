import { buildClickGraph, type ClickGraph } from "../../kernels/click-graph.ts"
import { type Clusters, clusterSets } from "../../kernels/cluster-sets.ts"
import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { countDistinctUsers } from "../../kernels/distinct-users.ts"
import { groupUsers, type UserGroups } from "../../kernels/group-users.ts"
import { type RandomSource, shuffle } from "../../kernels/random.ts"
import { buildUserMatrices, type UserMatrices } from "../../kernels/user-matrices.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { type Cells, cellsOfRows, numberCells } from "./number-cells.ts"
import type { GroupsOptions } from "./options.ts"

/** The query objects of a log, assigned to the cells of its clusters. */
export interface CellLog {
  /** By cluster: 1 if it is too small. */
  isDropped: Uint8Array
  /** By query: 1 if enough users issued it. */
  isShown: Uint8Array
  cells: Cells
  /** By row of the log: its cell, or -1. */
  cellOfRow: Int32Array
  matrices: UserMatrices
}

/** A log with its query clusters and its groups of users. */
export interface GroupedLog extends CellLog {
  clusters: Clusters
  groups: UserGroups
}

/** The options that `groupLog` uses: those of the method, and the url policy. */
type CellOptions = Omit<GroupsOptions, "delta" | "mode" | "maxDistance"> & { urls?: string }

/** Clusters queries and groups users. Hong et al. 2009, §2 and §3.1. */
export async function groupLog(
  log: SearchLog,
  options: CellOptions & { delta: number; maxDistance?: number },
  context: RunContext,
): Promise<GroupedLog> {
  const { k, delta, maxDistance = 1 } = options
  const graph = buildClickGraph(log, { queries: log.queries.size, urls: log.urls.size })
  const clusters = await clusterSets(graph, { delta, weight: clicksOf(graph) }, context)
  await yieldAndReport(context, { stage: "numbering cells", done: 0 })
  const inCells = fillCells(log, { graph, clusters }, options)
  await yieldAndReport(context, { stage: "numbering cells", done: 1, total: 1 })
  const orders = drawOrders(log, inCells.matrices, context.random)
  const groups = await groupUsers(inCells.matrices, { k, maxDistance, ...orders }, context)
  return { clusters, groups, ...inCells }
}

/** Determines which cells can be shown, and what each user has in them. */
export function fillCells(
  log: SearchLog,
  { graph, clusters }: { graph: ClickGraph; clusters: Clusters },
  options: CellOptions,
): CellLog {
  const { k, minCluster, minQueryUsers = k, urls } = options
  const isDropped = markSmall(clusters, minCluster)
  const users = countDistinctUsers(log.query, log.user, { size: log.queries.size })
  const isShown = Uint8Array.from(users, (count) => (count >= minQueryUsers ? 1 : 0))
  const clickers = countDistinctUsers(log.url, log.user, { size: log.urls.size })
  const leastClickers = urls === "keep" ? 0 : k
  const isUrlShown = Uint8Array.from(clickers, (count) => (count >= leastClickers ? 1 : 0))
  const cells = numberCells(graph, clusters, { isShown, isUrlShown, isDropped })
  const cellOfRow = cellsOfRows(log, graph, cells)
  const matrices = buildUserMatrices({ user: log.user, cell: cellOfRow }, { users: log.users.size, size: cells.size })
  return { isDropped, isShown, cells, cellOfRow, matrices }
}

/** The number of query objects of each query. */
export function clicksOf({ offsets, clicks }: ClickGraph): Uint32Array {
  const sums = new Uint32Array(offsets.length - 1)
  for (let query = 0; query < sums.length; query++) {
    for (let i = offsets[query]; i < offsets[query + 1]; i++) sums[query] += clicks[i]
  }
  return sums
}

function markSmall({ clusterOf, count }: Clusters, least: number): Uint8Array {
  const sizes = new Uint32Array(count)
  for (const cluster of clusterOf) if (cluster >= 0) sizes[cluster]++
  return Uint8Array.from(sizes, (size) => (size < least ? 1 : 0))
}

/**
 * The users with a click in two random orders. `order` decides who becomes a centroid; users with nothing that can be
 * shown come last. `ties` decides who comes first among users at equal distance.
 */
export function drawOrders(
  log: SearchLog,
  { totals }: UserMatrices,
  random: RandomSource,
): { order: Uint32Array; ties: Uint32Array } {
  const hasClick = new Uint8Array(totals.length)
  for (let row = 0; row < log.rows; row++) if (log.url[row] >= 0) hasClick[log.user[row]] = 1
  const ties = Uint32Array.from(hasClick.keys()).filter((user) => hasClick[user] === 1)
  const drawn = ties.slice()
  shuffle(ties, random)
  shuffle(drawn, random)
  const order = Uint32Array.from([
    ...drawn.filter((user) => totals[user] > 0),
    ...drawn.filter((user) => totals[user] === 0),
  ])
  return { order, ties }
}
