/** A category and how much work it is, such as its searches in a sample. */
export interface WeighedCategory {
  category: number
  weight: number
}

/**
 * Gives each category to a partition: the heaviest first, each to the partition with the least so far (Graham's rule;
 * the fullest partition has at most 4/3 of the best possible). Every category counts a little, so that categories
 * without a weight are spread too. Returns the partition of each category, in the given order.
 */
export function balanceCategories(categories: readonly WeighedCategory[], partitions: number): Int32Array {
  const total = categories.reduce((sum, { weight }) => sum + weight, 0)
  const least = Math.max(total, 1) / Math.max(1, categories.length) / 1000
  const order = categories.map((_, i) => i).sort((a, b) => categories[b].weight - categories[a].weight)
  const load = new Float64Array(partitions)
  const table = new Int32Array(categories.length)
  for (const i of order) {
    let lightest = 0
    for (let p = 1; p < partitions; p++) if (load[p] < load[lightest]) lightest = p
    table[i] = lightest
    load[lightest] += least + categories[i].weight
  }
  return table
}
