import { anonymityDegrees } from "../../kernels/anonymity-degrees.ts"
import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { parseExempt } from "../../text/identifiers/exempt-queries.ts"
import { findIdentifiers } from "../../text/identifiers/find-identifiers.ts"
import { kindBit, noKinds, parseKinds } from "../../text/identifiers/kinds.ts"
import {
  type AffinityGraph,
  type AffinityParameters,
  buildAffinityGraph,
  type ExpandedLog,
  expandLog,
  usersOfVectors,
} from "./affinity-graph.ts"
import { type ApproximateDegrees, approximateDegrees, selectApproximately } from "./approximate-release.ts"
import type { ChosenQueries } from "./describe-release.ts"
import { type AffinityOptions, defaultVmax } from "./options.ts"

/** Which queries are scrubbed: the kinds of identifiers, and the owner's list of exemptions. */
export interface ScrubChoice {
  scrub?: string
  scrubExempt?: string
}

/** Options, the numbers that follow from them for a log, and the scrubbing. */
export type SettledOptions = AffinityOptions & AffinityParameters & ScrubChoice

/** The choice of the exact mode, and the graph that it was made on. */
export interface ExactChoice extends ChosenQueries {
  built: AffinityGraph
  /** By query: 1 if it seems to name a person and such queries are scrubbed. */
  persons: Uint8Array
}

/** The choice of the approximate mode. */
export interface NearbyChoice extends ChosenQueries {
  built: ExpandedLog
  found: ApproximateDegrees
}

/** The exact mode: computes degrees of all queries, and again without the queries left out for a name. */
export async function chooseExactly(
  log: SearchLog,
  options: SettledOptions,
  context: RunContext,
): Promise<ExactChoice> {
  const built = await buildAffinityGraph(log, options, context)
  await yieldAndReport(context, { stage: "peeling", done: 0, total: 2 })
  const degrees = degreesOfQueries(built, anonymityDegrees(built.graph, built.users, { cap: log.users.size + 1 }))
  await yieldAndReport(context, { stage: "peeling", done: 1, total: 2 })
  const persons = await markPersons(log, options, context)
  const { released, named } = selectQueries(log, built, { k: options.k, persons })
  return { built, released, named, degrees, persons }
}

/**
 * The approximate mode: computes degrees of the chosen queries only, from their surroundings. Releases no other query.
 */
export async function chooseNearby(
  log: SearchLog,
  options: SettledOptions,
  context: RunContext,
): Promise<NearbyChoice> {
  const { theta, k, vmax = defaultVmax, queries, sample } = options
  const built = await expandLog(log, options, context)
  const found = await approximateDegrees(log, built, { theta, vmax, queries, sample }, context)
  const named = rareOf(built, await markPersons(log, options, context), k)
  const released = selectApproximately(log, built, { found, k, named })
  return { built, released, named, ...found, found }
}

/**
 * The degree of each query: that of its vector, or its number of users if it has no vector. Plain and excluded queries
 * are vertices without edges. So a query of k users has a degree of at least k, whatever the options.
 */
export function degreesOfQueries({ counts, expanded }: ExpandedLog, ofVector: Uint32Array): Uint32Array {
  return Uint32Array.from(expanded.vectorOf, (vector, query) => (vector < 0 ? counts.users[query] : ofVector[vector]))
}

/** By query: 1 if it seems to name a person, such queries are to be scrubbed, and it is not exempt. */
async function markPersons(log: SearchLog, { scrub = "none", scrubExempt }: SettledOptions, context: RunContext) {
  if ((parseKinds(scrub) & kindBit("person")) === noKinds) return new Uint8Array(log.queries.size)
  const found = await findIdentifiers(log.queries, kindBit("person"), context)
  for (const text of parseExempt(scrubExempt)) {
    const query = log.queries.find(text)
    if (query >= 0) found[query] = noKinds
  }
  return Uint8Array.from(found, (kinds) => (kinds === noKinds ? 0 : 1))
}

/** The marked queries that have fewer than k users. */
const rareOf = ({ counts }: ExpandedLog, marks: Uint8Array, k: number): Uint8Array =>
  marks.map((mark, query) => (counts.users[query] < k ? mark : 0))

/** By query: 1 if it is released. Its degree must be at least k among the queries that are not left out for a name. */
export function selectQueries(
  log: SearchLog,
  built: AffinityGraph,
  { k, persons }: { k: number; persons: Uint8Array },
): { released: Uint8Array; named: Uint8Array } {
  const named = rareOf(built, persons, k)
  const users = usersOfVectors(log, built.expanded, named)
  const degrees = degreesOfQueries(built, anonymityDegrees(built.graph, users, { cap: k }))
  const released = Uint8Array.from(degrees, (degree, query) => (degree >= k && named[query] === 0 ? 1 : 0))
  return { released, named }
}
