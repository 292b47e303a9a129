import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import type { ProfileMatch } from "../../kernels/linkage/match-profiles.ts"
import { createSharedMatcher } from "../../kernels/linkage/match-shared.ts"
import type { CsrSets } from "../../kernels/set-users.ts"
import type { NamedTarget, People } from "./draw-names.ts"
import type { SharedFeatures } from "./shared-features.ts"

/** For each target, the result of linking it to the name that shares most. Ties count by their expectation. */
export interface LinkedNames {
  right: Float64Array
  confidence: Float64Array
  /** How often a random name is right. */
  chance: Float64Array
  /** The number of searches under the name alone, and together with those of the linked name if the link is right. */
  alone: Float64Array
  joined: Float64Array
}

export async function linkNames(
  targets: readonly NamedTarget[],
  { features, people }: { features: SharedFeatures; people: People },
  context: RunContext,
): Promise<LinkedNames> {
  const { owners, names } = people
  const match = createSharedMatcher(features.other)
  const column = () => new Float64Array(targets.length)
  const linked = { right: column(), confidence: column(), chance: column(), alone: column(), joined: column() }
  for (const [i, { name, person }] of targets.entries()) {
    if (i % 64 === 0) await yieldAndReport(context, { stage: "linking names", done: i, total: targets.length })
    const shown = searchesOf(features.own, name, features)
    const { best, confidence } = nameBest(match(featuresOf(features.own, name)))
    const chance = (names.get(person) ?? 0) / owners.length
    const right = best.filter((theirs) => owners[theirs] === person)
    const more = right.map((theirs) => countOthers(searchesOf(features.other, theirs, features), shown))
    linked.right[i] = best.length === 0 ? chance : right.length / best.length
    linked.confidence[i] = confidence
    linked.chance[i] = chance
    linked.alone[i] = shown.size
    linked.joined[i] = shown.size + more.reduce((sum, count) => sum + count, 0) / Math.max(1, best.length)
  }
  return linked
}

/** The names that share most, and the confidence in them; no names if nothing is shared. */
function nameBest({ users, similarity }: ProfileMatch): { best: number[]; confidence: number } {
  const most = similarity.reduce((highest, value) => Math.max(highest, value), 0)
  const isMost = (value: number) => value > most - 1e-12
  if (most === 0) return { best: [], confidence: 0 }
  const second = similarity.reduce((highest, value) => (isMost(value) ? highest : Math.max(highest, value)), 0)
  const best = Array.from(users).filter((_, i) => isMost(similarity[i]))
  return { best, confidence: best.length > 1 ? 0 : (most - second) / most }
}

const featuresOf = ({ offsets, members }: CsrSets, name: number) => members.subarray(offsets[name], offsets[name + 1])

const searchesOf = (sets: CsrSets, name: number, { searches }: SharedFeatures) =>
  new Set(featuresOf(sets, name).filter((feature) => feature < searches))

const countOthers = (searches: ReadonlySet<number>, known: ReadonlySet<number>) =>
  [...searches].filter((search) => !known.has(search)).length
