import type { Words } from "../support/synthetic-profiles.ts"

const above = (path: string) => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "")
const isWithin = (path: string, top: string) => top === "" || path === top || path.startsWith(`${top}/`)
const sumWithin = (values: Record<string, number>, top: string) =>
  Object.entries(values).reduce((sum, [path, value]) => (isWithin(path, top) ? sum + value : sum), 0)

function ancestors(paths: readonly string[]): Set<string> {
  const found = new Set([""])
  for (const path of paths) for (let at = path; at !== ""; at = above(at)) found.add(at)
  return found
}

/**
 * The definitions again, on paths only: every topic that may be kept, and the metrics of a choice among them. The world
 * is divided into the leaves of what is kept, and shadows. Each has a preference and a probability.
 */
export function plainMetrics({ taxonomy, profile, topics, sensitive }: Words) {
  const known = ancestors(Object.keys(profile))
  const asked = Object.keys(topics).filter((path) => known.has(path))
  const seed = [...ancestors(asked)]
  const everyone = asked.reduce((sum, path) => sum + sumWithin(profile, path), 0)
  const wish = (top: string) =>
    asked.reduce((sum, path) => (isWithin(path, top) ? sum + sumWithin(profile, path) : sum), 0) / everyone
  const chance = (top: string) => sumWithin(taxonomy, top) / sumWithin(taxonomy, "")
  const total = Object.values(sensitive).reduce((sum, value) => sum + value, 0)
  const cost = (top: string): number =>
    sensitive[top] ??
    [...known]
      .filter((path) => path !== "" && above(path) === top)
      .reduce((sum, path) => sum + (cost(path) * chance(path)) / chance(top), 0)

  const measure = (kept: ReadonlySet<string>) => {
    const children = (top: string) => [...kept].filter((path) => path !== "" && above(path) === top)
    const cells: { home: string; wish: number; chance: number }[] = []
    for (const path of kept) {
      const below = children(path)
      const left = {
        home: path,
        wish: below.reduce((sum, child) => sum - wish(child), wish(path)),
        chance: below.reduce((sum, child) => sum - chance(child), chance(path)),
      }
      if (left.wish > 1e-12) cells.push(left)
    }
    const shared = seed
      .filter((top) => cells.every(({ home }) => isWithin(home, top)))
      .reduce((deepest, top) => (top.length > deepest.length ? top : deepest), "")
    const bits = cells.reduce((sum, cell) => sum + cell.wish * Math.log2(cell.wish / cell.chance), 0)
    const content = asked.reduce((sum, path) => sum - wish(path) * Math.log2(chance(path)), 0)
    const risk = (top: string): number =>
      Math.max(
        cost(top),
        children(top).reduce((sum, child) => sum + risk(child), 0),
      )
    return {
      PG: bits,
      TS: -Math.log2(chance(shared)),
      DP: (bits - Math.log2(chance(shared))) / (2 * content),
      risk: total === 0 ? 0 : risk("") / total,
    }
  }
  return { seed, measure }
}

/** All choices: sets of topics that contain the parent of each of their topics. */
export function* rootedSubtrees(seed: readonly string[]): Generator<ReadonlySet<string>> {
  const topics = seed.filter((path) => path !== "")
  for (let mask = 0; mask < 2 ** topics.length; mask++) {
    const kept = new Set(["", ...topics.filter((_, i) => (mask >> i) & 1)])
    if ([...kept].every((path) => kept.has(above(path)))) yield kept
  }
}
