/** A point in the chart. Positions are in pixels from the top left. */
export interface Placed {
  id: string
  x: number
  y: number
}

type Order = (a: Placed, b: Placed) => number

const byId: Order = (a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
const byX: Order = (a, b) => a.x - b.x || b.y - a.y || byId(a, b)
const byY: Order = (a, b) => b.y - a.y || a.x - b.x || byId(a, b)

const steps: Readonly<Record<string, { order: Order; by: number }>> = {
  ArrowLeft: { order: byX, by: -1 },
  ArrowRight: { order: byX, by: 1 },
  ArrowDown: { order: byY, by: -1 },
  ArrowUp: { order: byY, by: 1 },
  Home: { order: byX, by: Number.NEGATIVE_INFINITY },
  End: { order: byX, by: Number.POSITIVE_INFINITY },
}

/**
 * The point to which a key moves from another: left and right by risk, down and up by usefulness, Home and End to the
 * ends. Each order has all points, so every point can be reached. Undefined if the key moves nothing.
 */
export function stepPoint(points: readonly Placed[], from: string | undefined, key: string): string | undefined {
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined
  if (step === undefined || points.length === 0) return undefined
  const ordered = points.toSorted(step.order)
  const at = ordered.findIndex(({ id }) => id === from)
  const to = at < 0 ? 0 : at + step.by
  return ordered[Math.min(ordered.length - 1, Math.max(0, to))]?.id
}

/** The point nearest to a place, if it is within so many pixels. */
export function nearestPoint(
  points: readonly Placed[],
  { x, y, within }: { x: number; y: number; within: number },
): string | undefined {
  let best: string | undefined
  let least = within
  for (const point of points) {
    const distance = Math.hypot(point.x - x, point.y - y)
    if (distance > least) continue
    least = distance
    best = point.id
  }
  return best
}

/** Two points to compare. A third one replaces the one that was chosen first; a chosen one is taken out. */
export function toggleCompared(compared: readonly string[], id: string): string[] {
  return compared.includes(id) ? compared.filter((one) => one !== id) : [...compared.slice(-1), id]
}
