import type { LayerCopy } from "../personal/exposure-history.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"

/** How strongly queries revealed sensitive topics, by path: the share of a query's meaning. */
type Told = Iterable<readonly [path: string, share: number]>

/**
 * The risk of showing a rooted tree of paths, as a share of all sensitivity. With `told`, it includes what queries
 * revealed.
 */
export type RiskOf = (paths: Iterable<string>, told?: Told) => number

/**
 * The risk of what was shown, by Shou et al. 2014, eq. 6 and 13–15, computed from paths. cost(t) is the sum, over the
 * sensitive topics s at or below t, of sen(s) times the public probabilities from t down to s. A topic below a
 * sensitive one costs nothing by itself.
 *
 *   Risk(t) = cost(t) for a leaf of what was shown, else max(cost(t), Σ Risk(child))
 *
 * If queries revealed a sensitive topic s with a share p, its risk is at least p · sen(s), shown or not.
 */
export function exposureRisk(taxonomy: Taxonomy, { sensitive }: Pick<LayerCopy, "sensitive">): RiskOf {
  const costs = new Map<string, number>()
  const weights = new Map<string, number>()
  let total = 0
  for (const [path, sensitivity] of sensitive) {
    total += sensitivity
    weights.set(path, sensitivity)
    let cost = sensitivity
    for (let at: string | undefined = path; at !== undefined; at = parentPath(at)) {
      costs.set(at, (costs.get(at) ?? 0) + cost)
      const above = parentPath(at)
      if (above !== undefined) cost *= chance(taxonomy, at, above)
    }
  }
  return (paths, told = []) => {
    if (total === 0) return 0
    const shown = withAncestors(paths)
    const shares = new Map(told)
    const below = new Map<string, number>()
    let root = 0
    // Deepest first: the topics below a topic are processed before it.
    const order = [...shown, ...withAncestors(shares.keys())].sort((a, b) => levels(b) - levels(a))
    for (const path of new Set(order)) {
      const cost = shown.has(path) ? (costs.get(path) ?? 0) : 0
      const least = (weights.get(path) ?? 0) * (shares.get(path) ?? 0)
      const risk = Math.max(cost, least, below.get(path) ?? 0)
      const above = parentPath(path)
      if (above === undefined) root = risk
      else below.set(above, (below.get(above) ?? 0) + risk)
    }
    return root / total
  }
}

/** Adds all ancestors: whoever sees a topic also sees its ancestors. */
function withAncestors(paths: Iterable<string>): Set<string> {
  const all = new Set<string>()
  for (const path of paths)
    for (let at: string | undefined = path; at !== undefined && !all.has(at); at = parentPath(at)) all.add(at)
  return all
}

/** The path of the parent topic, "" for the root. The root has no parent. */
export function parentPath(path: string): string | undefined {
  return path === "" ? undefined : path.slice(0, Math.max(0, path.lastIndexOf("/")))
}

const levels = (path: string) => (path === "" ? 0 : path.split("/").length)

/** Pr(t | parent) from the public supports. It is 1, the largest possible value, if the parent has no support. */
function chance(taxonomy: Taxonomy, path: string, above: string): number {
  const [part, whole] = [path, above].map((at) => taxonomy.support[taxonomy.find(at)] ?? 0)
  return whole === 0 ? 1 : part / whole
}
