import type { ProfileMatch } from "./match-profiles.ts"

/** The result of naming the most similar candidate. Ties count by the expected result of a random choice. */
export interface RankedPerson {
  /** Chance that the person is named. */
  right: number
  /** Expected reciprocal of the person's rank. */
  reciprocalRank: number
  /** (best − second) / best; 0 if nobody is similar to the query. */
  confidence: number
  /** Chance that one of the marked candidates is named. */
  marked: number
}

/** The people whom a query may be linked to. */
export interface Candidates {
  count: number
  /** By user: 1 if naming this candidate would be wrong. */
  isMarked: Uint8Array
  marked: number
  /** 1 + 1/2 + … + 1/n, by n up to the number of candidates. */
  harmonic: Float64Array
}

/** Describes the candidates for the author of a record, with the sums that ranks among equals need. */
export function describeCandidates(isMarked: Uint8Array, { count }: { count: number }): Candidates {
  const harmonic = new Float64Array(count + 1)
  for (let n = 1; n <= count; n++) harmonic[n] = harmonic[n - 1] + 1 / n
  return { count, isMarked, marked: isMarked.reduce((sum, mark) => sum + mark, 0), harmonic }
}

/** Similarities closer than this are equal: they differ by rounding. */
const rounding = 1e-12

/**
 * Ranks the person among all candidates, of whom they must be one. The match must list everyone with a similarity over
 * 0.
 */
export function rankPerson({ users, similarity }: ProfileMatch, person: number, candidates: Candidates): RankedPerson {
  let best = 0
  let own = 0
  for (let i = 0; i < users.length; i++) {
    if (similarity[i] > best) best = similarity[i]
    if (users[i] === person) own = similarity[i]
  }
  let second = 0
  let [first, firstMarked, above, equal, zero] = [0, 0, 0, 0, candidates.count]
  for (let i = 0; i < users.length; i++) {
    const value = similarity[i]
    if (value > rounding) zero--
    if (value > own + rounding) above++
    else if (value > own - rounding) equal++
    if (value < best - rounding) {
      if (value > second) second = value
      continue
    }
    first++
    firstMarked += candidates.isMarked[users[i]]
  }
  const { count, marked, harmonic } = candidates
  if (best <= rounding) {
    return { right: 1 / count, reciprocalRank: harmonic[count] / count, confidence: 0, marked: marked / count }
  }
  if (own <= rounding) equal = zero
  return {
    right: own > best - rounding ? 1 / first : 0,
    reciprocalRank: (harmonic[above + equal] - harmonic[above]) / equal,
    confidence: first > 1 ? 0 : (best - second) / best,
    marked: firstMarked / first,
  }
}
