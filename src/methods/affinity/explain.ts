import type { RunContext } from "../../kernels/context.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { parseExempt } from "../../text/identifiers/exempt-queries.ts"
import { kindBit, noKinds, parseKinds } from "../../text/identifiers/kinds.ts"
import { detectKinds } from "../../text/identifiers/registry.ts"
import { type Explanation, notReleased, outcomeOf, released } from "../explanation.ts"
import { type ExpandedLog, expandLog } from "./affinity-graph.ts"
import { approximateDegree, openNeighbours } from "./approximate.ts"
import { listCandidates } from "./approximate-release.ts"
import { chooseExactly, chooseNearby, type ScrubChoice, type SettledOptions } from "./choose-queries.ts"
import { conceptsOf, describeSurroundings, type QuerySurroundings } from "./describe-surroundings.ts"
import { queryStates } from "./expand-queries.ts"
import { changeExactly, changeOwnUsers } from "./explain-changes.ts"
import { type AffinityOptions, affinityParameters, defaultVmax, refuseWithoutApproximate } from "./options.ts"

/** Why the method releases a query or not. The exact mode involves no chance; a sample of the approximate mode does. */
export async function explainAffinity(
  log: SearchLog,
  query: number,
  given: AffinityOptions & ScrubChoice,
  context: RunContext,
): Promise<Explanation> {
  refuseWithoutApproximate(given)
  const options = { ...given, ...affinityParameters(given, log) }
  if (options.approximate === true) return explainNearby(log, query, options, context)
  const chosen = await chooseExactly(log, options, context)
  const { built, degrees, named } = chosen
  const { graph, expanded } = built
  const ofVector = new Uint32Array(expanded.vectors.offsets.length - 1)
  expanded.vectorOf.forEach((vector, other) => {
    if (vector >= 0) ofVector[vector] = degrees[other]
  })
  const around =
    expanded.vectorOf[query] < 0
      ? undefined
      : describeSurroundings(log, built, {
          query,
          neighbours: (v) => graph.neighbours.subarray(graph.offsets[v], graph.offsets[v + 1]),
          vmax: defaultVmax,
          degreeOf: (vector) => ofVector[vector],
        })
  const isReleased = chosen.released[query] === 1
  const found = { query, degree: degrees[query], bound: "exact", isNamed: named[query] === 1, isReleased } as const
  return {
    ...(isReleased ? released : notReleased),
    ...describe(built, { ...found, around }, options),
    changes: changeExactly(log, { ...chosen, query }, { ...options, given }),
  }
}

/** The approximate mode: releases only queries that it examined. */
async function explainNearby(
  log: SearchLog,
  query: number,
  options: SettledOptions,
  context: RunContext,
): Promise<Explanation> {
  const { k, theta, vmax = defaultVmax, sample } = options
  const built = await expandLog(log, options, context)
  const neighbours = openNeighbours(built.expanded.vectors, { theta })
  const { degree, closed } = approximateDegree(built, query, { neighbours, vmax })
  const users = built.counts.users[query]
  const candidates = listCandidates(log, built, options)
  const isCandidate = candidates.includes(query)
  const isNamed = users < k && seemsPerson(log.queries.text(query), options)
  const around =
    built.expanded.vectorOf[query] < 0 ? undefined : describeSurroundings(log, built, { query, neighbours, vmax })
  const drawn = sample === undefined ? 1 : Math.min(1, sample / candidates.length)
  const found = { query, degree, bound: closed ? "exact" : "lower", isNamed, around } as const
  if (!isCandidate || isNamed || degree < k) {
    const described = describe(built, { ...found, isReleased: false }, options)
    const reasons = isCandidate ? described.reasons : ["It is not in the list of --queries: nothing else is released."]
    const changes = isCandidate && drawn === 1 ? changeOwnUsers({ users, k }) : []
    return { ...notReleased, ...described, reasons, changes }
  }
  if (drawn < 1) {
    const described = describe(built, { ...found, isReleased: true }, options)
    const chance = [
      `The release draws ${sample} of ${candidates.length} queries at random (--sample).`,
      `The chance that this one is drawn is ${drawn.toPrecision(3)}.`,
    ].join(" ")
    const others = "It then also needs the users of other drawn queries. That chance is not computed."
    const reasons = [...described.reasons, chance, ...(users >= k ? [] : [others])]
    return { ...outcomeOf(users >= k ? drawn : 0, drawn), ...described, reasons, changes: [] }
  }
  const chosen = await chooseNearby(log, options, context)
  const isReleased = chosen.released[query] === 1
  return {
    ...(isReleased ? released : notReleased),
    ...describe(built, { ...found, isReleased }, options),
    changes: isReleased ? [] : changeOwnUsers({ users, k }),
  }
}

const seemsPerson = (text: string, { scrub = "none", scrubExempt }: SettledOptions): boolean =>
  !parseExempt(scrubExempt).has(text) && detectKinds(text, parseKinds(scrub) & kindBit("person")) !== noKinds

const sentences = {
  expanded: "It has concepts: queries that are affine to it protect it too.",
  plain: "It has no concept: only its own users protect it.",
  excluded:
    "It has a concept and a word of too few users: only its own users protect it, and it protects no other query.",
}

interface ExplainedQuery {
  query: number
  degree: number
  bound: "exact" | "lower"
  isNamed: boolean
  isReleased: boolean
  around: QuerySurroundings | undefined
}

function describe(
  built: ExpandedLog,
  { query, degree, bound, isNamed, isReleased, around }: ExplainedQuery,
  { k, theta, minConceptUsers, minTermUsers }: SettledOptions,
): Pick<Explanation, "reasons" | "facts" | "tables" | "graph"> {
  const state = queryStates[built.expanded.state[query]]
  const users = built.counts.users[query]
  const least = bound === "lower" ? "at least " : ""
  const verdict = degree >= k ? "enough" : bound === "lower" ? "not shown to be enough" : "not enough"
  const concepts = conceptsOf(built, query)
  return {
    reasons: [
      sentences[state],
      `Users: ${users}. Degree at θ = ${theta}: ${least}${degree}, ${verdict} for k = ${k}.`,
      ...(isNamed
        ? ["It seems to name a person and has fewer than k users of its own: it is withheld, whatever its degree."]
        : degree >= k && !isReleased
          ? ["It reaches that degree only with queries that are not released: without them it has fewer than k users."]
          : []),
      ...(around === undefined ? [] : [describeGraph(around)]),
    ],
    facts: {
      state,
      users,
      degree,
      bound,
      k,
      theta,
      minConceptUsers,
      minTermUsers,
      ...(around && { affine: around.affine }),
    },
    tables: {
      ...(concepts.rows > 0 && { Concepts: concepts }),
      ...(around !== undefined && around.affine > 0 && { "Affine queries": around.neighbours }),
    },
    ...(around && { graph: around.graph }),
  }
}

function describeGraph({ affine, neighbours, graph }: QuerySurroundings): string {
  const more = affine > neighbours.rows ? `, of which ${neighbours.rows} are shown` : ""
  const whole = graph.closed ? "and nothing else is connected with them" : "and there are more"
  return [
    `Affine queries: ${affine}${more}.`,
    `Around it: ${graph.queries} queries, itself included,`,
    `with ${graph.vectors} different sets of concepts, ${whole}.`,
    `In its core: ${graph.inCore}.`,
  ].join(" ")
}
