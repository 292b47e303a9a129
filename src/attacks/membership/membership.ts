import { Type } from "#typebox"
import type { RunContext } from "../../kernels/context.ts"
import { withoutQueries, withoutUsers } from "../../log/filter-log.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { openPool } from "../../methods/counts/open-pool.ts"
import { sensitiveQueries } from "../../methods/counts/paper.ts"
import { findInLog } from "../../methods/counts/pool.ts"
import { transitionRule } from "../../methods/counts/transition-rule.ts"
import { type DpGuarantee, ledgerNumber } from "../../methods/dp-guarantee.ts"
import { traitsOf } from "../../methods/guarantee.ts"
import { hasQueries, type ProbeSubject, type ReleaseProbe } from "../../probes/probe.ts"
import type { Finding } from "../../probes/score.ts"
import type { Release } from "../../release/read-release.ts"
import { scrubLog, scrubRuleOf } from "../../release/scrub.ts"
import { repeatable, runAgain } from "../run-again.ts"
import { drawTargets, splitTargets } from "./draw-targets.ts"
import { judgeBest, judgeCut } from "./judge-guess.ts"
import { readRarity } from "./rarity-readings.ts"
import { readShownKeys } from "./shown-keys.ts"
import { weighCounts } from "./weigh-counts.ts"

const options = Type.Object({
  members: Type.Integer({
    default: 2000,
    minimum: 10,
    maximum: 1_000_000,
    description: "membership: test this many users who are left out, at most about half, and as many who stay in",
  }),
})

const fewestUsers = 20
/**
 * Log-likelihood ratios that differ by less count as equal. Otherwise the rounding error of a sum that should be 0
 * would distinguish n from n − 1.
 */
const rounding = 1e-9

/**
 * Was this person in the log? Everybody was in the log of a finished release, so the method is run again, with the
 * release's own parameters, on the log without a control group. Each user is left out independently at random, and the
 * adversary must distinguish those from as many who stayed in. The adversary knows the person's own searches; for
 * tables, the score `informed` also assumes that they know everybody else's.
 *
 * The advantage is the true positive rate minus the false positive rate. Differential privacy bounds it for each user,
 * whatever the adversary knows: TPR ≤ e^ε·FPR + δ and 1 − FPR ≤ e^ε·(1 − TPR) + δ give TPR − FPR ≤ (e^ε − 1 + 2δ)/(e^ε
 * + 1), which is `bound`.
 */
export const membership: ReleaseProbe<typeof options> = {
  name: "membership",
  looksAt: "any",
  summary: [
    "whether a person was in the log: the method runs again without a control group,",
    "to be distinguished from members",
  ].join(" "),
  options,
  applies: (subject) => {
    if (subject.log.users.size < fewestUsers) return `the log has fewer than ${fewestUsers} users`
    const again = repeatable(subject.release.manifest)
    return again === true ? hasQueries(subject) : again
  },
  run: (subject, values, context) =>
    guessMembers((log, own) => runAgain(subject.release.manifest, log, own), { ...subject, ...values }, context),
}

/** `membership` for the release that `run` makes from the log without the control group. */
export async function guessMembers(
  run: (log: SearchLog, context: RunContext) => Promise<Release>,
  subject: Pick<ProbeSubject<Release>, "release" | "log"> & { members: number },
  context: RunContext,
): Promise<Finding[]> {
  const { release, log, members } = subject
  const { parameters } = release.manifest
  const { noise: guarantee } = traitsOf(release.manifest.guarantee)
  const targets = drawTargets(log, members, context.random)
  const shown = await readShownKeys(await run(withoutUsers(log, targets.isOut), context), log, context)
  const rule = transitionRule(parameters)
  const split = (scores: Float64Array) => splitTargets(targets, scores)
  const rarity = readRarity(log, { shown, rule }, targets).map(split)
  const blind: Finding = { score: "membership", ...judgeBest(rarity), baseline: 0, better: "lower" }
  if (guarantee === undefined) return [blind]
  const scrub = String(parameters.scrub)
  const view = {
    ...targets,
    log: await readAsMethod(log, { isOut: targets.isOut, scrub, mode: guarantee.mode }, context),
    shown,
    mechanisms: guarantee.mechanisms,
    bound: countsSearches(guarantee.mode) ? "searches" : parameters.bound === "random" ? "random" : "first",
    rule,
    isPublic: await markPublic(log, { pool: guarantee.pool, scrub }, context),
  } as const
  // No cut is fitted: a ratio above 1 is the optimal test. A cut fitted on other targets would use knowledge of who is
  // in.
  const ratios = split(await weighCounts(view, context))
  const informed: Finding = { score: "informed", ...judgeCut(ratios, rounding), baseline: 0, better: "lower" }
  if (guarantee.unit !== "user" || guarantee.mode === "paper") return [blind, informed]
  return [blind, informed, { score: "bound", value: largestAdvantage(guarantee), chance: null, better: "lower" }]
}

/** Modes that count each of a user's first searches, instead of their first distinct keys. */
const countsSearches = (mode: DpGuarantee["mode"]) => mode === "paper" || mode === "korolova"

/** The log without what the method removes before it counts: identifiers and, in the paper's mode, rare queries. */
async function readAsMethod(
  log: SearchLog,
  { isOut, scrub, mode }: { isOut: Uint8Array; scrub: string; mode: DpGuarantee["mode"] },
  context: RunContext,
): Promise<SearchLog> {
  const { log: scrubbed } = await scrubLog(log, scrubRuleOf({ scrub }), context)
  if (mode !== "paper") return scrubbed
  return withoutQueries(scrubbed, await sensitiveQueries(withoutUsers(scrubbed, isOut), context))
}

/** For each query of the log, 1 if it is on the public list. */
async function markPublic(
  log: SearchLog,
  { pool, scrub }: { pool: string; scrub: string },
  context: RunContext,
): Promise<Uint8Array> {
  const isPublic = new Uint8Array(log.queries.size)
  if (pool === "none") return isPublic
  for (const query of findInLog(await openPool({ pool, scrub }, context), log.queries))
    if (query >= 0) isPublic[query] = 1
  return isPublic
}

function largestAdvantage(guarantee: Pick<DpGuarantee, "epsilon" | "delta">): number {
  const [epsilon, delta] = [ledgerNumber(guarantee.epsilon), ledgerNumber(guarantee.delta)]
  // (e^ε − 1 + 2δ)/(e^ε + 1), computed without e^ε, which can overflow
  return Math.min(1, Math.tanh(epsilon / 2) + (2 * delta * Math.exp(-epsilon)) / (1 + Math.exp(-epsilon)))
}
