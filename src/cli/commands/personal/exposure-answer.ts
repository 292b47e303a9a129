import { tableOf } from "../../../kernels/table.ts"
import type { CostLayer } from "../../../personal/cost-layer.ts"
import type { Decision, Outcome } from "../../../personal/expose-profile.ts"
import { forbidSensitive } from "../../../personal/forbid-sensitive.ts"
import { metricsOf, stepsOf, wholeSeed } from "../../../personal/generalise.ts"
import { floorOf, noRisk } from "../../../personal/proxy/exposed.ts"
import { queryClass } from "../../../personal/query-classes.ts"
import { exposureRisk } from "../../../personal/risk.ts"
import { nodeOf } from "../../../personal/topic-tree.ts"
import { textTable } from "../../print.ts"

/** A risk, or null if no risk is counted. */
export const counted = ({ total }: CostLayer, risk: number) => (total === 0 ? null : risk)

/** The answer for machines. `forbidAbove` is the threshold of the baseline. */
export function describeDecision(
  decision: Decision,
  costs: CostLayer,
  { forbidAbove = 0 }: { forbidAbove?: number } = {},
) {
  const { outcome, exposure, powerWithoutProfile, seed, generalisation, metrics, util } = decision
  const { taxonomy } = costs.profile
  const model = seed === undefined ? undefined : exposureRisk(seed, costs)
  const paths = (topics: Iterable<number>) => Array.from(topics, (topic) => taxonomy.path(topic))
  const describeForbidding = (above: number) => {
    if (seed === undefined || model === undefined) return null
    const kept = forbidSensitive(seed, costs, { above })
    return { topics: kept.reduce((sum, mark) => sum + mark, 0), ...withRisk(metricsOf(seed, model, kept)) }
  }
  const withRisk = <M extends { risk: number }>(metrics: M) => ({ ...metrics, risk: counted(costs, metrics.risk) })
  return {
    outcome,
    kept: exposure.paths,
    dpWithoutProfile: powerWithoutProfile,
    queryClass: queryClass(powerWithoutProfile),
    util: util ?? null,
    /** The risk of the root alone. With a δ below it nothing can be shown. */
    floor: floorOf(costs),
    seed: seed === undefined || model === undefined ? null : withRisk(metricsOf(seed, model, wholeSeed(seed))),
    exposed: metrics === undefined ? null : withRisk(metrics),
    /** What forbidding (§3.2) would leave, for comparison. It keeps no bound, and is not exposed. */
    forbidding: describeForbidding(forbidAbove),
    gap: generalisation?.gap ?? null,
    taken: generalisation?.taken ?? 0,
    steps:
      seed === undefined || model === undefined || generalisation === undefined
        ? []
        : stepsOf(seed, model, generalisation.order).map(withRisk),
    sensitiveInQuery: paths(decision.sensitiveInQuery),
    sensitiveNotInProfile: paths(costs.declared.topic.filter((topic) => nodeOf(costs.profile, topic) < 0)),
  }
}

/** A path for readers. */
export const nameOf = (path: string) => (path === "" ? "(root)" : path)

/** The given bounds. */
interface Limits {
  delta: number
  sessionDelta?: number
  lifetimeDelta: number
  queryDelta: number
}

type Answer = ReturnType<typeof describeDecision> & { lifetimeRisk: number | null; queryRisk: number | null }

/** The answer for readers. */
export function explainDecision(answer: Answer, limits: Limits): string {
  const { outcome, kept, seed, exposed, steps, taken, lifetimeRisk, queryRisk } = answer
  const four = (value: number | null) => (value === null ? "–" : value.toFixed(4))
  const rows = [
    ...(seed === null ? [] : [{ pruned: "(seed profile)", ...seed }]),
    ...steps.map((step, i) => ({ ...step, pruned: `${step.pruned}${i >= taken ? "  (not needed)" : ""}` })),
  ].map(({ pruned, PG, TS, DP, risk }) => [pruned, ...[PG, TS, DP, risk].map(four)])
  const power = `DP of the query alone ${answer.dpWithoutProfile.toFixed(4)} (${answer.queryClass})`
  const risk = exposed?.risk === null ? noRisk : `risk ${four(exposed?.risk ?? null)}`
  const gained = exposed === null ? "" : `, with the exposed topics ${exposed.DP.toFixed(4)}, ${risk}`
  const ever =
    lifetimeRisk === null
      ? []
      : [
          `With everything shown to this engine so far, the risk is ${four(lifetimeRisk)}, ` +
            `of at most ${limits.lifetimeDelta}. Counting what the query reveals, it is ${four(queryRisk)}.`,
        ]
  return [
    ...(rows.length === 0 ? [] : [textTable(tableOf(["pruned", "PG", "TS", "DP", "risk"], rows)), ""]),
    `${power}${gained}.`,
    ...ever,
    ...explainForbidding(answer, limits),
    ...(answer.util !== null && answer.util <= 0 ? ["The profile is worth no more than sending none: util ≤ 0."] : []),
    ...(kept.length === 0 ? [`Nothing is exposed: ${reasons(answer, limits)[outcome]}.`] : ["", ...kept.map(nameOf)]),
  ].join("\n")
}

function explainForbidding({ forbidding }: Answer, { delta }: Limits): string[] {
  if (forbidding === null || forbidding.risk === null) return []
  const bound = forbidding.risk > delta ? `over the δ of ${delta}` : "within δ"
  const numbers = `DP ${forbidding.DP.toFixed(4)}, risk ${forbidding.risk.toFixed(4)}, ${bound}`
  return [`Forbidding alone would keep ${forbidding.topics} topics: ${numbers}.`]
}

function reasons({ floor }: { floor: number | null }, limits: Limits): Record<Outcome, string> {
  const { delta, sessionDelta, lifetimeDelta, queryDelta } = limits
  return {
    exposed: "",
    "sensitive-query": "the query is about a marked topic",
    "no-topic": "no topic of the query is in the profile",
    "distinct-query": "the query is distinct by itself",
    "over-delta": `the root alone has a risk of ${(floor ?? 0).toFixed(4)}, over the δ of ${delta}`,
    "over-session-delta": `with what the engine saw in this session, the risk would be over ${sessionDelta}`,
    "over-lifetime-delta": `with everything ever shown, the risk would be over ${lifetimeDelta}`,
    "over-query-delta": `counting what the query reveals, the risk would be over ${queryDelta}`,
    "no-gain": "the profile is worth no more than sending none",
  }
}
