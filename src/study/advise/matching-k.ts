import { anonymityDegrees } from "../../kernels/anonymity-degrees.ts"
import type { RunContext } from "../../kernels/context.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { matchEquality } from "../../measures/degree-curves.ts"
import { buildAffinityGraph } from "../../methods/affinity/affinity-graph.ts"
import { degreesOfQueries } from "../../methods/affinity/choose-queries.ts"
import { affinityParameters } from "../../methods/affinity/options.ts"

/**
 * The k of affinity that releases as many distinct queries as equality does at k = `equality`. Carpineto & Romano 2015,
 * §5.
 */
export interface MatchingK {
  equality: number
  theta: number
  minConceptUsers: number
  /** Distinct queries that equality releases. */
  queries: number
  /** 0 if equality releases nothing. */
  affinity: number
}

/** Finds the matching k for the paper's example, k = 3 and θ = 0.9, with concepts of at least ten users. */
export async function findMatchingK(log: SearchLog, context: RunContext): Promise<MatchingK> {
  const rules = { k: 10, theta: 0.9, conceptRule: "safe", functionWords: "english", tokens: "words" } as const
  const parameters = affinityParameters(rules, log)
  const built = await buildAffinityGraph(log, parameters, context)
  const ofVector = anonymityDegrees(built.graph, built.users, { cap: log.users.size + 1 })
  const degrees = degreesOfQueries(built, ofVector)
  const equality = 3
  const [found] = matchEquality({ degrees, ks: [equality] }, built.counts.users)
  const { theta, minConceptUsers } = parameters
  return { equality, theta, minConceptUsers, queries: found?.queries ?? 0, affinity: found?.matching ?? 0 }
}

/** Describes the match in one sentence. */
export function describeMatchingK({ equality, theta, minConceptUsers, queries, affinity }: MatchingK): string {
  if (queries === 0) return `Equality with k = ${equality} releases nothing of this log.`
  const [released, matching] = [queries.toLocaleString("en"), affinity.toLocaleString("en")]
  return [
    `Equality with k = ${equality} releases ${released} distinct queries. Affinity with θ = ${theta} and concepts of`,
    `${minConceptUsers} users releases as many up to k = ${matching}. It counts users over similar queries, so its`,
    "k is higher and its promise weaker.",
  ].join(" ")
}
