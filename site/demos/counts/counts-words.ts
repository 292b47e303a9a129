import { asCount } from "../parts/counted.ts"

/** The values of the slider of ε, each about twice the one before. */
export const epsilons = ["0.1", "0.2", "0.5", "1", "2", "4", "8", "16"] as const

/** The values of the slider of δ, from the largest to the smallest. */
export const deltas = ["1e-3", "1e-4", "1e-5", "1e-6", "1e-7", "1e-8", "1e-9", "1e-10", "1e-12"] as const

/** `2.72`, `2,981` */
const asFactor = (value: number) => (value >= 100 ? asCount(value) : String(Number(value.toPrecision(3))))

/** What ε and δ promise to a user, in a sentence. */
export function sayPromise(epsilon: string, delta: string): string {
  const factor = asFactor(Math.exp(Number(epsilon)))
  const chance = asCount(Math.round(1 / Number(delta)))
  const much = Number(epsilon) >= 4 ? " That promises little." : ""
  return (
    `ε = ${epsilon}: with or without all searches of one user, the chance of anything the table may show differs by ` +
    `a factor of at most ${factor}, and beyond that factor by at most one in ${chance} (δ).${much}`
  )
}

/** Whether δ is small enough for so many users, in a sentence; "" if it is. */
export function warnOfDelta(delta: string, users: number): string {
  if (Number(delta) <= 1 / (10 * users)) return ""
  return (
    `This δ is large for ${asCount(users)} users: with that chance, some user may be shown. ` +
    `Use at most ${(1 / (10 * users)).toPrecision(1)}.`
  )
}
