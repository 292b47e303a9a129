/** A counted way from a query to a url or to the next query. */
export interface Way {
  from: string
  to: string
  count: number
}

type Counts = Map<string, Map<string, number>>

/**
 * A random walk over a Map of Maps, node by node and step by step: where it is after this many steps, for queries and
 * urls. Urls begin with "http". Ways whose counts add up to 0 or less do not exist, nor do ways from a query to itself.
 */
export function walkByHand(
  ways: readonly Way[],
  options: { start: string; steps: number; selfLoop: number },
): Map<string, number> {
  const counts: Counts = new Map()
  for (const { from, to, count } of ways) {
    if (from === to) continue
    const own = counts.get(from) ?? new Map<string, number>()
    counts.set(from, own.set(to, (own.get(to) ?? 0) + count))
  }
  let mass = new Map([[options.start, 1]])
  for (let step = 0; step < options.steps; step++) {
    const next = new Map<string, number>()
    const add = (node: string, value: number) => next.set(node, (next.get(node) ?? 0) + value)
    for (const [node, value] of mass) {
      const leaving = [...(counts.get(node) ?? [])].filter(([, count]) => count > 0)
      const total = leaving.reduce((sum, [, count]) => sum + count, 0)
      add(node, total === 0 ? value : options.selfLoop * value)
      for (const [to, count] of leaving) add(to, ((1 - options.selfLoop) * value * count) / total)
    }
    mass = next
  }
  return mass
}

export const isUrl = (node: string) => node.startsWith("http")
