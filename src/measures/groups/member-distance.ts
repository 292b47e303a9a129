import { Type } from "#typebox"
import { tableOf } from "../../kernels/table.ts"
import { likenessBins, likenessOf } from "../../methods/groups/likeness.ts"
import type { Probe } from "../../probes/probe.ts"
import { type Finding, labelAlone } from "../../probes/score.ts"
import { knowsGroups, recountGroups } from "./recount.ts"

const options = Type.Object({})

/**
 * How alike the members of groups were in the log, before anything was added or suppressed. It gives the mean distance
 * D (eq. 1 of Hong et al. 2009) from the centroid of their group and the share of members at distance 1. It also counts
 * the groups of truly similar users, and the groups filled with users who share nothing with the centroid (Fig. 2(a)).
 */
export const memberDistance: Probe<typeof options> = {
  name: "member-distance",
  summary: "distance of group members from their centroid before they were changed, and how many groups were filled",
  options,
  label: labelAlone,
  applies: knowsGroups,
  async run(subject) {
    const { groups, matrices } = await recountGroups(subject)
    const { members, distance, far, similar, filled, bins } = likenessOf(matrices, groups)
    if (groups.centroids.length === 0) return []
    const mean = (sum: number) => (members === 0 ? 0 : sum / members)
    const series = tableOf(
      ["distance", "members"],
      likenessBins.map((bin, i) => [bin, bins[i]]),
    )
    const score = (score: string, value: number, n: number): Finding => ({
      score,
      value,
      n,
      baseline: 0,
      better: "lower",
    })
    return [
      { ...score("member-distance", mean(distance), members), series },
      score("members-far", mean(far), members),
      { score: "groups-similar", value: similar, n: groups.centroids.length, better: "higher" },
      score("groups-filled", filled, groups.centroids.length),
    ]
  },
}
