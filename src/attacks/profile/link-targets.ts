import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { createProfileMatcher, type ProfileMatch } from "../../kernels/linkage/match-profiles.ts"
import { type Candidates, rankPerson } from "../../kernels/linkage/rank-person.ts"
import { SparseVector } from "../../kernels/retrieval/sparse-vector.ts"
import type { Target } from "./draw-targets.ts"
import type { Profiles } from "./word-profiles.ts"

/** For each target, the result of naming the most similar candidate. See `RankedPerson`. */
export interface LinkedTargets {
  right: Float64Array
  reciprocalRank: Float64Array
  confidence: Float64Array
  marked: Float64Array
}

/** The number of similarities to cache, for texts that several targets share. */
const remembered = 1 << 23

/** Links targets to candidates by the mean similarity of their texts to each profile. */
export async function linkTargets(
  targets: readonly Target[],
  { profiles, candidates, smoothing }: { profiles: Profiles; candidates: Candidates; smoothing: number },
  context: RunContext,
): Promise<LinkedTargets> {
  const match = rememberMatches(targets, profiles, { smoothing })
  const mean = createMean(profiles.index.searches.length)
  const column = () => new Float64Array(targets.length)
  const linked = { right: column(), reciprocalRank: column(), confidence: column(), marked: column() }
  for (const [i, { texts, person }] of targets.entries()) {
    if (i % 64 === 0) await yieldAndReport(context, { stage: "linking", done: i, total: targets.length })
    const found = texts.length === 1 ? match(texts[0]) : mean(texts, match)
    const ranked = rankPerson(found, person, candidates)
    linked.right[i] = ranked.right
    linked.reciprocalRank[i] = ranked.reciprocalRank
    linked.confidence[i] = ranked.confidence
    linked.marked[i] = ranked.marked
  }
  return linked
}

type MatchText = (text: number) => ProfileMatch

function rememberMatches(
  targets: readonly Target[],
  { index, wordsOf }: Profiles,
  options: { smoothing: number },
): MatchText {
  const uses = new Map<number, number>()
  for (const { texts } of targets) for (const text of texts) uses.set(text, (uses.get(text) ?? 0) + 1)
  const match = createProfileMatcher(index, options)
  const held = new Map<number, ProfileMatch>()
  let room = remembered
  return (text) => {
    const known = held.get(text)
    if (known !== undefined) return known
    const found = match(wordsOf(text) ?? new Int32Array(0))
    if ((uses.get(text) ?? 0) < 2 || room < found.users.length) return found
    room -= found.users.length
    const copy = { users: found.users.slice(), similarity: found.similarity.slice() }
    held.set(text, copy)
    return copy
  }
}

/** Makes a function that returns the mean similarity over texts. Its arrays are valid until the next call. */
function createMean(size: number): (texts: Uint32Array, match: MatchText) => ProfileMatch {
  const sum = new SparseVector(size)
  const mean = new Float64Array(size)
  return (texts, match) => {
    sum.clear()
    for (const text of texts) {
      const { users, similarity } = match(text)
      for (let i = 0; i < users.length; i++) sum.add(users[i], similarity[i])
    }
    const users = sum.touched.subarray(0, sum.count)
    for (let i = 0; i < users.length; i++) mean[i] = sum.values[users[i]] / texts.length
    return { users, similarity: mean.subarray(0, users.length) }
  }
}
