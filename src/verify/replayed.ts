import type { ExposureRecord, LayerCopy } from "../personal/exposure-history.ts"
import type { RiskOf } from "./exposure-risk.ts"
import type { Check } from "./verifier.ts"

/** Allowance for rounding errors. */
const tolerance = 1e-9
export const isOver = (value: number, bound: number) => value > bound * (1 + tolerance) + tolerance

/** A record, its position in the history (from 1), and the cost layer of its time, if known. */
export interface Replayed {
  row: number
  record: ExposureRecord
  layer: ReplayedLayer | undefined
}

/** A cost layer of an earlier time, unaltered and of this taxonomy. */
export interface ReplayedLayer {
  copy: LayerCopy
  riskOf: RiskOf
  /** Includes sensitive topics that the profile has lost but that the engine was shown. */
  lifetimeRiskOf: RiskOf
}

/** Everything shown so far, and its risk under each layer. The risk is computed again only if the union has grown. */
export class GrowingUnion {
  readonly paths = new Set<string>()
  readonly #risks = new Map<RiskOf, { size: number; risk: number }>()

  add(paths: Iterable<string>): void {
    for (const path of paths) this.paths.add(path)
  }

  risk(riskOf: RiskOf): number {
    const known = this.#risks.get(riskOf)
    if (known?.size === this.paths.size) return known.risk
    const risk = riskOf(this.paths)
    this.#risks.set(riskOf, { size: this.paths.size, risk })
    return risk
  }
}

/** The union for a key, created at the first request. */
export function unionOf(unions: Map<string, GrowingUnion>, key: string): GrowingUnion {
  const found = unions.get(key) ?? new GrowingUnion()
  unions.set(key, found)
  return found
}

/**
 * A risk and its bound. null: no risk was counted, since nothing was sensitive then. undefined: it cannot be computed.
 */
export interface Measured {
  row: number
  value: number | null | undefined
  bound: number
}

export function judge(
  name: string,
  promise: string,
  replayed: readonly Replayed[],
  holds: (replayed: Replayed) => boolean,
): Check {
  const wrong = replayed.find((one) => !holds(one))
  return wrong === undefined
    ? { name, promise, state: "passed", value: replayed.length, detail: "exposures" }
    : { name, promise, state: "failed", row: wrong.row }
}

/** Fails at the first risk over its bound. Otherwise reports the one nearest to its bound. */
export function judgeBounds(name: string, promise: string, measured: readonly Measured[]): Check {
  let nearest: { row: number; value: number; bound: number } | undefined
  let unknown = 0
  let uncounted = 0
  for (const { row, value, bound } of measured) {
    if (value === undefined) unknown++
    else if (value === null) uncounted++
    else if (isOver(value, bound)) return { name, promise, state: "failed", row, value, bound }
    else if (nearest === undefined || value - bound > nearest.value - nearest.bound) nearest = { row, value, bound }
  }
  const details = [
    ...(unknown > 0 ? [`${unknown} could not be replayed`] : []),
    ...(uncounted > 0 ? [`no risk is counted for ${uncounted}: nothing was marked sensitive`] : []),
  ]
  const state = unknown > 0 ? "not checked" : "passed"
  return { name, promise, state, ...nearest, ...(details.length > 0 && { detail: details.join("; ") }) }
}
