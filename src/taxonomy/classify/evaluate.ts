import type { RunContext } from "../../kernels/context.ts"
import type { Taxonomy } from "../taxonomy.ts"
import type { Classifier } from "./classifier.ts"
import type { QueryPaths } from "./query-paths.ts"

/** How well a classifier agrees with labels by people. */
export interface Evaluation {
  /** Queries whose label names a topic. */
  queries: number
  classified: number
  /** For each level: queries whose label is at least this deep, and those whose topic agrees down to this level. */
  levels: { level: number; queries: number; right: number; accuracy: number }[]
  /** Confusion at level 1 by label, most queries first: the topics its queries were classified as. `-` is no topic. */
  confusion: { label: string; queries: number; right: number; taken: { as: string; queries: number }[] }[]
}

/** Compares a classifier with labels. */
export async function evaluateClassifier(
  classifier: Classifier,
  { queries, nodes }: QueryPaths,
  context: RunContext,
): Promise<Evaluation> {
  const { taxonomy } = classifier
  const given = await classifier.classify(queries, context)
  const levels: { queries: number; right: number }[] = []
  const table = new Map<string, Map<string, number>>()
  let labelled = 0
  let classified = 0
  for (let query = 0; query < queries.size; query++) {
    if (nodes[query] < 0) continue
    labelled++
    if (given[query] >= 0) classified++
    for (let level = 1; level <= taxonomy.depth[nodes[query]]; level++) {
      levels[level - 1] ??= { queries: 0, right: 0 }
      levels[level - 1].queries++
      if (ancestorAt(taxonomy, nodes[query], level) === ancestorAt(taxonomy, given[query], level))
        levels[level - 1].right++
    }
    const label = nameAt(taxonomy, nodes[query])
    const taken = table.get(label) ?? new Map<string, number>()
    const as = nameAt(taxonomy, given[query])
    taken.set(as, (taken.get(as) ?? 0) + 1)
    table.set(label, taken)
  }
  return {
    queries: labelled,
    classified,
    levels: levels.map(({ queries: total, right }, i) => ({
      level: i + 1,
      queries: total,
      right,
      accuracy: right / total,
    })),
    confusion: [...table].map(([label, taken]) => confusionRow(label, taken)).sort((a, b) => b.queries - a.queries),
  }
}

function confusionRow(label: string, taken: ReadonlyMap<string, number>): Evaluation["confusion"][number] {
  const others = [...taken].filter(([as]) => as !== label).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const right = taken.get(label) ?? 0
  const queries = others.reduce((sum, [, count]) => sum + count, right)
  return { label, queries, right, taken: others.map(([as, count]) => ({ as, queries: count })) }
}

/** The ancestor at a level, or -1 if the node is not that deep. */
function ancestorAt({ parent, depth }: Taxonomy, node: number, level: number): number {
  if (node < 0 || depth[node] < level) return -1
  let at = node
  while (depth[at] > level) at = parent[at]
  return at
}

function nameAt(taxonomy: Taxonomy, node: number): string {
  return node < 0 ? "-" : taxonomy.path(ancestorAt(taxonomy, node, 1))
}
