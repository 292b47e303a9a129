import type { SearchLog } from "../log/search-log.ts"
import type { TokenisedQueries } from "../text/tokens.ts"
import type { CountedConcepts } from "./affinity-concepts.ts"

/** A vector of concepts, and the users who issued a released query with it. */
interface Member {
  /** Concepts and normalised weights. The concept that the fewest members have comes first. */
  concepts: number[]
  weights: number[]
  users: Set<number>
}

export type QueryKind = "plain" | "excluded" | "expanded"

/**
 * Kind of a query. `plain`: it has no concept. `excluded`: it has a concept and a word of too few users. `expanded`: it
 * has a concept and no such word.
 */
export function kindOf(
  query: number,
  { offsets, tokens }: TokenisedQueries,
  { concepts, minTermUsers }: { concepts: CountedConcepts; minTermUsers: number },
): QueryKind {
  const places = Array.from({ length: offsets[query + 1] - offsets[query] }, (_, i) => offsets[query] + i)
  if (!places.some((token) => concepts.conceptAt.some((at) => at[token] >= 0))) return "plain"
  return places.some((token) => concepts.wordUsers[tokens[token]] < minTermUsers) ? "excluded" : "expanded"
}

/**
 * Counts the users around each of these queries: those who issued it or another of them that is θ-affine to it. Counts
 * up to k, since no more is promised. Each query finds its neighbours by itself. Candidates share one of its concepts,
 * the rarest first, as long as the remaining concepts could still reach θ. The cosine of each candidate is computed in
 * full.
 */
export function countSupport(
  log: SearchLog,
  texts: TokenisedQueries,
  options: { queries: readonly number[]; concepts: CountedConcepts; theta: number; k: number },
): Map<number, number> {
  const { queries, concepts, theta, k } = options
  const memberOf = new Map<number, Member>()
  const members = new Map<string, Member>()
  for (const query of queries) {
    const found = conceptsOf(query, texts, concepts)
    const name = found.join()
    const member = members.get(name) ?? { concepts: found, weights: [], users: new Set<number>() }
    members.set(name, member)
    memberOf.set(query, member)
  }
  for (let row = 0; row < log.rows; row++) memberOf.get(log.query[row])?.users.add(log.user[row])
  const holders = new Map<number, Member[]>()
  for (const member of members.values()) {
    for (const concept of member.concepts) {
      const list = holders.get(concept)
      if (list === undefined) holders.set(concept, [member])
      else list.push(member)
    }
  }
  const rarity = (concept: number) => holders.get(concept)?.length ?? 0
  for (const member of members.values()) {
    member.concepts.sort((a, b) => rarity(a) - rarity(b) || a - b)
    const norm = Math.hypot(...member.concepts.map((concept) => concepts.weight[concept]))
    member.weights = member.concepts.map((concept) => concepts.weight[concept] / norm)
  }
  const supportOf = new Map<Member, number>()
  for (const member of members.values()) supportOf.set(member, usersAround(member, { holders, theta, k }))
  return new Map(queries.map((query) => [query, supportOf.get(memberOf.get(query) as Member) ?? 0]))
}

function conceptsOf(query: number, { offsets }: TokenisedQueries, { conceptAt }: CountedConcepts): number[] {
  const found = new Set<number>()
  for (let token = offsets[query]; token < offsets[query + 1]; token++) {
    for (const at of conceptAt) if (at[token] >= 0) found.add(at[token])
  }
  return [...found].sort((a, b) => a - b)
}

function usersAround(
  member: Member,
  { holders, theta, k }: { holders: ReadonlyMap<number, Member[]>; theta: number; k: number },
): number {
  const users = new Set(member.users)
  const seen = new Set([member])
  let left = 1 // squared norm of the concepts that were not examined yet
  for (const [i, concept] of member.concepts.entries()) {
    if (users.size >= k || Math.sqrt(Math.max(0, left)) < theta - 1e-9) break
    for (const other of holders.get(concept) ?? []) {
      if (seen.has(other)) continue
      seen.add(other)
      if (cosine(member, other) >= theta - 1e-12) for (const user of other.users) users.add(user)
      if (users.size >= k) break
    }
    left -= member.weights[i] ** 2
  }
  return users.size
}

function cosine(a: Member, b: Member): number {
  let dot = 0
  for (const [i, concept] of a.concepts.entries()) {
    const j = b.concepts.indexOf(concept)
    if (j >= 0) dot += a.weights[i] * b.weights[j]
  }
  return dot
}
