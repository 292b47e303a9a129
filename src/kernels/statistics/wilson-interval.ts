/** 97.5 % point of the standard normal distribution. */
export const z95 = 1.959963984540054

/** Wilson's score interval for a share, 95 % unless another z is given. Nothing observed says nothing: [0, 1]. */
export function wilsonInterval(successes: number, n: number, z = z95): [number, number] {
  if (n === 0) return [0, 1]
  const share = successes / n
  const centre = share + (z * z) / (2 * n)
  const spread = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))
  const scale = 1 + (z * z) / n
  // The ends reach 0 and 1 exactly where none and all succeeded; rounding must not keep them from it.
  const low = successes === 0 ? 0 : Math.max(0, (centre - spread) / scale)
  return [low, successes === n ? 1 : Math.min(1, (centre + spread) / scale)]
}
