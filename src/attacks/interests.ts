import { Type } from "#typebox"
import type { RunContext } from "../kernels/context.ts"
import { shuffle } from "../kernels/random.ts"
import { wilsonInterval } from "../kernels/statistics/wilson-interval.ts"
import { treeDistance } from "../kernels/tree-distance.ts"
import type { SearchLog } from "../log/search-log.ts"
import { traitsOf } from "../methods/guarantee.ts"
import type { TablesProbe } from "../probes/probe.ts"
import type { Finding } from "../probes/score.ts"
import { meanProfile, readShownProfiles, type ShownProfile } from "../release/shown-profiles.ts"
import { classifierOption, openClassifier } from "../taxonomy/classify/open-classifier.ts"
import { openTaxonomy, taxonomyOption } from "../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { cutAt, type TopicCounts } from "../taxonomy/topic-counts.ts"

const options = Type.Object({
  ...taxonomyOption.properties,
  ...classifierOption.properties,
  interestUsers: Type.Integer({
    default: 1000,
    minimum: 1,
    maximum: 1_000_000,
    description: "interests: guess the other searches of this many people",
  }),
})

/**
 * What profiles reveal about a person. The attacker knows the first half of a person's searches and takes the shown
 * profile with the nearest topics. For every topic in it that the known half lacks, they guess that the other half has
 * it. The score is the share of right guesses; its baseline is the same for as many guesses from the mean profile of
 * all. `own-profile` is how often the profile is the person's own.
 */
export const interests: TablesProbe<typeof options> = {
  name: "interests",
  looksAt: "tables",
  looksAtProfiles: true,
  summary: "an attacker knows half of a person's searches: what the nearest profile reveals of the other half",
  options,
  applies: ({ release }) => traitsOf(release.manifest.guarantee).shows === "profiles" || "the release has no profiles",
  async run({ release, log, audit }, values, context) {
    const taxonomy = await openTaxonomy(values.taxonomy, {}, context)
    const classifier = await openClassifier(values.classifier, { taxonomy }, context)
    const topics = await classifier.classify(log.queries, context)
    const shown = await readShownProfiles(release, taxonomy, context)
    if (shown.size === 0) return []
    const depth = Number(release.manifest.parameters.depth)
    const people = drawPeople(log, { topics, taxonomy, depth, most: values.interestUsers }, context)
    const profiles = [...shown]
    const usual = rankTopics(meanProfile(profiles.map(([, profile]) => profile)))
    const distance = treeDistance(taxonomy.parent)
    const guesses = { made: 0, right: 0, usual: 0 }
    const nearestOf = new Map<number, string>()
    for (const { user, known, other } of people) {
      const [name, nearest] = nearestTo(known, profiles, distance)
      nearestOf.set(user, name)
      const isHeld = holderOf(other, taxonomy)
      const isNew = (node: number) => !holderOf(known, taxonomy)(node)
      const guessed = nearest.nodes.filter(isNew)
      guesses.made += guessed.length
      guesses.right += guessed.filter(isHeld).length
      guesses.usual += usual.filter(isNew).slice(0, guessed.length).filter(isHeld).length
    }
    if (guesses.made === 0) return []
    const { made, right } = guesses
    const interval = wilsonInterval(right, made)
    const found: Finding[] = [
      { score: "interests", value: right / made, interval, n: made, baseline: guesses.usual / made, better: "lower" },
    ]
    if (audit === undefined || audit.release !== release.manifest.id) return found
    let own = 0
    for await (const [user, profile] of audit.rows("members", ["user", "profile"]))
      if (nearestOf.get(log.users.find(user)) === profile) own++
    const n = people.length
    const chance = { n, baseline: 1 / shown.size, better: "lower" as const }
    return [...found, { score: "own-profile", value: own / n, interval: wilsonInterval(own, n), ...chance }]
  },
}

interface Person {
  user: number
  known: TopicCounts
  other: TopicCounts
}

/**
 * Draws at most `most` people with at least four searches that have a topic, and the topics of the two halves of their
 * searches.
 */
function drawPeople(
  log: SearchLog,
  { topics, taxonomy, depth, most }: { topics: Int32Array; taxonomy: Taxonomy; depth: number; most: number },
  { random }: RunContext,
): Person[] {
  const nodesOf = new Map<number, number[]>()
  for (let row = 0; row < log.rows; row++) {
    const [user, node] = [log.user[row], topics[log.query[row]]]
    if (user < 0 || node < 0 || (row > 0 && log.event[row] === log.event[row - 1])) continue
    const nodes = nodesOf.get(user) ?? []
    nodes.push(node)
    nodesOf.set(user, nodes)
  }
  const users = Uint32Array.from(nodesOf.keys()).filter((user) => (nodesOf.get(user) ?? []).length >= 4)
  shuffle(users, random)
  return Array.from(users.subarray(0, most), (user) => {
    const nodes = nodesOf.get(user) ?? []
    const [known, other] = [nodes.slice(0, nodes.length >> 1), nodes.slice(nodes.length >> 1)].map((half) =>
      cutAt(taxonomy, { nodes: half, counts: half.map(() => 1) }, depth),
    )
    return { user, known, other }
  })
}

function nearestTo(
  known: TopicCounts,
  profiles: readonly [string, ShownProfile][],
  distance: (a: TopicCounts, b: TopicCounts) => number,
): [string, ShownProfile] {
  let [best, least] = [profiles[0], Number.POSITIVE_INFINITY]
  for (const profile of profiles) {
    const far = distance(known, profile[1])
    if (far < least) [best, least] = [profile, far]
  }
  return best
}

const rankTopics = ({ nodes, counts }: TopicCounts) =>
  [...nodes.keys()].sort((a, b) => counts[b] - counts[a]).map((place) => nodes[place])

/** Returns a test whether a topic, or one below it, is among these. */
function holderOf({ nodes }: TopicCounts, { end }: Taxonomy): (node: number) => boolean {
  return (node) => nodes.some((one) => one >= node && one < end[node])
}
