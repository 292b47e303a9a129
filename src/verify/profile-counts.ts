import type { RunContext } from "../kernels/context.ts"
import { QueryveilError } from "../kernels/error.ts"
import type { TablesRelease } from "../release/read-release.ts"
import { openClassifier, serviceWarning } from "../taxonomy/classify/open-classifier.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { noKinds } from "../text/identifiers/kinds.ts"
import { scrubbedKinds } from "./release-checks.ts"
import { withoutScrubbed } from "./scrubbed-log.ts"
import type { VerifySubject } from "./verifier.ts"

type Subject = Required<Omit<VerifySubject<TablesRelease>, "remote">>

/** By user of the log: number of searches by node of the taxonomy. */
export type UserCounts = Map<number, number>[]

/** Counts of a shown topic: the members who have it, and the sum of their shares. */
interface TopicCount {
  users: number
  mass: number
}

/**
 * The users of each profile, according to the audit. `wrong` counts lines that name no user of the log, or the same
 * again.
 */
export async function readMembers({
  log,
  audit,
}: Subject): Promise<{ membersOf: Map<string, number[]>; wrong: number }> {
  const membersOf = new Map<string, number[]>()
  const seen = new Set<number>()
  let wrong = 0
  for await (const [name, profile] of audit.rows("members", ["user", "profile"])) {
    const user = log.users.find(name)
    if (user < 0 || seen.has(user)) wrong++
    seen.add(user)
    membersOf.set(profile, [...(membersOf.get(profile) ?? []), user])
  }
  return { membersOf, wrong }
}

/** The topics that a stream showed under each user, as the audit lists them. */
export async function readShownTopics({ log, audit }: Subject, taxonomy: Taxonomy): Promise<UserCounts> {
  const counts: UserCounts = Array.from({ length: log.users.size }, () => new Map())
  for await (const [name, path, count] of audit.rows("counts", ["user", "topic", "count"]))
    counts[log.users.find(name)]?.set(taxonomy.find(path), Number(count))
  return counts
}

/**
 * Classifies the queries of the log again and returns the topics of every user, at full depth. Returns a sentence that
 * says why if that is impossible.
 */
export async function readOwnTopics(
  subject: Subject,
  taxonomy: Taxonomy,
  context: RunContext,
): Promise<UserCounts | string> {
  const { release, log, audit, exempt } = subject
  const counts: UserCounts = Array.from({ length: log.users.size }, () => new Map())
  const add = (user: number, node: number) => counts[user]?.set(node, (counts[user].get(node) ?? 0) + 1)
  const choice = audit.places.classifier
  if (serviceWarning(choice) !== undefined) return "made with a classifier that is not asked again"
  if (release.manifest.parameters.classifier !== undefined && choice === undefined) return "its classifier is not known"
  const classifier = await openClassifier(choice, { taxonomy }, context).catch((error: unknown) => {
    if (!(error instanceof QueryveilError) || error.code === "interrupted") throw error
    return undefined
  })
  if (classifier === undefined) return "its classifier is a file that cannot be read here"
  const scrubbed = withoutScrubbed(log, scrubbedKinds(release) ?? noKinds, exempt)
  const topicOf = await classifier.classify(scrubbed.queries, context)
  for (let row = 0; row < scrubbed.rows; row++) {
    const topic = topicOf[scrubbed.query[row]]
    if (topic >= 0 && (row === 0 || scrubbed.event[row] !== scrubbed.event[row - 1])) add(scrubbed.user[row], topic)
  }
  return counts
}

/**
 * Counts each search of the members for the deepest shown topic at or above its own. A search without one is left out.
 */
export function recount(
  members: readonly number[],
  { topics, shown, taxonomy }: { topics: UserCounts; shown: readonly number[]; taxonomy: Taxonomy },
): TopicCount[] {
  const placeOf = new Map(shown.map((node, i) => [node, i]))
  const found = shown.map(() => ({ users: 0, mass: 0 }))
  for (const user of members) {
    const own = new Float64Array(shown.length)
    let total = 0
    for (const [topic, count] of topics[user]) {
      total += count
      for (let node = topic; node > 0; node = taxonomy.parent[node]) {
        const place = placeOf.get(node)
        if (place === undefined) continue
        own[place] += count
        break
      }
    }
    own.forEach((count, place) => {
      if (count === 0) return
      found[place].users++
      found[place].mass += count / total
    })
  }
  return found
}
