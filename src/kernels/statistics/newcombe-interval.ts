import { wilsonInterval } from "./wilson-interval.ts"

/** A number of successes out of n trials. */
export interface Share {
  successes: number
  n: number
}

/**
 * The interval of a difference p − q of two independent shares (95 % unless another z is given): Newcombe 1998, method
 * 10. With Wilson's interval [l, u] of each share and d = p − q, it is [d − √((p − l_p)² + (u_q − q)²), d + √((u_p −
 * p)² + (q − l_q)²)]. A share with n = 0 counts as 0, and its interval is [0, 1].
 */
export function newcombeInterval(first: Share, second: Share, z?: number): [number, number] {
  const [p, q] = [shareOf(first), shareOf(second)]
  const [lowP, highP] = wilsonInterval(first.successes, first.n, z)
  const [lowQ, highQ] = wilsonInterval(second.successes, second.n, z)
  return [p - q - Math.hypot(p - lowP, highQ - q), p - q + Math.hypot(highP - p, q - lowQ)]
}

const shareOf = ({ successes, n }: Share) => (n === 0 ? 0 : successes / n)
