import type { Exposed, Result } from "./answers.ts"

/** A risk or δ from 0 to 1, with two digits; never 0.00 for a value above 0. */
export function asRisk(value: number): string {
  if (!Number.isFinite(value)) return "–"
  return value > 0 && value < 0.005 ? "<\u202f0.01" : value.toFixed(2)
}

/** Shown instead of a risk while none is counted. */
export const noRisk = "no risk is counted: nothing in the profile is marked sensitive"

/** A risk and its limit, in words. */
export const asBounded = (risk: number | null, bound: number) =>
  risk === null ? "not counted" : `${asRisk(risk)} of ${asRisk(bound)}`

export const asShare = (value: number) =>
  value > 0 && value < 0.005 ? "<\u202f1\u00a0%" : `${Math.round(100 * value)}\u00a0%`

export const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`

/** The last part of a path, and those before it. */
export function splitPath(path: string): { name: string; above: string } {
  const parts = path
    .replaceAll("_", " ")
    .replace(/~\d+(?=\/|$)/g, "")
    .split("/")
  return { name: parts.at(-1) ?? path, above: parts.slice(0, -1).join(" › ") }
}

/**
 * Says what one search reveals, or would reveal, to an engine about its searcher. An engine that accepts no profile is
 * sent only the query.
 */
export function sayExposed(exposed: Exposed, { isDone, takes }: { isDone: boolean; takes: boolean }): string {
  const { decision, exposure, risk, delta } = exposed
  if (!takes) return `The engine ${isDone ? "was" : "would be"} sent the query alone.`
  const learns = isDone ? "The engine learned" : "The engine would learn"
  if (decision === "nothing") return `${learns} nothing of your profile.`
  // Only the root: the engine knows that there is a profile, but no topic of it.
  const what = exposure.length === 0 ? "no topic" : counted(exposure.length, "topic")
  return `${learns} ${what}; ${risk === null ? noRisk : `risk ${asRisk(risk)} of ${asRisk(delta)}`}.`
}

/** How many places a result moved up (above 0) or down. */
export const movedUp = ({ rank, before }: Result) => before - rank

export function sayMoved(result: Result): string {
  const up = movedUp(result)
  if (up === 0) return "not moved"
  return `${up > 0 ? "up" : "down"} ${Math.abs(up)}, from rank ${result.before}`
}

/** Only these are links. The proxy also checks this, but the page does not rely on it. */
export const isLink = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url)

/** Host and path of an address, in readable form. */
export function asAddress(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return host + decodeURIComponent(pathname).replace(/\/$/, "").replaceAll("/", " › ")
  } catch {
    return url
  }
}
