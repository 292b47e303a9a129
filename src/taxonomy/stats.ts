import type { Taxonomy } from "./taxonomy.ts"

/** One level of a tree. */
interface LevelStats {
  level: number
  topics: number
  /** Number of topics down to this level, without the root: the total of Table 3 of Pàmies-Estrems et al. 2020. */
  total: number
  leaves: number
  /** Mean number of children of topics that have any. */
  meanChildren: number
  /** Sum of the own supports of the level's topics. */
  support: number
}

/** The size and shape of a taxonomy. */
export interface TaxonomyStats {
  /** Without the root. */
  topics: number
  levels: LevelStats[]
  leaves: number
  meanChildren: number
  support: number
  /** Number of topics whose whole subtree has no support: their probability is 0. */
  unsupported: number
}

/** Nodes per level, as in Table 3 of Pàmies-Estrems et al. 2020. Level 1 is directly below the root. */
export function taxonomyStats({ size, depth, end, support, own }: Taxonomy): TaxonomyStats {
  const tally = () => ({ topics: 0, leaves: 0, support: 0 })
  const tallies = [tally()]
  let unsupported = 0
  for (let id = 0; id < size; id++) {
    tallies[depth[id]] ??= tally()
    const level = tallies[depth[id]]
    level.topics++
    level.support += own[id]
    if (end[id] === id + 1) level.leaves++
    if (id > 0 && support[id] === 0) unsupported++
  }
  let total = 0
  const levels = tallies.slice(1).map(({ topics, leaves, support: supported }, i): LevelStats => {
    total += topics
    const below = tallies[i + 2]?.topics ?? 0
    return { level: i + 1, topics, total, leaves, meanChildren: below / (topics - leaves || 1), support: supported }
  })
  const leaves = levels.reduce((sum, level) => sum + level.leaves, 0)
  const meanChildren = (size - 1) / (size - leaves || 1)
  return { topics: size - 1, levels, leaves, meanChildren, support: support[0], unsupported }
}
