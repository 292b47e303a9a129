import type { Progress, ProgressStep } from "../kernels/context.ts"
import { stagePhrases } from "./stage-phrases.ts"

/** Fewer parts than this are shown as a count, more as a percentage. */
const fewParts = 20

/**
 * `point 1 of 9: equality, k = 5, attacking, matching users  45 %`. To fit the width, inner steps lose their numbers
 * and are then dropped from the innermost outwards. A text that is still too long is truncated. `seconds` is how long
 * the stage has lasted.
 */
export function progressText(progress: Progress, { seconds, width }: { seconds: number; width: number }): string {
  const { steps = [], stage } = progress
  const phrase = stagePhrases[stage]?.says ?? stage // an extension's stage has no phrase
  const extent = describeExtent(progress, seconds)
  const outer = steps.slice(0, 1).map(stepText)
  const inner = steps.slice(1)
  const shorter = inner.map((_, dropped) => inner.slice(0, inner.length - dropped).map(({ name }) => name))
  const texts = [inner.map(stepText), ...shorter, []].map((names) => {
    const parts = [...outer, ...names, phrase].filter((part) => part !== "")
    return [parts.join(", "), extent].filter((part) => part !== "").join("  ")
  })
  return texts.find((text) => text.length <= width) ?? `${texts.at(-1)?.slice(0, width - 1)}…`
}

const stepText = ({ kind, number, total, name }: ProgressStep) => `${kind} ${number} of ${total}: ${name}`

/** The progress of the stage: a percentage and the time left, or a count, or only the time so far. Never `0 %`. */
function describeExtent({ stage, done, total, left }: Progress, seconds: number): string {
  if (left !== undefined) return `${shortTime(left)} left`
  const unit = stagePhrases[stage]?.counts
  if (total === undefined && done > 0 && unit !== undefined) return `${shortNumber(done)} ${unit}`
  if (total === undefined || done <= 0 || 100 * done < total) return seconds < 1 ? "" : shortTime(Math.floor(seconds))
  if (total < fewParts) return total < 2 ? "" : `${done} of ${total}`
  const percent = `${Math.floor((100 * done) / total)} %`
  const isSure = seconds > 2 && 10 * done > total // before that, the rate is unreliable
  return done < total && isSure ? `${percent}  ${shortTime((seconds * (total - done)) / done)} left` : percent
}

function shortNumber(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} billion`
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} million`
  return Math.round(value).toLocaleString("en")
}

function shortTime(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}
