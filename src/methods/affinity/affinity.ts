import { anonymityDegrees } from "../../kernels/anonymity-degrees.ts"
import { breathe, type RunContext } from "../../kernels/context.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { findIdentifiers } from "../../text/identifiers/find-identifiers.ts"
import { kindBit, noKinds, parseKinds } from "../../text/identifiers/kinds.ts"
import { rowsOfQueries } from "../keep-rows.ts"
import type { Method } from "../method.ts"
import { promiseAffinity } from "../query-guarantees.ts"
import type { Table } from "../table.ts"
import {
  type AffinityGraph,
  buildAffinityGraph,
  type ExpandedLog,
  expandLog,
  usersOfVectors,
} from "./affinity-graph.ts"
import { approximateDegrees, selectApproximately } from "./approximate-release.ts"
import { auditApproximateDegrees, auditConcepts, auditDegrees } from "./audit.ts"
import { queryStates } from "./expand-queries.ts"
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
    const { built, degrees, ...choice } = await (options.approximate === true ? chooseNearby : chooseExactly)(
      log,
      options,
      context,
    )
    const keep = rowsOfQueries(log, choice.released)
    return {
      kind: "rows",
      keep,
      guarantee: promiseAffinity({ k: options.k, theta: options.theta, counted: log.unit }),
      withheld: describeWithheld(log, built, { ...choice, keep }),
      warnings: keep.length === 0 ? [] : [ofOnePerson],
      measured: countOfOne(choice.released, built.counts.users),
      audit: { degrees, concepts: auditConcepts(built) },
    }
  },
}

const ofOnePerson =
  "Many texts that affinity releases were typed by one person alone: what is counted is the users of similar texts together. The receipt says how many of this log. To release only texts that k users typed, use anonymize equality."

/** How many of the released texts one user typed alone. */
function countOfOne(released: Uint8Array, users: Uint32Array): Record<string, number> {
  let texts = 0
  let ofOne = 0
  for (let query = 0; query < released.length; query++) {
    if (released[query] === 0) continue
    texts++
    if (users[query] === 1) ofOne++
  }
  return { texts, "texts of one user": ofOne, share: texts === 0 ? 0 : ofOne / texts }
}

/** What is released, what was left out for a name, and the table of degrees. */
interface Choice {
  built: ExpandedLog
  released: Uint8Array
  named: Uint8Array
  /** 1 for the queries that were looked at, where not all were. */
  listed?: Uint8Array
  degrees: Table
}

async function chooseExactly(log: SearchLog, options: AffinityOptions, context: RunContext): Promise<Choice> {
  const built = await buildAffinityGraph(log, affinityParameters(options, log), context)
  await breathe(context, { stage: "peeling", done: 0, total: 2 })
  const degrees = degreesOfQueries(built, anonymityDegrees(built.graph, built.users, { cap: log.users.size + 1 }))
  await breathe(context, { stage: "peeling", done: 1, total: 2 })
  const named = await markRareNames(log, built, options, context)
  const released = selectQueries(log, built, { k: options.k, named })
  return { built, released, named, degrees: auditDegrees(log, built, degrees) }
}

/** The approximate mode: degrees of the chosen queries only, from their surroundings; nothing else is released. */
async function chooseNearby(log: SearchLog, options: AffinityOptions, context: RunContext): Promise<Choice> {
  const { theta, k, vmax = defaultVmax, queries, sample } = options
  const built = await expandLog(log, affinityParameters(options, log), context)
  const found = await approximateDegrees(log, built, { theta, vmax, queries, sample }, context)
  const named = await markRareNames(log, built, options, context)
  const released = selectApproximately(log, built, { found, k, named })
  return { built, released, named, listed: found.listed, degrees: auditApproximateDegrees(log, built, found) }
}

/** The degree of each query: its own users when it is plain, 0 when it is excluded, else that of its vector. */
export function degreesOfQueries({ counts, expanded }: ExpandedLog, ofVector: Uint32Array): Uint32Array {
  const { state, vectorOf } = expanded
  return Uint32Array.from(state, (code, query) => {
    if (queryStates[code] === "plain") return counts.users[query]
    return queryStates[code] === "excluded" ? 0 : ofVector[vectorOf[query]]
  })
}

/** 1 for queries of fewer than k users that seem to name a person, where such are to be scrubbed. */
async function markRareNames(
  log: SearchLog,
  { counts }: ExpandedLog,
  options: AffinityOptions & { scrub?: string },
  context: RunContext,
): Promise<Uint8Array> {
  const marks = new Uint8Array(log.queries.size)
  if ((parseKinds(options.scrub ?? "none") & kindBit("person")) === noKinds) return marks
  const found = await findIdentifiers(log.queries, kindBit("person"), context)
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

function describeWithheld(
  log: SearchLog,
  { expanded, counts }: ExpandedLog,
  { released, named, listed, keep }: Pick<Choice, "released" | "named" | "listed"> & { keep: Uint32Array },
): Record<string, number> {
  const sum = { names: 0, excluded: 0, underK: 0, unseen: 0 }
  for (let query = 0; query < released.length; query++) {
    if (released[query] === 1 || counts.users[query] === 0) continue
    if (listed?.[query] === 0) sum.unseen++
    else if (named[query] === 1) sum.names++
    else if (queryStates[expanded.state[query]] === "excluded") sum.excluded++
    else sum.underK++
  }
  return {
    "rows of queries that are not released": log.rows - keep.length,
    "queries of fewer than k users with a likely person name": sum.names,
    "queries with a word of too few users": sum.excluded,
    "queries of a degree under k": sum.underK,
    ...(listed !== undefined && { "queries that were not looked at": sum.unseen }),
  }
}
