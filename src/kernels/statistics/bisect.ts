/** The largest number in [low, high] at which `holds` is true, if it is true at `low` and changes only once. */
export function bisect(holds: (x: number) => boolean, { low, high }: { low: number; high: number }): number {
  let [left, right] = [low, high]
  for (;;) {
    const middle = left + (right - left) / 2
    if (middle <= left || middle >= right) return left
    if (holds(middle)) left = middle
    else right = middle
  }
}
