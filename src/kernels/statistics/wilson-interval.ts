/** 97.5 % point of the standard normal distribution. */
export const z95 = 1.959963984540054

/** Wilson's score interval for a share (95 % unless another z is given). Without observations it is [0, 1]. */
export function wilsonInterval(successes: number, n: number, z = z95): [number, number] {
  if (n === 0) return [0, 1]
  const share = successes / n
  const centre = share + (z * z) / (2 * n)
  const spread = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))
  const scale = 1 + (z * z) / n
  // With no success the low end is exactly 0, and with no failure the high end is exactly 1. Rounding must not change
  // that.
  const low = successes === 0 ? 0 : Math.max(0, (centre - spread) / scale)
  return [low, successes === n ? 1 : Math.min(1, (centre + spread) / scale)]
}
