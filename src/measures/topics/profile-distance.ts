import { type Static, Type } from "#typebox"
import type { RunContext } from "../../kernels/context.ts"
import { clusteredMean } from "../../kernels/statistics/clustered-mean.ts"
import { treeDistance } from "../../kernels/tree-distance.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { traitsOf } from "../../methods/guarantee.ts"
import type { ProbeSubject, ReleaseProbe } from "../../probes/probe.ts"
import type { Finding, Scored } from "../../probes/score.ts"
import { followTrail, hasTrail } from "../../release/follow-trail.ts"
import { nameLifetimeOf } from "../../release/manifest.ts"
import type { Release, TablesRelease } from "../../release/read-release.ts"
import { meanProfile, readShownProfiles } from "../../release/shown-profiles.ts"
import { cutAt, type TopicCounts } from "../../taxonomy/topic-counts.ts"
import { foldOptions, hashText } from "../split-users.ts"
import { classifyLog, classifyShown, topicOptions } from "./classify-log.ts"

const options = Type.Object({
  ...topicOptions.properties,
  foldSeed: foldOptions.properties.foldSeed,
  profileUsers: Type.Integer({
    default: 2000,
    minimum: 1,
    maximum: 100_000_000,
    description: "compare the profiles of this many users",
  }),
})

/**
 * How far the topics under a user's name in the release are from the topics that the user searched for: the mean over
 * users of the earth mover's distance between the two, in edges of the tree. Only users with a row in the release
 * count.
 */
export const profileDistance: ReleaseProbe<typeof options> = {
  name: "profile-distance",
  looksAt: "any",
  looksAtProfiles: true,
  summary: "distance between a user's topics and their shown profile, in edges of the tree of topics",
  options,
  label: ({ score, at }) => (at === undefined ? score : `${score}@depth`),
  applies(subject) {
    const { release, audit } = subject
    if (release.kind === "tables") {
      if (traitsOf(release.manifest.guarantee).shows !== "profiles") return "the release has tables of counts, not rows"
      return isAudited(subject) || "needs to know which users share each profile (--audit DIR)"
    }
    const users = nameLifetimeOf(release.manifest)
    if (users === "keep") return true
    if (users !== "pseudonym")
      return `the release has ${users === "drop" ? "no names" : `a name per ${users}`}: it shows nobody's profile`
    if (audit === undefined) return "needs to know whose name each is (--audit DIR)"
    if (audit.release !== release.manifest.id) return "the audit belongs to another release"
    return hasTrail({ release, audit }) || "the audit does not say whose name each is (it has no trail)"
  },
  run(subject, values, context) {
    const { release } = subject
    return release.kind === "rows"
      ? distancesOfRows({ ...subject, release }, values, context)
      : distancesOfProfiles({ ...subject, release }, values, context)
  },
}

const isAudited = ({ release, audit }: ProbeSubject<Release>) => audit?.release === release.manifest.id

async function distancesOfRows(
  subject: ProbeSubject,
  values: Static<typeof options>,
  context: RunContext,
): Promise<Finding[]> {
  const { release, log } = subject
  const released = await release.log(context)
  const userOf = await readNames(subject, context)
  const classified = await classifyLog(log, values, context)
  const { taxonomy, topics } = classified
  const after = await classifyShown(release, { texts: released.queries, log, classified }, context)
  const nameOf = new Int32Array(log.users.size).fill(-1)
  userOf.forEach((user, name) => {
    if (user >= 0) nameOf[user] = name
  })
  const drawn = drawUsers(log, { nameOf, most: values.profileUsers, seed: values.foldSeed })
  if (drawn.length === 0) return [] // with no users there is no distance
  const [profiles, shown] = [profilesOf(log, topics), profilesOf(released, after)]
  const distance = treeDistance(taxonomy.parent)
  const distances = drawn.map((user) => distance(profiles(user), shown(nameOf[user])))
  return [scoreOf({ score: "profile-distance" }, distances, { clusters: drawn, baseline: 0 })]
}

/**
 * The same for tables of profiles: the distance between a user's own searches and the profile of the group that the
 * user is in. The baseline is the distance to the mean profile of all users, which is what one profile for everybody
 * would show. `@depth` is the distance with the user's topics truncated at the depth of the profiles.
 */
