import type { Table } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { GroupedLog } from "./group-log.ts"

/** Every user who is in a group: the user's id, the number of the group, and 1 if the user is its centroid. */
export function auditGroups(log: SearchLog, { groups }: Pick<GroupedLog, "groups">): Table {
  const { groupOf, centroids } = groups
  const listed = Uint32Array.from(groupOf.keys()).filter((user) => groupOf[user] >= 0)
  return {
    columns: ["user", "group", "centroid"],
    rows: listed.length,
    cell: (row, column) => {
      const user = listed[row]
      if (column === 0) return log.users.text(user)
      return column === 1 ? groupOf[user] : centroids[groupOf[user]] === user ? 1 : 0
    },
  }
}

/** Every query with a click, and the number of its cluster. Includes clusters that are too small. */
export function auditClusters(log: SearchLog, { clusters }: Pick<GroupedLog, "clusters">): Table {
  const { clusterOf } = clusters
  const listed = Uint32Array.from(clusterOf.keys()).filter((query) => clusterOf[query] >= 0)
  return {
    columns: ["query", "cluster"],
    rows: listed.length,
    cell: (row, column) => (column === 0 ? log.queries.text(listed[row]) : clusterOf[listed[row]]),
  }
}
