import type { RandomSource } from "../../kernels/random.ts"
import { type CostLayer, costLayer, sensitiveTopics } from "../../personal/cost-layer.ts"
import { type Profile, profileFrom } from "../../personal/profile.ts"
import { type SeedProfile, seedProfile } from "../../personal/seed-profile.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { StudyQuery, World } from "./world.ts"

/** A query that a person asks, and the urls of the log that they then clicked. */
export interface AskedQuery extends StudyQuery {
  clicked: ReadonlySet<number>
}

/** A person with a profile and queries. */
export interface Person {
  number: number
  /** The user number in the log; -1 for a synthetic person. */
  user: number
  profile: Profile
  costs: CostLayer
  sensitive: readonly (readonly [topic: number, sensitivity: number])[]
  queries: readonly AskedQuery[]
}

/** A person issues a query; `seed` is the part of their profile that is about it. */
export interface Situation {
  person: Person
  query: AskedQuery
  seed: SeedProfile
}

const known = new WeakMap<readonly Person[], Situation[]>()

/** All queries of these people that their profile has something about. Computed once. */
export function situationsOf(people: readonly Person[]): Situation[] {
  const found = known.get(people) ?? people.flatMap(situationsOfPerson)
  known.set(people, found)
  return found
}

/** The queries of one person that their profile has something about. */
export function situationsOfPerson(person: Person): Situation[] {
  return person.queries.flatMap((query) => {
    const seed = seedProfile(person.profile, query.relevant)
    return seed === undefined ? [] : [{ person, query, seed }]
  })
}

/** Makes a person from topic supports and queries. Some of their topics are sensitive, chosen at random. */
export function personOf(
  { taxonomy }: World,
  known: Pick<Person, "number" | "user" | "queries"> & {
    supports: Iterable<readonly [topic: number, support: number]>
  },
  random: RandomSource,
): Person {
  const { supports, ...rest } = known
  const profile = profileFrom(taxonomy, supports)
  const sensitive = chooseSensitive(taxonomy, [...profile.topic], random)
  const costs = costLayer(profile, sensitiveTopics(taxonomy, sensitive))
  return { ...rest, profile, sensitive, costs }
}

const mostSensitive = 5
const leastDepth = 3
/** Some topics are more sensitive than others (Definition 4). */
const sensitivities = [0.2, 0.5, 1]

/** Chooses up to five topics at depth 3 or deeper, none below another, with different sensitivities. §7.1. */
export function chooseSensitive(
  { end, depth }: Taxonomy,
  topics: readonly number[],
  random: RandomSource,
): [topic: number, sensitivity: number][] {
  const deep = topics.filter((topic) => (depth[topic] ?? 0) >= leastDepth)
  const chosen: number[] = []
  const overlaps = (a: number, b: number) => a >= b && a < (end[b] ?? 0)
  for (let tries = 0; tries < 40 && chosen.length < mostSensitive && deep.length > 0; tries++) {
    const topic = deep[random.below(deep.length)] ?? 0
    if (chosen.every((other) => !overlaps(topic, other) && !overlaps(other, topic))) chosen.push(topic)
  }
  return chosen.map((topic) => [topic, sensitivities[random.below(sensitivities.length)] ?? 1])
}
