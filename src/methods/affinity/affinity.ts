import { type Static, Type } from "typebox"
import { anonymityDegrees } from "../../kernels/anonymity-degrees.ts"
import { breathe, type RunContext } from "../../kernels/context.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { findIdentifiers } from "../../text/identifiers/find-identifiers.ts"
import { kindBit, noKinds, parseKinds } from "../../text/identifiers/kinds.ts"
import { tokenOptions } from "../../text/tokens.ts"
import { promiseAffinity } from "../guarantee.ts"
import { rowsOfQueries } from "../keep-rows.ts"
import type { Method } from "../method.ts"
import { type AffinityGraph, type AffinityParameters, buildAffinityGraph, usersOfVectors } from "./affinity-graph.ts"
import { auditConcepts, auditDegrees } from "./audit.ts"
import { queryStates } from "./expand-queries.ts"

export const affinityOptions = Type.Object({
  k: Type.Integer({
    default: 10,
    minimum: 1,
    maximum: 1_000_000_000,
    description: "users that a query and the released queries affine to it must have together",
  }),
  theta: Type.Number({
    default: 0.9,
    minimum: 0.05,
    maximum: 1,
    description: "how similar affine queries are: the least cosine of their concepts",
  }),
  minConceptUsers: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: "users that make words a concept (default: k, and at least one in ten thousand of all users)",
    }),
  ),
  minTermUsers: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "users that every word of a query needs, unless the query has no concept (default: as for a concept)",
    }),
  ),
  conceptRule: Type.Enum(["safe", "paper"], {
    default: "safe",
    description: "the default for concepts: at least k users too, or one in ten thousand alone",
  }),
  functionWords: Type.String({
    default: "english",
    placeholder: "file|english|none",
    description: "words that are no concept by themselves: a file with one a line, the English ones, or none",
  }),
  ...tokenOptions.properties,
})

export type AffinityOptions = Static<typeof affinityOptions>

/** The numbers that the options give for a log. */
export function affinityParameters(options: AffinityOptions, log: SearchLog): AffinityParameters {
  const share = Math.max(1, Math.ceil(log.users.size / 10_000))
  const minConceptUsers =
    options.minConceptUsers ?? (options.conceptRule === "paper" ? share : Math.max(options.k, share))
  const { theta, functionWords, tokens } = options
  return { theta, functionWords, tokens, minConceptUsers, minTermUsers: options.minTermUsers ?? minConceptUsers }
}

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
    const built = await buildAffinityGraph(log, affinityParameters(options, log), context)
    await breathe(context, { stage: "peeling", done: 0, total: 2 })
    const degrees = degreesOfQueries(built, anonymityDegrees(built.graph, built.users, { cap: log.users.size + 1 }))
    await breathe(context, { stage: "peeling", done: 1, total: 2 })
    const named = await markRareNames(log, built, options, context)
    const released = selectQueries(log, built, { k: options.k, named })
    const keep = rowsOfQueries(log, released)
    return {
      kind: "rows",
      keep,
      guarantee: promiseAffinity({ k: options.k, theta: options.theta, counted: log.unit }),
      withheld: describeWithheld(log, built, { released, named, keep }),
      audit: { degrees: auditDegrees(log, built, degrees), concepts: auditConcepts(built) },
    }
  },
}

/** The degree of each query: its own users when it is plain, 0 when it is excluded, else that of its vector. */
export function degreesOfQueries({ counts, expanded }: AffinityGraph, ofVector: Uint32Array): Uint32Array {
  const { state, vectorOf } = expanded
  return Uint32Array.from(state, (code, query) => {
    if (queryStates[code] === "plain") return counts.users[query]
    return queryStates[code] === "excluded" ? 0 : ofVector[vectorOf[query]]
  })
}

/** 1 for queries of fewer than k users that seem to name a person, where such are to be scrubbed. */
async function markRareNames(
  log: SearchLog,
  { counts }: AffinityGraph,
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
  { expanded, counts }: AffinityGraph,
  { released, named, keep }: { released: Uint8Array; named: Uint8Array; keep: Uint32Array },
): Record<string, number> {
  const sum = { names: 0, excluded: 0, underK: 0 }
  for (let query = 0; query < released.length; query++) {
    if (released[query] === 1 || counts.users[query] === 0) continue
    if (named[query] === 1) sum.names++
    else if (queryStates[expanded.state[query]] === "excluded") sum.excluded++
    else sum.underK++
  }
  return {
    "rows of queries that are not released": log.rows - keep.length,
    "queries of fewer than k users with a likely person name": sum.names,
    "queries with a word of too few users": sum.excluded,
    "queries of a degree under k": sum.underK,
  }
}
