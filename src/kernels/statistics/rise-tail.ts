/**
 * The chance that a random order of n distinct values has at least `rises` neighbours of which the second is larger.
 * Rises have the Eulerian distribution: inserting the largest value into an order of n - 1 values adds a rise at the
 * end and between the values of a fall, and nowhere else. So
 * P_n(j) = ((j + 1) P_{n-1}(j) + (n - j) P_{n-1}(j - 1)) / n. O(n²).
 */
export function riseTail(rises: number, n: number): number {
  let chances = [1]
  for (let size = 2; size <= n; size++)
    chances = Array.from(
      { length: size },
      (_, j) => ((j + 1) * (chances[j] ?? 0) + (size - j) * (chances[j - 1] ?? 0)) / size,
    )
  return chances.slice(Math.max(0, rises)).reduce((sum, chance) => sum + chance, 0)
}
