import type { Method } from "../method.ts"
import { countReleasedRows } from "../query-decision.ts"
import { affinityGuarantee } from "../query-guarantees.ts"
import { auditApproximateDegrees, auditConcepts, auditDegrees } from "./audit.ts"
import { chooseExactly, chooseNearby } from "./choose-queries.ts"
import { describeWithheld, measureRelease, warnOfRules } from "./describe-release.ts"
import { explainAffinity } from "./explain.ts"
import { affinityOptions, affinityParameters, refuseWithoutApproximate } from "./options.ts"

/**
 * k_θ-affinity, Carpineto & Romano 2015: releases the rows of queries whose anonymity degree is at least k. Exact, on
 * the whole log. A query that seems to name a person is left out if it has fewer than k users of its own. The degrees
 * that decide are computed without these queries, so that the released queries protect each other.
 *
 * Guarantee: the unit is one query text. For each released query, readers find at least k users of the log who issued
 * it or released queries that are θ-affine to it. Shown by peeling, here, and in the verifier by counting the users
 * around each released query inside the release.
 */
export const affinity: Method<typeof affinityOptions> = {
  name: "affinity",
  summary: "release also rare refinements of common queries (k-anonymity under affinity)",
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
    const chosen = await choose(log, { ...options, ...parameters }, context)
    const { built } = chosen
    const degrees =
      "found" in chosen ? auditApproximateDegrees(log, built, chosen.found) : auditDegrees(log, built, chosen.degrees)
    const decision = { released: chosen.released }
    const rows = countReleasedRows(log, decision)
    return {
      kind: "queries",
      decision,
      guarantee: affinityGuarantee({ k: options.k, theta: options.theta, counted: log.unit }),
      withheld: describeWithheld(built, { ...chosen, withheldRows: log.rows - rows, k: options.k }),
      warnings: warnOfRules(parameters, { isEmpty: rows === 0 }),
      measured: measureRelease(built, chosen, options),
      audit: { degrees, concepts: auditConcepts(built) },
    }
  },
  explain: explainAffinity,
}
