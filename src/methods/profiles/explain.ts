import type { RunContext } from "../../kernels/context.ts"
import { tableOf } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { type Change, countOf, type Explanation, inAnotherForm, notReleased, outcomeOf } from "../explanation.ts"
import { groupProfiles } from "./group-profiles.ts"
import { type LogProfiles, openLogProfiles } from "./log-profiles.ts"
import { type ProfilesOptions, settleGroups } from "./options.ts"
import { showGroup } from "./show-group.ts"

const never = "No text is released, only topics: a profile may show the topic that it counts for."
const onePrice = "All users share one profile, which says little about any of them."
const stepPrice = "Shares are given more finely."
const leastK = 2
/** How many smaller values of k are tried, one by one. */
const mostTries = 16

/**
 * The topic under which the searches for a query are shown. Groups are drawn at random. But fewer than twice
 * `groupSize` users form one group, which shows the same in every draw.
 */
export async function explainProfiles(
  log: SearchLog,
  query: number,
  given: ProfilesOptions,
  context: RunContext,
): Promise<Explanation> {
  const options = settleGroups(given)
  const { k, groupSize, depth } = options
  const found = await openLogProfiles(log, options, context)
  const { taxonomy, topicOf, cut, topics } = found
  const node = topicOf[query] < 0 ? 0 : cut[topicOf[query]]
  if (node === 0) return withoutTopic(topicOf[query] >= 0)
  const chain = chainAbove(taxonomy, node)
  const users = usersAt(found, chain)
  const able = withTopics(found)
  const most = users.at(-1) ?? 0
  const facts = { topic: taxonomy.path(topicOf[query]), k, groupSize, depth, "users with topics": able.length }
  const levels = tableOf(
    ["topic", "level", "users"],
    chain.map((topic, i) => [taxonomy.path(topic), taxonomy.depth[topic], users[i]]),
  )
  const described = { facts, tables: { Levels: levels } }
  const reasons = [never, `Its topic is ${taxonomy.path(topicOf[query])}, shown at level ${depth} at the deepest.`]
  const together = joinAll(found, { chain, most, able }, options)
  if (able.length < groupSize || most < k) {
    const why =
      able.length < groupSize
        ? `${countOf(able.length, "user")} have topics, and a group needs ${groupSize}: there is no profile.`
        : `At no level did k = ${k} users search for it: no profile can show it.`
    return {
      ...notReleased,
      reasons: [...reasons, why, "Every draw gives the same answer."],
      changes: together,
      ...described,
    }
  }
  const shownBy = (members: readonly number[]) => shownTopic(found, { members, chain }, options)
  if (able.length < 2 * groupSize) {
    const shown = shownBy(able)
    const one = [
      `There are ${able.length} users with topics, and a group needs ${groupSize}:`,
      "there is one group, the same in every draw.",
    ].join(" ")
    if (shown < 0)
      return {
        ...notReleased,
        reasons: [...reasons, one, `At no level does it have ${k} users and a mean share of at least half a step.`],
        changes: together,
        ...described,
      }
    const raised = { k: most + 1, groupSize: Math.max(groupSize, most + 1) }
    const price = "Nothing: the promise becomes stronger, and profiles show less."
    return {
      ...inAnotherForm,
      reasons: [...reasons, one, `It is shown as ${taxonomy.path(shown)} (level ${taxonomy.depth[shown]}).`],
      changes: [{ ...notReleased, options: raised, smallest: false, price }],
      ...described,
    }
  }
  const groups = await groupProfiles(topics, { taxonomy, groupSize, depth }, context)
  const issuers = new Set<number>()
  for (let row = 0; row < log.rows; row++) if (log.query[row] === query) issuers.add(log.user[row])
  const showing = groups.filter((members) => members.some((user) => issuers.has(user)) && shownBy(members) >= 0)
  return {
    ...outcomeOf(0, 1),
    reasons: [
      ...reasons,
      [
        "Groups are drawn at random.",
        `In one draw made for this answer, ${showing.length} of ${groups.length} profiles show it,`,
        "or a topic above it, for users who issued it.",
        "The chance is not computed.",
      ].join(" "),
    ],
    changes: together,
    ...described,
  }
}

function withoutTopic(isCut: boolean): Explanation {
  const why = isCut
    ? "Its topic counts for the top of the tree, which is never shown (--sensitive-categories)."
    : "No topic was found for it: it counts for no profile. Another --taxonomy or --classifier may know it."
  return { ...notReleased, reasons: [never, why], facts: {}, changes: [], tables: {} }
}

/** A topic and its ancestors, without the root. */
function chainAbove({ parent }: Taxonomy, node: number): number[] {
  const chain: number[] = []
  for (let at = node; at > 0; at = parent[at]) chain.push(at)
  return chain
}

/** By topic of a chain: how many users searched at or below it. */
function usersAt({ taxonomy, topics }: LogProfiles, chain: readonly number[]): number[] {
  const placeOf = new Map(chain.map((node, place) => [node, place]))
  const counts = chain.map(() => 0)
  for (let user = 0; user + 1 < topics.offsets.length; user++) {
    let lowest = chain.length
    for (let i = topics.offsets[user]; i < topics.offsets[user + 1]; i++) {
      let at = topics.nodes[i]
      while (at > 0 && !placeOf.has(at)) at = taxonomy.parent[at]
      lowest = Math.min(lowest, placeOf.get(at) ?? chain.length)
    }
    for (let place = lowest; place < chain.length; place++) counts[place]++
  }
  return counts
}

/** Users who are put into groups: those with a topic. */
function withTopics({ topics: { offsets } }: LogProfiles): number[] {
  return Array.from({ length: offsets.length - 1 }, (_, user) => user).filter(
    (user) => offsets[user + 1] > offsets[user],
  )
}

/** The lowest topic of a chain that the profile of these users shows, or -1. */
function shownTopic(
  { topics, taxonomy }: LogProfiles,
  { members, chain }: { members: readonly number[]; chain: readonly number[] },
  { k, step }: { k: number; step: number },
): number {
  const shown = new Set(showGroup(members, topics, { taxonomy, k, step }).map(({ node }) => node))
  return chain.find((node) => shown.has(node)) ?? -1
}

/** One group of all users: finds the largest k, up to the present one, at which it shows the topic or an ancestor. */
function joinAll(
  found: LogProfiles,
  { chain, most, able }: { chain: readonly number[]; most: number; able: readonly number[] },
  options: ProfilesOptions & { groupSize: number },
): Change[] {
  const top = Math.min(options.k, most)
  for (const step of new Set([options.step, 1])) {
    for (let k = top; k >= Math.max(leastK, top - mostTries + 1); k--) {
      const shown = shownTopic(found, { members: able, chain }, { k, step })
      if (shown < 0) continue
      const groupSize = Math.max(k, Math.floor(able.length / 2) + 1)
      const finer = step === options.step ? {} : { step }
      const as = `It is then shown as ${found.taxonomy.path(shown)} (level ${found.taxonomy.depth[shown]}). `
      const set = { ...(k === options.k ? {} : { k }), groupSize, ...finer }
      const isSame = groupSize === options.groupSize && Object.keys(set).length === 1
      if (isSame) return []
      const price = `${as}${onePrice}${step === options.step ? "" : ` ${stepPrice}`}`
      return [{ ...inAnotherForm, options: set, smallest: false, price }]
    }
  }
  return []
}
