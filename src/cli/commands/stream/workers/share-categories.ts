import { Type } from "#typebox"
import { openLog } from "../../../../app/open-log.ts"
import type { LogOptions } from "../../../../app/options.ts"
import { cutBySettings, type StreamSettings } from "../../../../stream/live/settings.ts"
import { balanceCategories } from "../../../../stream/workers/partition-table.ts"
import { categoriesOf, type WorkerPlan } from "../../../../stream/workers/worker-plan.ts"
import { openLogTopics } from "../../../../taxonomy/classify/log-topics.ts"
import type { Taxonomy } from "../../../../taxonomy/taxonomy.ts"
import type { Session } from "../../../session.ts"

export const partitionsFlag = {
  minimum: 1,
  maximum: 10_000,
  description: "share the categories among this many partitions; at most as many swappers can work",
}

export const weightsFlag = Type.Optional(
  Type.String({ placeholder: "log", description: "balance partitions by the searches of this log (default equally)" }),
)

interface WeightFlags extends LogOptions {
  weights?: string | undefined
  taxonomy?: string | undefined
  classifier?: string | undefined
}

/** Shares the categories among partitions, and says which part of the searches are of the largest; null if unknown. */
export async function shareCategories(
  session: Session,
  options: { given: WeightFlags; tree: Taxonomy; settings: StreamSettings; partitions: number },
): Promise<Pick<WorkerPlan, "table"> & { largest: number | null }> {
  const { tree, settings, partitions } = options
  const weights = await weigh(session, options)
  const weighed = categoriesOf(tree, settings).map((category) => ({ category, weight: weights[category] ?? 0 }))
  const shares = balanceCategories(weighed, partitions)
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0)
  return {
    table: weighed.map(({ category }, i) => [tree.path(category), shares[i] ?? 0]),
    largest: total === 0 ? null : Math.max(...weighed.map(({ weight }) => weight)) / total,
  }
}

/** By category: its searches in the log of --weights. */
async function weigh(
  session: Session,
  { given, tree, settings }: { given: WeightFlags; tree: Taxonomy; settings: StreamSettings },
): Promise<Float64Array> {
  const weights = new Float64Array(tree.size)
  if (given.weights === undefined) return weights
  const { log } = await openLog(given.weights, given, session.context)
  const choice = { taxonomy: given.taxonomy ?? "wordnet", classifier: given.classifier }
  const { topicOf } = await openLogTopics(log, choice, session.context)
  const cut = cutBySettings(tree, settings)
  for (const query of log.query) {
    const topic = topicOf[query] ?? -1
    const own = topic < 0 ? undefined : cut[topic]
    if (own !== undefined) weights[own] = (weights[own] ?? 0) + 1
  }
  return weights
}
