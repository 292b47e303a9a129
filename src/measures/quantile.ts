/** The p-quantile of an ascending list, with linear interpolation between neighbours; 0 for an empty list. */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) return 0
  const place = p * (sorted.length - 1)
  const below = Math.floor(place)
  const above = Math.min(sorted.length - 1, below + 1)
  return sorted[below] + (place - below) * (sorted[above] - sorted[below])
}
