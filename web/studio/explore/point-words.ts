import { asCount, asPercent } from "../../shared/format.ts"
import type { Explore } from "../answers.ts"

/** A point of the frontier. */
export type FrontierPoint = Explore["points"][number]
/** What a release may be used for. */
export type UseName = Explore["use"]

/** Uses whose score is a share. The others are scores of their own kind. */
const shares: readonly UseName[] = ["queries", "urls", "events", "distinct"]

/** `54.1 %`, or `0.038` where the score is not a share. */
export function sayUse(use: UseName, value: number): string {
  return shares.includes(use) ? asPercent(value) : sayNumber(value)
}

function sayNumber(value: number): string {
  return value >= 100 ? asCount(value) : String(Number(value.toPrecision(3)))
}

/** A gain over a guess, as a share. */
export function sayGain(gain: number): string {
  return gain > 0 && gain < 0.001 ? "under 0.1\u00a0%" : asPercent(gain)
}

/** A gain over a guess, as people who are found. */
export function sayPeople(gain: number): string {
  if (gain <= 0) return "nobody beyond a guess"
  if (gain < 0.001) return "fewer than 1 person in 1,000 beyond a guess"
  if (gain > 0.995) return "everybody"
  return gain > 0.4
    ? `about ${Math.round(10 * gain)} people in 10 beyond a guess`
    : `about 1 person in ${asCount(Number((1 / gain).toPrecision(2)))} beyond a guess`
}

/** True if the upper end of the point's risk is within the accepted one. */
export function isAccepted({ risk }: FrontierPoint, maxRisk: number): boolean {
  return risk !== undefined && risk.high <= maxRisk
}

/** Whether the risk of a point is accepted, and how large it is. */
export function sayRisk(point: FrontierPoint, maxRisk: number): string {
  const { risk } = point
  if (risk === undefined) return "Not known. Nobody could be attacked in it."
  const verdict = isAccepted(point, maxRisk) ? "Within what you accept." : "More than you accept."
  const most = `The strongest attack finds ${sayPeople(risk.value)} (${sayGain(risk.value)}).`
  const more = risk.high - risk.value < 0.0005 ? "" : ` It may find up to ${sayGain(risk.high)}.`
  return `${verdict} ${most}${more}`
}

const states: Readonly<Record<string, string>> = {
  passed: "All checks passed.",
  failed: "A check failed. Do not use it.",
  "not checked": "Not everything could be checked.",
  "not promised": "The method makes no promise that could be checked.",
}

/** The state of a point's checks, in a sentence. */
export const sayState = (state: string) => states[state] ?? state

/** `a sample` or `the whole log`. */
export const sayWhere = ({ of }: Pick<FrontierPoint, "of">) => (of === "sample" ? "a sample" : "the whole log")

/** The share of searches that a point keeps. */
export function sayKept({ uses }: FrontierPoint): string {
  return uses.events === undefined ? "not measured" : asPercent(uses.events.value)
}

/** What the attacker behind the risk does, as a sentence. */
export function sayAttacker({ attacker }: FrontierPoint): string {
  return attacker === "" ? "No attack could be made." : `The attacker ${attacker.replace(/, (?!and )/, " and ")}.`
}

interface LabelOptions {
  use: UseName
  title: string
  maxRisk: number
  /** Marks such as `recommended`. */
  marks: readonly string[]
}

/** All about a point in one sentence, for a screen reader. */
export function labelPoint(point: FrontierPoint, { use, title, maxRisk, marks }: LabelOptions): string {
  const value = point.uses[use]
  return [
    point.name,
    `computed on ${sayWhere(point)}`,
    ...marks,
    point.risk === undefined
      ? "risk not known"
      : `risk ${sayGain(point.risk.value)}, at most ${sayGain(point.risk.high)}, ` +
        (isAccepted(point, maxRisk) ? "accepted" : "not accepted"),
    `${title} ${value === undefined ? "not measured" : sayUse(use, value.value)}`,
  ].join("; ")
}
