import type { RunContext } from "../../kernels/context.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { cutTopics, findTopics } from "../../swapper/categories.ts"
import { openLogTopics } from "../../taxonomy/classify/log-topics.ts"
import { deepestCategories } from "./auto-depth.ts"
import { type SwapOptions, usualDelay } from "./options.ts"
import { orderArrivals } from "./swap-log.ts"

/**
 * For a stream: the topics within which users are swapped, branch by branch as deep as searches waited `maxDelay` hours at
 * most on average in a first period. Paths, in the order of the taxonomy; what is below none of them is one category.
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
  const arrivals = orderArrivals(firstPeriod, topicOf)
  const cut = cutTopics(taxonomy, { depth: 255, sensitive: findTopics(taxonomy, sensitiveCategories) })
  const choice = { ...options, taxonomy, cut, maxDelay: maxDelay * 3600 }
  const nodes = new Set(await deepestCategories(arrivals, choice, context))
  nodes.delete(0)
  return [...nodes].sort((a, b) => a - b).map((node) => taxonomy.path(node))
}
