import { Type } from "#typebox"
import { buildClickGraph } from "../kernels/click-graph.ts"
import type { Clusters } from "../kernels/cluster-sets.ts"
import { withoutQueries } from "../log/filter-log.ts"
import type { SearchLog } from "../log/search-log.ts"
import { fillCells } from "../methods/groups/group-log.ts"
import { shareObjects } from "../methods/groups/share-objects.ts"
import { tallyMember, zeroCost } from "../methods/groups/tally-cost.ts"
import type { Probe, ProbeSubject, Score } from "../release/probe.ts"
import type { AuditFolder } from "../release/read-audit.ts"

const options = Type.Object({})

/**
 * What making the members of groups alike took, Hong et al. 2009, Fig. 1 and 2(a): query objects (rows with a click) that
 * members got in a pair of cluster and url beyond their own, and own ones that they did not keep there, and the groups.
 */
export const objectsChanged: Probe<typeof options> = {
  name: "objects-changed",
  summary: "query objects added and suppressed to make the users of groups alike, and the groups",
  options,
  applies: ({ release, audit }) => {
    if (release.manifest.guarantee.model !== "groups") return "the release is not one of groups"
    if (audit === undefined) return "needs to know the groups (--audit DIR)"
    return audit.release === release.manifest.id ? true : "the audit is that of another release"
  },
  async run(subject) {
    const { groups, clicks, users, added, kept } = await recount(subject)
    const suppressed = clicks - kept
    const score = (name: string, value: number, n: number): Score => ({ name, value, n, baseline: 0, better: "lower" })
    return [
      score("objects-added", added, clicks),
      score("objects-suppressed", suppressed, clicks),
      score("objects-added-per-user", users === 0 ? 0 : added / users, users),
      score("objects-suppressed-per-user", users === 0 ? 0 : suppressed / users, users),
      { name: "groups", value: groups, n: users, better: "higher" },
    ]
  },
}

/** The log in the clusters and groups of the audit, and what each member must have got. */
async function recount({ release, log: original, audit }: ProbeSubject) {
  const { guarantee, parameters } = release.manifest
  if (guarantee.model !== "groups" || audit === undefined) throw new Error("applies() lets only groups through")
  const { log, clusters } = await readClusters(original, audit)
  const graph = buildClickGraph(log, { queries: log.queries.size, urls: log.urls.size })
  const { matrices } = fillCells(
    log,
    { graph, clusters },
    {
      k: guarantee.k,
      minCluster: Number(parameters.minCluster),
      minQueryUsers: Number(parameters.minQueryUsers ?? guarantee.k),
      urls: String(parameters.urls),
    },
  )
  const cost = zeroCost()
  const groups = await readGroups(log, audit)
  for (const { centroid, members } of groups) {
    const share = shareObjects(matrices, centroid, guarantee.mode)
    for (const user of members) tallyMember(matrices, { user, centroid, counts: share(user) }, cost)
  }
  const clicks = graph.clicks.reduce((sum, count) => sum + count, 0)
  const users = groups.reduce((sum, { members }) => sum + members.length, 0)
  return { groups: groups.length, users, clicks, added: cost.added, kept: cost.kept }
}

/** The clusters of the audit, and the log without the queries with clicks that are in none: they were scrubbed. */
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

async function readGroups(log: SearchLog, audit: AuditFolder): Promise<{ centroid: number; members: number[] }[]> {
  const groups = new Map<string, { centroid: number; members: number[] }>()
  for await (const [name, number, isCentroid] of audit.rows("groups", ["user", "group", "centroid"])) {
    const user = log.users.find(name)
    const group = groups.get(number) ?? { centroid: user, members: [] }
    groups.set(number, group)
    if (user >= 0) group.members.push(user)
    if (isCentroid === "1") group.centroid = user
  }
  return [...groups.values()]
}
