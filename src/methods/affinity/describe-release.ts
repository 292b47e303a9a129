import type { AffinityParameters, ExpandedLog } from "./affinity-graph.ts"
import { queryStates } from "./expand-queries.ts"

/** The queries that were chosen from a log. Marks are by query, 1 for yes. */
export interface ChosenQueries {
  released: Uint8Array
  /** Left out because they seem to name a person. */
  named: Uint8Array
  /** Approximate mode only: the query was examined. */
  listed?: Uint8Array
  /** Approximate mode only: vertices of the subgraph around each query, and 1 if it was cut at Vmax. */
  vertices?: Uint32Array
  isBound?: Uint8Array
  /** Degrees, as far as they were computed, before names were left out. */
  degrees: Uint32Array
}

/** Counts what was left out, by reason. Each query counts under one reason. */
export function describeWithheld(
  { expanded, counts }: ExpandedLog,
  { released, named, listed, degrees, withheldRows, k }: ChosenQueries & { withheldRows: number; k: number },
): Record<string, number> {
  const sum = { names: 0, excluded: 0, unprotected: 0, underK: 0, unseen: 0 }
  for (let query = 0; query < released.length; query++) {
    if (released[query] === 1 || counts.users[query] === 0) continue
    if (listed?.[query] === 0) sum.unseen++
    else if (named[query] === 1) sum.names++
    else if (queryStates[expanded.state[query]] === "excluded") sum.excluded++
    else if (degrees[query] >= k) sum.unprotected++
    else sum.underK++
  }
  return {
    ...withheldReasons({ ...sum, rows: withheldRows }),
    ...(listed !== undefined && { "queries that were not looked at": sum.unseen }),
  }
}

/** What was left out, in the words of the receipt. */
export function withheldReasons(sum: {
  rows: number
  names: number
  excluded: number
  unprotected: number
  underK: number
}): Record<string, number> {
  return {
    "rows of queries that are not released": sum.rows,
    "queries of fewer than k users with a likely person name": sum.names,
    "queries of fewer than k users with a word of too few users": sum.excluded,
    "queries that reach k only with queries that are not released": sum.unprotected,
    "queries of a degree under k": sum.underK,
  }
}

/**
 * Exact numbers for the receipt:
 * - how many released texts were typed by one user alone;
 * - the queries by state, as §3.2 of Carpineto & Romano 2015 counts them;
 * - for a sample: how many of its queries have a degree of at least k, which is the paper's estimate (§4.1), next to
 *   how many are released.
 */
export function measureRelease(
  built: ExpandedLog,
  chosen: ChosenQueries,
  { k }: { k: number },
): Record<string, number> {
  const { users } = built.counts
  const { released } = chosen
  const sum = { texts: 0, ofOne: 0 }
  for (let query = 0; query < released.length; query++) {
    if (released[query] === 0 || users[query] === 0) continue
    sum.texts++
    if (users[query] === 1) sum.ofOne++
  }
  return { ...textFigures(sum), ...countStates(built), ...measureSubgraphs(chosen, { k }) }
}

/** How many texts are released, and how many of them one user alone typed. */
export const textFigures = ({ texts, ofOne }: { texts: number; ofOne: number }): Record<string, number> => ({
  texts,
  "texts of one user": ofOne,
  share: texts === 0 ? 0 : ofOne / texts,
})

/** §4.1: how many examined queries reach k, and how large their subgraphs are. */
function measureSubgraphs(
  { listed, degrees, vertices, isBound }: ChosenQueries,
  { k }: { k: number },
): Record<string, number> {
  if (listed === undefined || vertices === undefined || isBound === undefined) return {}
  const sum = { listed: 0, reaching: 0, subgraphs: 0, vertices: 0, cut: 0 }
  for (let query = 0; query < listed.length; query++) {
    if (listed[query] === 0) continue
    sum.listed++
    if (degrees[query] >= k) sum.reaching++
    if (vertices[query] > 0) sum.subgraphs++
    sum.vertices += vertices[query]
    sum.cut += isBound[query]
  }
  return {
    "queries looked at": sum.listed,
    "queries looked at with a degree of at least k": sum.reaching,
    subgraphs: sum.subgraphs,
    "mean vertices of a subgraph": sum.subgraphs === 0 ? 0 : sum.vertices / sum.subgraphs,
    "subgraphs cut at vmax": sum.cut,
  }
}

/** §3.2 of Carpineto & Romano 2015: distinct queries by state, and the searches with an expanded query. */
export function countStates({ counts, expanded }: ExpandedLog): Record<string, number> {
  const queries = { expanded: 0, plain: 0, excluded: 0 }
  let searches = 0
  for (let query = 0; query < expanded.state.length; query++) {
    if (counts.users[query] === 0) continue
    const state = queryStates[expanded.state[query]]
    queries[state]++
    if (state === "expanded") searches += counts.events[query]
  }
  return stateFigures({ ...queries, searches })
}

/** Distinct queries by state, and the searches with an expanded query, in the words of the receipt. */
export const stateFigures = (sum: {
  plain: number
  expanded: number
  excluded: number
  searches: number
}): Record<string, number> => ({
  "plain queries": sum.plain,
  "expanded queries": sum.expanded,
  "searches with an expanded query": sum.searches,
  "excluded queries": sum.excluded,
})

/** Warnings for the owner about the rules in use and about what is released. */
export function warnOfRules(
  { minConceptUsers }: Pick<AffinityParameters, "minConceptUsers">,
  { isEmpty }: { isEmpty: boolean },
): string[] {
  return [...(minConceptUsers === 1 ? [everyNgram] : []), ...(isEmpty ? [] : [ofOnePerson])]
}

/** Shown if one user is enough to make a concept. */
export const everyNgram = [
  "Every word and phrase of this log is a concept, because one user is enough to make one.",
  "The default is one in ten thousand users, which is one user in a log of fewer than 20,000.",
  "The paper took 65.",
  "Similarity then rests on phrases of a single person.",
  "Set --min-concept-users.",
].join(" ")

const ofOnePerson = [
  "Many texts that affinity releases were typed by one person alone:",
  "k counts the users of similar texts together.",
  "The receipt says how many such texts this log has.",
  "To release only texts that k users typed, use anonymize equality.",
].join(" ")
