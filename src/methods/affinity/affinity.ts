import { anonymityDegrees } from "../../kernels/anonymity-degrees.ts"
import { breathe, type RunContext } from "../../kernels/context.ts"
import type { Table } from "../../kernels/table.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { parseExempt } from "../../text/identifiers/exempt-queries.ts"
import { findIdentifiers } from "../../text/identifiers/find-identifiers.ts"
import { kindBit, noKinds, parseKinds } from "../../text/identifiers/kinds.ts"
import type { Method } from "../method.ts"
import { countReleasedRows } from "../query-decision.ts"
import { promiseAffinity } from "../query-guarantees.ts"
import {
  type AffinityGraph,
  type AffinityParameters,
  buildAffinityGraph,
  type ExpandedLog,
  expandLog,
  usersOfVectors,
} from "./affinity-graph.ts"
import { approximateDegrees, selectApproximately } from "./approximate-release.ts"
import { auditApproximateDegrees, auditConcepts, auditDegrees } from "./audit.ts"
import { type ChosenQueries, describeWithheld, measureRelease, warnOfRules } from "./describe-release.ts"
import {
  type AffinityOptions,
  affinityOptions,
  affinityParameters,
  defaultVmax,
  refuseWithoutApproximate,
} from "./options.ts"

/**
 * k_θ-affinity, Carpineto & Romano 2015: the rows of queries whose anonymity degree is at least k. Exact, on the whole
 * log. Of the queries that are not a common query by themselves, those that seem to name a person are left out, and the
 * degrees that decide are those without them, so that what is released protects itself.
 *
 * Guarantee: the unit is one query text. Whoever reads the release finds for each query of it at least k users of the log
 * who issued it or released queries that are θ-affine to it. Shown by peeling, here, and in the verifier by counting the
 * users around each released query inside the release.
 */
export const affinity: Method<typeof affinityOptions> = {
  name: "affinity",
  summary: "k-anonymity under affinity: also rare refinements of common queries",
  options: affinityOptions,
  scrub: "all",
  scrubsItself: ["person"],
  paper: {
    scrub: "none",
    conceptRule: "paper",
    minTermUsers: 2,
    users: "pseudonym",
    urls: "keep",
    time: "exact",
  },
  async run(log, options, context) {
    refuseWithoutApproximate(options)
    const parameters = affinityParameters(options, log)
    const choose = options.approximate === true ? chooseNearby : chooseExactly
    const { built, table, ...chosen } = await choose(log, { ...options, ...parameters }, context)
    const decision = { released: chosen.released }
    const rows = countReleasedRows(log, decision)
    return {
      kind: "queries",
      decision,
      guarantee: promiseAffinity({ k: options.k, theta: options.theta, counted: log.unit }),
      withheld: describeWithheld(built, { ...chosen, withheldRows: log.rows - rows, k: options.k }),
      warnings: warnOfRules(parameters, { isEmpty: rows === 0 }),
      measured: measureRelease(built, chosen, options),
      audit: { degrees: table, concepts: auditConcepts(built) },
    }
  },
}

/** What was chosen, from which graph, and the table of degrees. */
interface Choice extends ChosenQueries {
  built: ExpandedLog
  table: Table
}

type Settled = AffinityOptions & AffinityParameters

async function chooseExactly(log: SearchLog, options: Settled, context: RunContext): Promise<Choice> {
  const built = await buildAffinityGraph(log, options, context)
  await breathe(context, { stage: "peeling", done: 0, total: 2 })
  const degrees = degreesOfQueries(built, anonymityDegrees(built.graph, built.users, { cap: log.users.size + 1 }))
  await breathe(context, { stage: "peeling", done: 1, total: 2 })
  const named = await markRareNames(log, built, options, context)
  const released = selectQueries(log, built, { k: options.k, named })
  return { built, released, named, degrees, table: auditDegrees(log, built, degrees) }
}

/** The approximate mode: degrees of the chosen queries only, from their surroundings; nothing else is released. */
async function chooseNearby(log: SearchLog, options: Settled, context: RunContext): Promise<Choice> {
  const { theta, k, vmax = defaultVmax, queries, sample } = options
  const built = await expandLog(log, options, context)
  const found = await approximateDegrees(log, built, { theta, vmax, queries, sample }, context)
  const named = await markRareNames(log, built, options, context)
  const released = selectApproximately(log, built, { found, k, named })
  return { built, released, named, ...found, table: auditApproximateDegrees(log, built, found) }
}

/**
 * The degree of each query: that of its vector, or its own users where it has none. Plain and excluded queries are
 * vertices without edges, so a query of k users has a degree of at least k, whatever the options.
 */
export function degreesOfQueries({ counts, expanded }: ExpandedLog, ofVector: Uint32Array): Uint32Array {
  return Uint32Array.from(expanded.vectorOf, (vector, query) => (vector < 0 ? counts.users[query] : ofVector[vector]))
}

/** 1 for queries of fewer than k users that seem to name a person, where such are to be scrubbed. */
async function markRareNames(
  log: SearchLog,
  { counts }: ExpandedLog,
  options: AffinityOptions & { scrub?: string; scrubExempt?: string },
  context: RunContext,
): Promise<Uint8Array> {
  const marks = new Uint8Array(log.queries.size)
  if ((parseKinds(options.scrub ?? "none") & kindBit("person")) === noKinds) return marks
  const found = await findIdentifiers(log.queries, kindBit("person"), context)
  for (const text of parseExempt(options.scrubExempt)) {
    const query = log.queries.find(text)
    if (query >= 0) found[query] = noKinds
  }
  for (let query = 0; query < marks.length; query++) {
    if (found[query] !== noKinds && counts.users[query] < options.k) marks[query] = 1
  }
  return marks
}

/** 1 for queries that are released: degree at least k among those that are not left out for a name. */
function selectQueries(
  log: SearchLog,
  built: AffinityGraph,
  { k, named }: { k: number; named: Uint8Array },
): Uint8Array {
  const users = usersOfVectors(log, built.expanded, named)
  const degrees = degreesOfQueries(built, anonymityDegrees(built.graph, users, { cap: k }))
  return Uint8Array.from(degrees, (degree, query) => (degree >= k && named[query] === 0 ? 1 : 0))
}
