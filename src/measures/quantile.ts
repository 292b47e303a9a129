/** The value below which a share p of an ascending list lies, between neighbours by weight; of nothing, 0. */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) return 0
  const place = p * (sorted.length - 1)
  const below = Math.floor(place)
  const above = Math.min(sorted.length - 1, below + 1)
  return sorted[below] + (place - below) * (sorted[above] - sorted[below])
}
