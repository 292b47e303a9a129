import { buildClickGraph } from "../../kernels/click-graph.ts"
import type { Clusters } from "../../kernels/cluster-sets.ts"
import type { UserGroups } from "../../kernels/group-users.ts"
import { withoutQueries } from "../../log/filter-log.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { fillCells } from "../../methods/groups/group-log.ts"
import { shareObjects } from "../../methods/groups/share-objects.ts"
import { type GroupCost, tallyMember, zeroCost } from "../../methods/groups/tally-cost.ts"
import type { ProbeSubject } from "../../probes/probe.ts"
import type { AuditFolder } from "../../release/read-audit.ts"

/** True if the groups of a release can be counted again, else the reason why not. */
export function knowsGroups({ release, audit }: ProbeSubject): true | string {
  if (groupsGuaranteeOf(release) === undefined) return "the release is not one of groups"
  if (audit === undefined) return "needs to know the groups (--audit DIR)"
  return audit.release === release.manifest.id ? true : "the audit belongs to another release"
}

/** These measures are specific to one method and apply its own rules again. */
const groupsGuaranteeOf = ({ manifest: { guarantee } }: ProbeSubject["release"]) =>
  guarantee.model === "groups" ? guarantee : undefined

/** Rebuilds the clusters and groups of the log from the audit. */
export async function recountGroups({ release, log: original, audit }: ProbeSubject) {
  const { parameters } = release.manifest
  const guarantee = groupsGuaranteeOf(release)
  if (guarantee === undefined || audit === undefined) throw new Error("applies() lets only groups through")
  const { log, clusters } = await readClusters(original, audit)
  const graph = buildClickGraph(log, { queries: log.queries.size, urls: log.urls.size })
  const { matrices, cells } = fillCells(
    log,
    { graph, clusters },
    {
      k: guarantee.k,
      minCluster: Number(parameters.minCluster),
      minQueryUsers: Number(parameters.minQueryUsers ?? guarantee.k),
      urls: String(parameters.urls),
    },
  )
  const groups = await readGroups(log, audit)
  const clicks = graph.clicks.reduce((sum, count) => sum + count, 0)
  /** Computes what each member must have received, and what that cost. */
  const tally = (): GroupCost => {
    const cost = zeroCost()
    const shares = Array.from(groups.centroids, (centroid) =>
      shareObjects(matrices, { centroid, mode: guarantee.mode, cells }),
    )
    groups.groupOf.forEach((group, user) => {
      if (group < 0) return
      tallyMember(matrices, { user, centroid: groups.centroids[group], counts: shares[group](user) }, cost)
    })
    return cost
  }
  return { groups, matrices, clicks, tally }
}

/** The clusters of the audit, and the log without the clicked queries that are in no cluster: those were scrubbed. */
async function readClusters(original: SearchLog, audit: AuditFolder): Promise<{ log: SearchLog; clusters: Clusters }> {
  const clusterOf = new Int32Array(original.queries.size).fill(-1)
  let count = 0
  for await (const [text, cluster] of audit.rows("clusters", ["query", "cluster"])) {
    const query = original.queries.find(text)
    if (query >= 0) clusterOf[query] = Number(cluster)
    count = Math.max(count, Number(cluster) + 1)
  }
  const leave = new Uint8Array(clusterOf.length)
  original.query.forEach((query, row) => {
    if (original.url[row] >= 0 && clusterOf[query] < 0) leave[query] = 1
  })
  return { log: withoutQueries(original, leave), clusters: { clusterOf, count } }
}

async function readGroups(log: SearchLog, audit: AuditFolder): Promise<UserGroups> {
  const groupOf = new Int32Array(log.users.size).fill(-1)
  const numbers = new Map<string, number>()
  const centroids: number[] = []
  for await (const [name, number, isCentroid] of audit.rows("groups", ["user", "group", "centroid"])) {
    const user = log.users.find(name)
    if (user < 0) continue
    const group = numbers.get(number) ?? centroids.push(user) - 1
    numbers.set(number, group)
    groupOf[user] = group
    if (isCentroid === "1") centroids[group] = user
  }
  return { groupOf, centroids: Int32Array.from(centroids) }
}
