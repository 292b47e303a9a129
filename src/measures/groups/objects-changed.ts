import { Type } from "#typebox"
import type { Probe } from "../../probes/probe.ts"
import { type Finding, labelAlone } from "../../probes/score.ts"
import { knowsGroups, recountGroups } from "./recount.ts"

const options = Type.Object({})

/**
 * The cost of making the members of groups alike, Hong et al. 2009, Fig. 1. Added: query objects (rows with a click)
 * that members received in a pair of cluster and url beyond their own. Suppressed: own query objects that they did not
 * keep there. `groups` is ⌊n / k⌋ for the n users in groups, unless some were left out.
 */
export const objectsChanged: Probe<typeof options> = {
  name: "objects-changed",
  summary: "query objects added and suppressed to make the users of groups alike, and the number of groups",
  options,
  label: labelAlone,
  applies: knowsGroups,
  async run(subject) {
    const { groups, clicks, tally } = await recountGroups(subject)
    const { added, kept } = tally()
    const users = groups.groupOf.filter((group) => group >= 0).length
    const suppressed = clicks - kept
    const score = (score: string, value: number, n: number): Finding => ({
      score,
      value,
      n,
      baseline: 0,
      better: "lower",
    })
    return [
      score("objects-added", added, clicks),
      score("objects-suppressed", suppressed, clicks),
      score("objects-added-per-user", users === 0 ? 0 : added / users, users),
      score("objects-suppressed-per-user", users === 0 ? 0 : suppressed / users, users),
      { score: "groups", value: groups.centroids.length, n: users, better: "higher" },
    ]
  },
}
