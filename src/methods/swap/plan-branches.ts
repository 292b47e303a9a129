import type { RunContext } from "../../kernels/context.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { cutTopics, findTopics } from "../../swapper/categories.ts"
import { drawSecret, positionSeeds } from "../../swapper/dealing-secret.ts"
import { openLogTopics } from "../../taxonomy/classify/log-topics.ts"
import { deepestCategories } from "./auto-depth.ts"
import { type SwapOptions, usualDelay } from "./options.ts"
import { orderArrivals } from "./order-arrivals.ts"

/**
 * Plans the topics within which a stream swaps users. Each branch is as deep as possible while searches of a first
 * period waited at most `maxDelay` hours on average. Returns paths in the order of the taxonomy. Topics that are below
 * none of them form one category.
 */
export async function planBranches(
  firstPeriod: SearchLog,
  options: Pick<SwapOptions, "k" | "mode" | "backlog" | "taxonomy" | "classifier" | "sensitiveCategories"> & {
    maxDelay?: number | undefined
  },
  context: RunContext,
): Promise<string[]> {
  const { sensitiveCategories = "", maxDelay = usualDelay } = options
  const { taxonomy, topicOf } = await openLogTopics(firstPeriod, options, context)
  const arrivals = orderArrivals(firstPeriod, topicOf, { seeds: positionSeeds(drawSecret(context.random)) })
  const cut = cutTopics(taxonomy, { depth: 255, sensitive: findTopics(taxonomy, sensitiveCategories) })
  const choice = { ...options, taxonomy, cut, maxDelay: maxDelay * 3600 }
  const nodes = new Set(await deepestCategories(arrivals, choice, context))
  nodes.delete(0)
  return [...nodes].sort((a, b) => a - b).map((node) => taxonomy.path(node))
}
