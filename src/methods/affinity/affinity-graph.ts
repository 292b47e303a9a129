import { type RunContext, stopIfCancelled } from "../../kernels/context.ts"
import { collectDistinctUsers, type UserSets } from "../../kernels/distinct-users.ts"
import { type CsrGraph, joinSimilar } from "../../kernels/join-similar.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { countQueries, type QueryCounts } from "../../log/statistics.ts"
import { englishFunctionWords, parseFunctionWords } from "../../text/function-words.ts"
import { type TokenisedQueries, type TokenOptions, tokeniseQueries } from "../../text/tokens.ts"
import { type ExpandedQueries, expandQueries } from "./expand-queries.ts"
import { type Concepts, mineConcepts } from "./mine-concepts.ts"

/** Parameters that decide which queries are similar. Carpineto & Romano 2015, §3. */
export interface AffinityParameters extends TokenOptions {
  theta: number
  /** Least users of a concept. */
  minConceptUsers: number
  /** Least users of every word of an expanded query. */
  minTermUsers: number
  /** `english`, `none`, or words separated by spaces. */
  functionWords: string
}

/** A log's queries as vectors of concepts. */
export interface ExpandedLog {
  counts: QueryCounts
  tokens: TokenisedQueries
  concepts: Concepts
  expanded: ExpandedQueries
  /** By vector: the distinct users of its queries. */
  users: UserSets
}

/**
 * An expanded log with the graph of θ-affine vectors. Queries with the same vector are affine to each other as well.
 */
export interface AffinityGraph extends ExpandedLog {
  graph: CsrGraph
}

/** Expands queries to their concepts. Carpineto & Romano 2015, §3.1 and 3.2. */
export async function expandLog(
  log: SearchLog,
  parameters: AffinityParameters,
  context: RunContext,
): Promise<ExpandedLog> {
  const { minConceptUsers, minTermUsers, functionWords } = parameters
  const counts = countQueries(log)
  const tokens = await tokeniseQueries(log.queries, parameters, context)
  const rows = { user: log.user, query: log.query, queryEvents: counts.events, queryUsers: counts.users }
  const words = functionWordList(functionWords)
  const concepts = await mineConcepts(tokens, { rows, minConceptUsers, functionWords: words }, context)
  const expanded = expandQueries(tokens, concepts, { minTermUsers })
  stopIfCancelled(context)
  return { counts, tokens, concepts, expanded, users: usersOfVectors(log, expanded) }
}

/** Builds the graph of θ-affine queries. Carpineto & Romano 2015, §3.1 to 3.3. */
export async function buildAffinityGraph(
  log: SearchLog,
  parameters: AffinityParameters,
  context: RunContext,
): Promise<AffinityGraph> {
  const built = await expandLog(log, parameters, context)
  return { ...built, graph: await joinSimilar(built.expanded.vectors, parameters, context) }
}

/** The function words of the option: the English ones, none, or those in a list. */
export function functionWordList(choice: string): Set<string> {
  if (choice === "none") return new Set()
  return parseFunctionWords(choice === "english" ? englishFunctionWords : choice)
}

/** The distinct users of each vector. Queries marked 1 in `leave` do not count. */
export function usersOfVectors(log: SearchLog, { vectorOf, vectors }: ExpandedQueries, leave?: Uint8Array): UserSets {
  const column = new Int32Array(log.rows)
  for (let row = 0; row < log.rows; row++) {
    column[row] = leave?.[log.query[row]] === 1 ? -1 : vectorOf[log.query[row]]
  }
  return collectDistinctUsers(column, log.user, { size: vectors.offsets.length - 1 })
}
