import { Type } from "#typebox"
import { yieldAndReport } from "../../kernels/context.ts"
import { type Candidates, describeCandidates } from "../../kernels/linkage/rank-person.ts"
import { namingCurve, recallAtPrecision } from "../../kernels/linkage/recall-at-precision.ts"
import { wilsonInterval } from "../../kernels/statistics/wilson-interval.ts"
import { traitsOf } from "../../methods/guarantee.ts"
import type { Probe } from "../../probes/probe.ts"
import type { Finding } from "../../probes/score.ts"
import { hasTrail } from "../../release/follow-trail.ts"
import { curveTable } from "../naming-table.ts"
import { traceRows } from "../truth/trace-rows.ts"
import { conceptProfiles } from "./concept-profiles.ts"
import { drawNames, drawRecords, findAbsent, type Target } from "./draw-targets.ts"
import { earlierSearches } from "./earlier-searches.ts"
import { type LinkedTargets, linkTargets } from "./link-targets.ts"
import { wordProfiles } from "./word-profiles.ts"

const options = Type.Object({
  profileSplit: Type.Number({
    default: 0.6667,
    minimum: 0.05,
    maximum: 0.95,
    description: "profile: let the attacker know this share of the log's searches, the earliest",
  }),
  profileSmoothing: Type.Number({
    default: 0.6,
    exclusiveMinimum: 0,
    maximum: 1,
    description: "profile: weigh the more similar searches of a profile by this",
  }),
  profileTargets: Type.Integer({
    default: 2000,
    minimum: 1,
    maximum: 10_000_000,
    description: "profile: try to link this many searches and names",
  }),
})

/**
 * The adversary holds each user's searches of an earlier time and links what the release shows of a later time to a
 * person: each search by its text alone, and each name by all its texts. After Petit et al. 2016 (SimAttack); see
 * docs/methods/attacks.md. The person named is the one whose profile is most similar; ties count by their expectation.
 */
export const profile: Probe<typeof options> = {
  name: "profile",
  summary: "an attacker holds everyone's earlier searches: later searches and names that are linked to their person",
  options,
  applies: (subject, { profileSplit }) => {
    const { release, log, audit } = subject
    if (audit !== undefined && audit.release !== release.manifest.id) return "the audit belongs to another release"
    if (traitsOf(release.manifest.guarantee).shows === "concepts" && !hasTrail(subject))
      return "needs to know which search each concept stands for (--audit DIR)"
    return earlierSearches(log, profileSplit).inBoth > 0 ? true : "nobody searched both before and after the split"
  },
  async run(subject, { profileSplit: share, profileSmoothing: smoothing, profileTargets: most }, context) {
    const { release, log } = subject
    const { random } = context
    const traced = await traceRows(subject, context)
    const { released } = traced
    const earlier = earlierSearches(log, share)
    const isConcepts = traitsOf(release.manifest.guarantee).shows === "concepts"
    await yieldAndReport(context, { stage: "indexing profiles", done: 0 })
    const profiles = await (isConcepts ? conceptProfiles : wordProfiles)(log, { share, released }, context)
    const isAbsent = findAbsent(log, traced, earlier)
    const candidates = describeCandidates(isAbsent, { count: profiles.index.profiles })
    const link = async (unit: string, targets: readonly Target[]) =>
      scoresOf(unit, await linkTargets(targets, { profiles, candidates, smoothing }, context), candidates)
    const records = await link("record", drawRecords(log, traced, { earlier, most, random }))
    const canDate = traced.isDated || traced.showsTime
    if (traced.ownerOf === undefined || !canDate) return records
    return [...records, ...(await link("name", drawNames(log, traced, { earlier, most, random })))]
  },
}

function scoresOf(unit: string, linked: LinkedTargets, { count, marked, harmonic }: Candidates): Finding[] {
  const n = linked.right.length
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)
  const mean = (values: Float64Array) => (n === 0 ? 0 : sum(values) / n)
  const curve = namingCurve(linked.confidence, linked.right)
  const share = (score: string, values: Float64Array, baseline: number): Finding => {
    const interval = wilsonInterval(sum(values), n)
    return { score, value: mean(values), interval, n, baseline, better: "lower" }
  }
  return [
    share(unit, linked.right, 1 / count),
    {
      score: `${unit}-mrr`,
      value: mean(linked.reciprocalRank),
      n,
      baseline: harmonic[count] / count,
      chance: null,
      better: "lower",
    },
    {
      score: `${unit}-recall`,
      at: { precision: 90 },
      value: recallAtPrecision(curve, 0.9),
      n,
      baseline: count === 1 ? 1 : 0,
      better: "lower",
      series: curveTable(curve),
    },
    { ...share(`${unit}-control`, linked.marked, marked / count), better: "higher" },
  ]
}
