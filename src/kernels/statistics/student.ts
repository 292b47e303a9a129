import { bisect } from "./bisect.ts"
import { incompleteBeta } from "./incomplete-beta.ts"

/** The chance that Student's t with `df` degrees of freedom is further from 0 than `t`: two-sided. */
export function studentTail(t: number, df: number): number {
  if (Math.abs(t) === Number.POSITIVE_INFINITY) return 0
  // P(|T| > t) = I(df/(df + t²); df/2, ½). The ratio is formed first, because the squares may overflow.
  const ratio = (t / df) * t
  const x = 1 / (1 + ratio)
  const y = ratio === Number.POSITIVE_INFINITY ? 1 : ratio / (1 + ratio)
  return incompleteBeta({ x, y, a: df / 2, b: 0.5 })
}

/** The chance that Student's t is above `t`: one-sided. */
export function studentUpperTail(t: number, df: number): number {
  const beyond = studentTail(t, df) / 2
  return t > 0 ? beyond : 1 - beyond
}

/** The t that the absolute value of Student's t exceeds with chance `p` in (0, 1]. */
export function studentQuantile(p: number, df: number): number {
  let high = 1
  while (studentTail(high, df) >= p) high *= 2
  return bisect((t) => studentTail(t, df) >= p, { low: 0, high })
}
