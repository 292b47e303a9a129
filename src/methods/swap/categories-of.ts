import type { RunContext } from "../../kernels/context.ts"
import { cutTopics, findTopics } from "../../swapper/categories.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { deepestCategories } from "./auto-depth.ts"
import { depthOf, type SwapOptions } from "./options.ts"
import type { Arrivals } from "./order-arrivals.ts"

/** The category of each arrival, a node of the taxonomy. */
export async function categoriesOf(
  arrivals: Arrivals,
  options: SwapOptions & { tree: Taxonomy },
  context: RunContext,
): Promise<Int32Array> {
  const { tree: taxonomy, sensitiveCategories = "", maxDelay } = options
  const depth = depthOf(options)
  const cut = cutTopics(taxonomy, { depth: depth ?? 255, sensitive: findTopics(taxonomy, sensitiveCategories) })
  if (depth !== undefined) return arrivals.topic.map((topic) => cut[topic])
  return deepestCategories(arrivals, { ...options, taxonomy, cut, maxDelay: maxDelay * 3600 }, context)
}
