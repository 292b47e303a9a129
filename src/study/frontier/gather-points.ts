/** Points that are drawn at one spot, with the position of the first. */
export interface Spot<T> {
  x: number
  y: number
  points: T[]
}

/** Groups points that are so close, in pixels, that a pointer or a label could not distinguish them. */
export function gatherPoints<T extends { x: number; y: number }>(
  points: readonly T[],
  { near }: { near: number },
): Spot<T>[] {
  const spots: Spot<T>[] = []
  for (const point of points) {
    const spot = spots.find(({ x, y }) => Math.hypot(x - point.x, y - point.y) < near)
    if (spot === undefined) spots.push({ x: point.x, y: point.y, points: [point] })
    else spot.points.push(point)
  }
  return spots
}
