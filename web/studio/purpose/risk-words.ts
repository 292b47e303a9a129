import { asCount } from "../../shared/format.ts"

/** The risks that the slider offers, from the smallest. */
const offered = [0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5]

/** The risk that the slider starts with, as that of `queryveil advise`. */
export const defaultRisk = 0.05

/** The positions of the slider. A risk that was set elsewhere is one of them, in its place. */
export function riskSteps(present: number): number[] {
  return [...new Set([...offered, present])].sort((a, b) => a - b)
}

/** A risk in words: `at most 1 person in 20 found again`. */
export function sayRisk(risk: number): string {
  if (risk <= 0) return "nobody found again"
  if (risk >= 1) return "everybody may be found again"
  const among = Math.round(1 / risk)
  if (Math.abs(1 / risk - among) < 1e-6) return `at most 1 person in ${asCount(among)} found again`
  const scale = [100, 1000, 10_000].find((all) => Math.abs(risk * all - Math.round(risk * all)) < 1e-6)
  if (scale === undefined) return `at most ${(100 * risk).toPrecision(2)} % of people found again`
  return `at most ${asCount(Math.round(risk * scale))} people in ${asCount(scale)} found again`
}

/** What a risk means for a log with so many users, in a sentence. Rounded up: it is never said to be nobody. */
export function sayFound(risk: number, users: number): string {
  return `Of the ${asCount(users)} people in this log, that is up to ${asCount(Math.ceil(risk * users - 1e-9))}.`
}