async function distancesOfProfiles(
  subject: ProbeSubject<TablesRelease>,
  values: Static<typeof options>,
  context: RunContext,
): Promise<Finding[]> {
  const { release, log, audit } = subject
  const { taxonomy, topics } = await classifyLog(log, values, context)
  const shown = await readShownProfiles(release, taxonomy, context)
  const profileOf: (TopicCounts | undefined)[] = Array.from({ length: log.users.size })
  const nameOf = new Int32Array(log.users.size).fill(-1)
  for await (const [user, profile] of audit?.rows("members", ["user", "profile"]) ?? []) {
    const found = log.users.find(user)
    if (found < 0 || !shown.has(profile)) continue
    profileOf[found] = shown.get(profile)
    nameOf[found] = found
  }
  const drawn = drawUsers(log, { nameOf, most: values.profileUsers, seed: values.foldSeed })
  if (drawn.length === 0) return []
  const own = profilesOf(log, topics)
  const distance = treeDistance(taxonomy.parent)
  const far = (a: TopicCounts, b: TopicCounts | undefined) => (b === undefined ? 0 : distance(a, b))
  const mean = meanProfile(drawn.map(own))
  const depth = Number(release.manifest.parameters.depth)
  const cut = (counts: TopicCounts) => cutAt(taxonomy, counts, depth)
  const whole = drawn.map((user) => far(own(user), profileOf[user]))
  const level = drawn.map((user) => far(cut(own(user)), profileOf[user]))
  const baselineOf = (to: (counts: TopicCounts) => TopicCounts) =>
    drawn.reduce((sum, user) => sum + distance(to(own(user)), to(mean)), 0) / drawn.length
  const searchers = new Set(log.user.filter((user) => user >= 0)).size
  const placed = profileOf.reduce((sum, profile) => sum + (profile === undefined ? 0 : 1), 0)
  return [
    scoreOf({ score: "profile-distance" }, whole, { clusters: drawn, baseline: baselineOf((counts) => counts) }),
    scoreOf({ score: "profile-distance", at: { depth } }, level, { clusters: drawn, baseline: baselineOf(cut) }),
    { score: "profile-users", value: placed / searchers, n: searchers, baseline: 1, better: "higher" },
  ]
}

function scoreOf(
  scored: Scored,
  distances: number[],
  { clusters, baseline }: { clusters: number[]; baseline: number },
): Finding {
  const { mean, interval } = clusteredMean(distances, { clusters })
  const found = { ...scored, value: mean, n: clusters.length, baseline, better: "lower" as const }
  return { ...found, ...(interval && { interval: [Math.max(0, interval[0]), interval[1]] }) }
}

/** For each name of the release, the user of the log it stands for; -1 for nobody. */
async function readNames(subject: ProbeSubject, context: RunContext): Promise<Int32Array> {
  const { release, log } = subject
  const released = await release.log(context)
  const { users } = released
  if (nameLifetimeOf(release.manifest) === "keep")
    return Int32Array.from({ length: users.size }, (_, name) => log.users.findBytes(users.bytes(name)))
  const { person } = await followTrail(subject, released)
  const userOf = new Int32Array(users.size).fill(-1)
  for (let row = 0; row < released.rows; row++) {
    if (person[row] >= 0) userOf[released.user[row]] = log.user[person[row]]
  }
  return userOf
}

/** Draws users who have a name in the release, at most this many, by a hash of their ids. */
function drawUsers(
  { users }: SearchLog,
  { nameOf, most, seed }: { nameOf: Int32Array; most: number; seed: number },
): number[] {
  const named = [...nameOf.keys()].filter((user) => nameOf[user] >= 0)
  if (named.length <= most) return named
  const keys = new Map(named.map((user) => [user, hashText(users.bytes(user), seed)]))
  return named.sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0)).slice(0, most)
}

/** The topics of a user's rows, which are adjacent. A row without a topic is at the root. */
function profilesOf(log: SearchLog, topicOf: Int32Array): (user: number) => TopicCounts {
  const starts = new Int32Array(log.users.size).fill(-1)
  for (let row = log.rows - 1; row >= 0; row--) if (log.user[row] >= 0) starts[log.user[row]] = row
  return (user) => {
    const counts = new Map<number, number>()
    for (let row = starts[user]; row >= 0 && log.user[row] === user; row++) {
      const topic = Math.max(0, topicOf[log.query[row]])
      counts.set(topic, (counts.get(topic) ?? 0) + 1)
    }
    return { nodes: [...counts.keys()], counts: [...counts.values()] }
  }
}
