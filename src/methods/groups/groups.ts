import { countDistinctUsers } from "../../kernels/distinct-users.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { groupsGuarantee } from "../groups-guarantee.ts"
import type { Method } from "../method.ts"
import { auditClusters, auditGroups } from "./audit.ts"
import { composeMembers } from "./compose-members.ts"
import { explainGroups } from "./explain.ts"
import { type GroupedLog, groupLog } from "./group-log.ts"
import { type Likeness, likenessOf } from "./likeness.ts"
import { groupsColumns, groupsOptions } from "./options.ts"
import type { GroupCost } from "./tally-cost.ts"

/**
 * k^δ-anonymity, Hong et al. 2009. Users are put into groups of at least k. Query objects (a query with a clicked url)
 * are added and suppressed until the members of a group have the query cluster-url matrix of its centroid user. Rows
 * without a click are outside the model and are withheld.
 *
 * Guarantee: the unit is a user. Whatever a reader knows, each name has at least k - 1 others with the same query
 * texts, urls and times, each as often (`identical`); or with the same normalised matrix (`exact`); or with nearly the
 * same matrix, as near as the manifest states (`paper`, `totals`). Shown by construction, and by the verifier from the
 * release, the original and the audit.
 */
export const groups: Method<typeof groupsOptions> = {
  name: "groups",
  summary: "release users in groups of at least k that cannot be distinguished by searches or clicks (k^δ-anonymity)",
  options: groupsOptions,
  columns: groupsColumns,
  paper: { scrub: "none", mode: "paper", minQueryUsers: 1, users: "pseudonym", urls: "keep", time: "hour" },
  async run(log, options, context) {
    const { k, delta, mode, maxDistance } = options
    const grouped = await groupLog(log, options, context)
    const { log: composed, cost } = await composeMembers(log, grouped, { mode, k }, context)
    const { distance, change } = cost
    const likeness = likenessOf(grouped.matrices, grouped.groups)
    return {
      kind: "log",
      log: composed,
      // A url is shown if enough users of the log clicked it, however many names have it in the release.
      clickers: countDistinctUsers(log.url, log.user, { size: log.urls.size }),
      guarantee: groupsGuarantee({ k, delta, mode, maxDistance, distance, change, counted: log.unit }),
      withheld: { ...describeWithheld(log, grouped, cost), ...describeLikeness(likeness) },
      measured: { "mean distance of members from their centroid": meanDistance(likeness) },
      warnings: warnOf(likeness),
      audit: { groups: auditGroups(log, grouped), clusters: auditClusters(log, grouped) },
    }
  },
  explain: explainGroups,
}

const meanDistance = ({ members, distance }: Likeness) => (members === 0 ? 0 : distance / members)

const describeLikeness = ({ members, far, similar, filled }: Likeness): Record<string, number> => ({
  "members of groups with something to show, centroids aside": members,
  "members who share nothing with their centroid": far,
  "groups whose members all share something with the centroid": similar,
  "groups filled with users who share nothing with the centroid": filled,
})

function warnOf({ members, far }: Likeness): string[] {
  if (members === 0 || far / members < 0.5) return []
  const share = Math.round((100 * far) / members)
  return [
    [
      `${share} % of the members share no clicked url of a query cluster`,
      "with the user whose history they are given.",
      "--max-distance 0.9 leaves out users who are like nobody.",
    ].join(" "),
  ]
}

function describeWithheld(log: SearchLog, grouped: GroupedLog, cost: GroupCost): Record<string, number> {
  const { clusters, isDropped, cellOfRow, groups: found, matrices } = grouped
  const rows = { unclicked: 0, dropped: 0, unshown: 0, ungrouped: 0 }
  const [searchers, clickers] = [new Uint8Array(log.users.size), new Uint8Array(log.users.size)]
  for (let row = 0; row < log.rows; row++) {
    searchers[log.user[row]] = 1
    if (log.url[row] < 0) {
      rows.unclicked++
      continue
    }
    clickers[log.user[row]] = 1
    if (cellOfRow[row] < 0) rows[isDropped[clusters.clusterOf[log.query[row]]] === 1 ? "dropped" : "unshown"]++
    else if (found.groupOf[log.user[row]] < 0) rows.ungrouped++
  }
  const count = (marks: Uint8Array) => marks.reduce((sum, mark) => sum + mark, 0)
  return {
    "rows without a click": rows.unclicked,
    "rows of clusters that are too small": rows.dropped,
    "rows whose url has too few users, or that no query of enough users can stand for": rows.unshown,
    "rows of users who are in no group": rows.ungrouped,
    "rows left out to make users alike": cost.suppressed,
    "rows added to make users alike": cost.added,
    "rows shown under another query of their cluster": cost.replaced,
    "users without a click": count(searchers) - count(clickers),
    "users with a click who are in no group": clickers.reduce(
      (sum, mark, user) => sum + (found.groupOf[user] < 0 ? mark : 0),
      0,
    ),
    "users of groups with nothing to show": cost.emptyUsers,
    groups: found.centroids.length,
    "query clusters": clusters.count,
    "query objects that can be shown": matrices.totals.reduce((sum, total) => sum + total, 0),
  }
}
