import type { LayerCopy } from "../personal/exposure-history.ts"
import type { Taxonomy } from "../taxonomy/taxonomy.ts"

/** What a rooted tree of paths puts at risk, as a share of all sensitivity. */
export type RiskOf = (paths: Iterable<string>) => number

/**
 * Risk of what was shown, by Shou et al. 2014, eq. 6 and 13–15, computed from paths: cost(t) adds up, over the sensitive
 * topics s below t, sen(s) times the public probabilities from t down to s; a topic below a sensitive one costs nothing by
 * itself. Risk(t) = cost(t) for a leaf of what was shown, else max(cost(t), Σ Risk(child)).
 */
export function exposureRisk(taxonomy: Taxonomy, { sensitive }: LayerCopy): RiskOf {
  const costs = new Map<string, number>()
  let total = 0
  for (const [path, sensitivity] of sensitive) {
    total += sensitivity
    let cost = sensitivity
    for (let at: string | undefined = path; at !== undefined; at = parentPath(at)) {
      costs.set(at, (costs.get(at) ?? 0) + cost)
      const above = parentPath(at)
      if (above !== undefined) cost *= chance(taxonomy, at, above)
    }
  }
  return (paths) => {
    if (total === 0) return 0
    const below = new Map<string, number>()
    const risks = new Map<string, number>()
    // The longest first: what lies below a topic is done before it.
    const order = [...withAncestors(paths)].sort((a, b) => levels(b) - levels(a))
    for (const path of order) {
      const risk = Math.max(costs.get(path) ?? 0, below.get(path) ?? 0)
      risks.set(path, risk)
      const above = parentPath(path)
      if (above !== undefined) below.set(above, (below.get(above) ?? 0) + risk)
    }
    return (risks.get("") ?? 0) / total
  }
}

/** Who sees a topic sees what is above it. */
function withAncestors(paths: Iterable<string>): Set<string> {
  const all = new Set<string>()
  for (const path of paths)
    for (let at: string | undefined = path; at !== undefined && !all.has(at); at = parentPath(at)) all.add(at)
  return all
}

/** The path of the topic above, "" for the root; of the root there is none. */
export function parentPath(path: string): string | undefined {
  return path === "" ? undefined : path.slice(0, Math.max(0, path.lastIndexOf("/")))
}

const levels = (path: string) => (path === "" ? 0 : path.split("/").length)

/** Pr(t | parent) by the public supports; 1 where the parent has none, which is the most it can be. */
function chance(taxonomy: Taxonomy, path: string, above: string): number {
  const [part, whole] = [path, above].map((at) => taxonomy.support[taxonomy.find(at)] ?? 0)
  return whole === 0 ? 1 : part / whole
}
