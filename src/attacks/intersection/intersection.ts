import { Type } from "#typebox"
import { namingCurve, recallAtPrecision } from "../../kernels/linkage/recall-at-precision.ts"
import { wilsonInterval } from "../../kernels/statistics/wilson-interval.ts"
import type { ReleaseProbe } from "../../probes/probe.ts"
import { type Finding, labelWithProbe } from "../../probes/score.ts"
import { nameLifetimeOf } from "../../release/manifest.ts"
import { curveTable } from "../naming-table.ts"
import { canFindOwners, shownUnit, traceRows } from "../truth/trace-rows.ts"
import { drawNames, findOwners } from "./draw-names.ts"
import { type LinkedNames, linkNames } from "./link-names.ts"
import { shareFeatures } from "./shared-features.ts"

const options = Type.Object({
  intersectionTargets: Type.Integer({
    default: 2000,
    minimum: 1,
    maximum: 10_000_000,
    description: "intersection: try to link this many names",
  }),
})

/**
 * The adversary holds two releases whose periods overlap. They link each name of one release to the name of the other
 * that shows most of the same: rows with equal text and time, and equal url if both show one. Rarer matches weigh more.
 * A link is right if both names stand for one person. Two linked names show more about a person than either alone.
 */
export const intersection: ReleaseProbe<typeof options> = {
  name: "intersection",
  looksAt: "any",
  summary: "names of two releases of overlapping periods that are linked by what both show (needs --other)",
  options,
  label: (scored) => labelWithProbe("intersection", scored, "-"),
  applies: ({ release, audit, other }) => {
    if (release.kind !== "rows" || (other !== undefined && other.release.kind !== "rows"))
      return "there are no names in tables of counts; what two noisy releases cost together is in the budget ledger"
    if (other?.release.kind !== "rows") return "needs a second release (--other DIR)"
    const both = [
      { release, audit },
      { release: other.release, audit: other.audit },
    ]
    if (release.manifest.id === other.release.manifest.id) return "the second release is the first"
    if (both.some(({ release: { manifest } }) => nameLifetimeOf(manifest) === "drop"))
      return "a release that names no users has no names to link"
    if (both.every(({ release: { manifest } }) => nameLifetimeOf(manifest) === "keep"))
      return "both show the log's own ids, which join them without an attack"
    if (both.some(({ release: { manifest }, audit }) => audit !== undefined && audit.release !== manifest.id))
      return "an audit belongs to another release"
    return both.every(canFindOwners) ? true : "needs to know whose name each is (--audit DIR, --other-audit DIR)"
  },
  async run(subject, { intersectionTargets: most }, context) {
    const { release, log, audit, other } = subject
    if (release.kind !== "rows" || other?.release.kind !== "rows") return []
    const own = await traceRows({ log, release, audit }, context)
    const second = await traceRows({ log, release: other.release, audit: other.audit }, context)
    const timeUnit = longerUnit(shownUnit(release.manifest), shownUnit(other.release.manifest))
    const features = shareFeatures(own.released, second.released, { timeUnit })
    const people = await findOwners(second, context)
    const targets = drawNames(own, { second, timeUnit, people, most }, context)
    return scoresOf(await linkNames(targets, { features, people }, context))
  },
}

/**
 * Times truncated to two different units can be compared by the longer unit; not at all if one of them is not shown.
 */
const longerUnit = (a: number | undefined, b: number | undefined) =>
  a === undefined || b === undefined ? undefined : Math.max(a, b)

function scoresOf({ right, confidence, chance, alone, joined }: LinkedNames): Finding[] {
  const n = right.length
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)
  const mean = (values: Float64Array) => (n === 0 ? 0 : sum(values) / n)
  const curve = namingCurve(confidence, right)
  return [
    {
      score: "intersection",
      value: mean(right),
      interval: wilsonInterval(sum(right), n),
      n,
      baseline: mean(chance),
      better: "lower",
    },
    {
      score: "recall",
      at: { precision: 90 },
      value: recallAtPrecision(curve, 0.9),
      n,
      baseline: 0,
      better: "lower",
      series: curveTable(curve),
    },
    { score: "joined", value: mean(joined), n, baseline: mean(alone), chance: null, better: "lower" },
  ]
}
