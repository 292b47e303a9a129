import { QueryveilError } from "../kernels/error.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"

/**
 * The category of each topic: its path cut at `depth`. The parent of a sensitive topic is one category with everything
 * below it, so the cut is higher there. With `branches`, the category is the nearest branch at or above that.
 */
export function cutTopics(
  taxonomy: Taxonomy,
  options: { depth: number; sensitive: readonly number[]; branches?: readonly number[] | undefined },
): Int32Array {
  const { parent, depth } = taxonomy
  const pooled = new Uint8Array(taxonomy.size)
  for (const topic of options.sensitive) pooled[Math.max(0, parent[topic])] = 1
  const category = new Int32Array(taxonomy.size)
  for (let topic = 1; topic < taxonomy.size; topic++) {
    const above = parent[topic]
    const isCut = depth[topic] > options.depth || category[above] !== above || pooled[above] === 1
    category[topic] = isCut ? category[above] : topic
  }
  if (options.branches === undefined) return category
  const nearest = nearestAbove(taxonomy, options.branches)
  return category.map((topic) => nearest[topic])
}

/** By topic: the nearest of the given topics at or above it; the root if there is none. */
function nearestAbove({ parent, size }: Taxonomy, topics: readonly number[]): Int32Array {
  const nearest = new Int32Array(size)
  for (const topic of topics) if (topic > 0) nearest[topic] = topic
  for (let topic = 1; topic < size; topic++) if (nearest[topic] === 0) nearest[topic] = nearest[parent[topic]]
  return nearest
}

/** The topics of a list of paths, one per line. Empty lines, and text after a #, are skipped. */
export function findTopics(taxonomy: Taxonomy, list: string): number[] {
  return list.split(/\r?\n/).flatMap((text, i) => {
    const path = text.replace(/#.*/, "").trim()
    if (path === "") return []
    const topic = taxonomy.find(path)
    if (topic > 0) return [topic]
    throw new QueryveilError(
      "option-value",
      [
        `--sensitive-categories, line ${i + 1}: the taxonomy has no such topic.`,
        "`queryveil taxonomy show` prints paths.",
      ].join(" "),
      { flag: "--sensitive-categories", line: i + 1 },
    )
  })
}
