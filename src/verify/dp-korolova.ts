import { type DpGuarantee, type DpMechanism, ledgerNumber } from "../methods/dp-guarantee.ts"
import type { TablesRelease } from "../release/read-release.ts"
import { type Fraction, format, type Ledger, parse, reduce } from "./dp-fractions.ts"

/**
 * Computes the ledger of `--mode korolova` again. Half of the queries' ε is for their selection and half for their
 * counts: scales 2d/ε_q and 2d/ε_q. The rest of ε is for clicks: scale d_c/ε_c. The threshold is the smallest that
 * keeps δ.
 */
export function korolovaLedger(
  parameters: TablesRelease["manifest"]["parameters"],
  { unit, mechanisms: said }: DpGuarantee,
): Ledger | undefined {
  const [epsilon, delta] = [parse(parameters.epsilon), parse(parameters.delta)]
  const [ofQueries, ofClicks] = String(parameters.split).split(",").map(BigInt)
  const [d, dc] = [Number(parameters.firstQueries), Number(parameters.firstClicks)]
  if (epsilon === undefined || delta === undefined) return undefined
  if (epsilon[0] === 0n || ofQueries === 0n || d === 0 || dc === 0) return undefined
  // There are clicks only with a public list of urls, which the owner keeps.
  const clicks = ofClicks > 0n ? said.find(({ table }) => table === "clicks") : undefined
  const sum = ofQueries + (clicks === undefined ? 0n : ofClicks)
  const shareOf = (weight: bigint) => reduce(epsilon[0] * weight, epsilon[1] * sum)
  const own = shareOf(ofQueries)
  const scale = reduce(2n * BigInt(d) * own[1], own[0])
  const selected = said[0]?.selection?.threshold ?? 0
  if (!isLeastThreshold(selected, { scale, delta, searches: d })) return undefined
  const noise = "discrete-laplace" as const
  const queries: DpMechanism = {
    ...{ table: "queries", unit, keys: "log", noise, l0: d, perKey: d, l1: d, scale: format(scale), minUsers: 1 },
    ...{ tau: null, threshold: null, epsilon: format(own), delta: format(delta) },
    selection: { scale: format(scale), threshold: selected },
  }
  if (clicks === undefined) return { epsilon, delta, mechanisms: [queries] }
  const rest = shareOf(ofClicks)
  // A public threshold protects nobody, so any value is allowed. But it must be the requested one.
  const threshold = parameters.threshold === undefined ? clicks.threshold : Number(parameters.threshold)
  const clicked: DpMechanism = {
    ...{ table: "clicks", unit, keys: "public", noise, l0: dc, perKey: dc, l1: dc, minUsers: 0, tau: null, threshold },
    ...{ scale: format(reduce(BigInt(dc) * rest[1], rest[0])), epsilon: format(rest), delta: "0" },
  }
  return { epsilon, delta, mechanisms: [queries, clicked] }
}

/**
 * True if T is the smallest threshold that keeps δ. The chance is P(X ≥ T − w) for a query that one user issued w
 * times, summed over the queries. Only two ways to spread d searches matter: all on one query, or each on its own.
 * Computed in floating point, so with a margin of 10⁻⁹.
 */
function isLeastThreshold(threshold: number, options: { scale: Fraction; delta: Fraction; searches: number }): boolean {
  const { searches } = options
  const [scale, delta] = [options.scale, options.delta].map((value) => ledgerNumber(format(value)))
  const tail = (m: number) => Math.exp(-m / scale) / (1 + Math.exp(-1 / scale))
  const chance = (T: number) => Math.max(tail(T - searches), searches * tail(T - 1))
  return (
    threshold >= searches &&
    chance(threshold) <= delta * (1 + 1e-9) &&
    (threshold === searches || chance(threshold - 1) >= delta * (1 - 1e-9))
  )
}
