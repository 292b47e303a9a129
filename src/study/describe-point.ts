import { nameParameter } from "./figures/parameter-names.ts"
import type { Point } from "./study.ts"

/** `equality, k = 5`: a point as progress messages name it. Paths and lists are left out. */
export function describePoint({ method, raw, targets: _targets, discard: _discard, ...values }: Point): string {
  if (raw === true) return "the raw log"
  const shown = Object.entries(values).filter(([, value]) => /^[\w.-]{1,12}$/.test(String(value)))
  const parameters = shown.map(([key, value]) => `${nameParameter(String(method ?? ""), key)} = ${value}`)
  return [...(method === undefined ? [] : [String(method)]), ...parameters].join(", ")
}
