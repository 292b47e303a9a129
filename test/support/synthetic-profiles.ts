import { type RandomSource, seededRandom } from "#dist/kernels/random.js"
import { type CostLayer, costLayer, type SensitiveTopics, sensitiveTopics } from "#dist/personal/cost-layer.js"
import { type Profile, profileFrom } from "#dist/personal/profile.js"
import { type RelevantTopics, relevantTopics } from "#dist/personal/relevant-topics.js"
import { exposureRisk, type RiskModel } from "#dist/personal/risk.js"
import { type SeedProfile, seedProfile } from "#dist/personal/seed-profile.js"
import { assembleTree, packTexts } from "#dist/taxonomy/assemble-tree.js"
import { type Taxonomy, taxonomyFrom } from "#dist/taxonomy/taxonomy.js"

/** A taxonomy of these topics and own supports. Topics above them are made as needed. */
export function taxonomyOf(supports: Record<string, number>): Taxonomy {
  const paths = [""]
  const numbers = new Map([["", 0]])
  const add = (path: string): number => {
    const known = numbers.get(path)
    if (known !== undefined) return known
    if (path.includes("/")) add(path.slice(0, path.lastIndexOf("/")))
    numbers.set(path, paths.length)
    return paths.push(path) - 1
  }
  for (const path of Object.keys(supports)) add(path)
  const parent = paths.map((path) => {
    return path === "" ? -1 : add(path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "")
  })
  const draft = {
    parent: Int32Array.from(parent),
    own: Float64Array.from(paths, (path) => supports[path] ?? 0),
    names: packTexts(paths.map((path) => path.slice(path.lastIndexOf("/") + 1))),
    texts: packTexts(paths.map(() => "")),
  }
  return taxonomyFrom(assembleTree(draft).columns)
}

/** Everything that one generalisation needs. */
export interface Situation {
  taxonomy: Taxonomy
  profile: Profile
  sensitive: SensitiveTopics
  costs: CostLayer
  relevant: RelevantTopics
  seed: SeedProfile
  risk: RiskModel
}

/** The content of the four files of `personal expose`. */
export interface Words {
  taxonomy: Record<string, number>
  profile: Record<string, number>
  topics: Record<string, number>
  sensitive: Record<string, number>
}

export function situationOf(words: Words): Situation {
  const taxonomy = taxonomyOf(words.taxonomy)
  const pairs = (values: Record<string, number>) =>
    Object.entries(values).map(([path, value]): [number, number] => [taxonomy.find(path), value])
  const profile = profileFrom(taxonomy, pairs(words.profile))
  const sensitive = sensitiveTopics(taxonomy, pairs(words.sensitive))
  const relevant = relevantTopics(taxonomy, pairs(words.topics))
  const costs = costLayer(profile, sensitive)
  const seed = seedProfile(profile, relevant)
  if (seed === undefined) throw new Error("no relevant topic is in the profile")
  return { taxonomy, profile, sensitive, costs, relevant, seed, risk: exposureRisk(seed, costs) }
}

export interface Shape {
  /** Approximate number of topics of the seed profile. */
  size: number
  /** Approximate number of sensitive topics. */
  sensitive: number
  /** Maximum number of children of a topic. */
  children: number
}

/**
 * A random person, with a random tree that contains the seed. Next to each topic of the seed there is more of the
 * profile and of the taxonomy, so that costs also come from what the query does not ask for.
 */
export function randomWords(random: RandomSource, { size, sensitive, children }: Shape): Words {
  const taxonomy: Record<string, number> = {}
  const profile: Record<string, number> = {}
  const topics: Record<string, number> = {}
  const unit = () => (random.uint32() + 1) / 2 ** 32
  const skewed = () => Math.ceil(1 / unit() ** 0.8)
  const open = [""]
  const inner = new Set<string>()
  const grown: string[] = []
  const counts = new Map<string, number>()
  while (grown.length < size - 1) {
    const above = open[random.below(open.length)] ?? ""
    const count = (counts.get(above) ?? 0) + 1
    if (count > children) continue
    counts.set(above, count)
    inner.add(above)
    const path = `${above === "" ? "" : `${above}/`}t${count}`
    grown.push(path)
    open.push(path)
    taxonomy[path] = skewed()
    taxonomy[`${path}/other`] = skewed() * 3
    if (random.below(3) === 0) {
      taxonomy[`${path}/aside`] = skewed()
      profile[`${path}/aside`] = skewed()
    }
  }
  const leaves = grown.filter((path) => !inner.has(path))
  for (const path of leaves) {
    profile[path] = skewed()
    topics[path] = skewed()
  }
  taxonomy.elsewhere = skewed() * 20
  topics.elsewhere = skewed()
  const chosen: Record<string, number> = {}
  const known = [...grown, ...Object.keys(profile).filter((path) => path.endsWith("/aside"))]
  for (let i = 0; i < sensitive; i++) {
    const path = known[random.below(known.length)] ?? ""
    const overlaps = Object.keys(chosen).some(
      (other) => `${path}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${path}/`),
    )
    if (!overlaps) chosen[path] = 0.05 + unit()
  }
  return { taxonomy, profile, topics, sensitive: chosen }
}

/** Many random situations, always the same for a seed. */
export function randomSituations(count: number, shape: Shape, seed = 1): Situation[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => situationOf(randomWords(random, shape)))
}
