import type { Point } from "../study.ts"

/**
 * Display names of parameters, by method. One letter means different things in different papers: δ is a distance
 * between clicks (groups), a chance that a bound fails (counts), or a bound on risk (personal).
 */
const names: Record<string, Record<string, string>> = {
  groups: { delta: "δ (groups)" },
  counts: { epsilon: "ε (dp)", delta: "δ (dp)" },
  personal: { delta: "δ (personal)" },
  affinity: { theta: "θ" },
}

/** The letter that the paper uses for a parameter, with the method where letters clash. Most parameters have none. */
export function letterOf(method: string, key: string): string | undefined {
  return names[method]?.[key]
}

/** `delta` of `groups` → `δ (groups)`, `minQueryUsers` → `min query users` */
export function nameParameter(method: string, key: string): string {
  return letterOf(method, key) ?? key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** `k 10, δ (groups) 0.5` */
export function describeParameters(method: string, parameters: Point): string {
  return Object.entries(parameters)
    .map(([key, value]) => `${nameParameter(method, key)} ${value}`)
    .join(", ")
}
