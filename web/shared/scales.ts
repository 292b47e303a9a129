/** Maps a value to a position between the bottom (0) and the top (1) of a chart, with the values of the ticks. */
export interface Scale {
  place(value: number): number
  ticks: number[]
}

/** A step of 1, 2 or 5 times a power of ten, so that at most `most` steps reach the value. */
function roundStep(value: number, most: number): number {
  const power = 10 ** Math.floor(Math.log10(value / most))
  const step = [1, 2, 5, 10].find((factor) => value <= factor * power * most * (1 + 1e-9)) ?? 10
  return step * power
}

/**
 * A scale from 0 to the first tick that is at least the largest value. Ticks are 1, 2 or 5 times a power of ten apart.
 */
export function linearScale(largest: number): Scale {
  const reached = Number.isFinite(largest) && largest > 0 ? largest : 1
  const step = roundStep(reached, 4)
  const steps = Math.ceil(reached / step - 1e-9)
  // By division, which rounds once: 3 / 10 is 0.3, and 3 × 0.1 is not.
  const ticks = Array.from({ length: steps + 1 }, (_, i) => (step < 1 ? i / Math.round(1 / step) : i * step))
  return { place: (value) => Math.min(1, value / (steps * step)), ticks }
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour
/** Durations that have a common name, in seconds. */
export const durationMarks = [
  0.001,
  0.01,
  0.1,
  1,
  10,
  minute,
  10 * minute,
  hour,
  6 * hour,
  day,
  7 * day,
  28 * day,
  364 * day,
]

const powersOfTen = Array.from({ length: 24 }, (_, i) => Number(`1e${i - 6}`))
const roundNumbers = powersOfTen.flatMap((power) => [power, 2 * power, 5 * power])
const mostTicks = 5

interface LogOptions {
  smallest: number
  largest: number
  /**
   * Values that may be ticks, ascending (default: 1, 2 and 5 times powers of ten, or only powers of ten if those are
   * too many).
   */
  marks?: readonly number[]
}

/** A logarithmic scale from one mark to another. Smaller values are at the bottom. */
export function logScale({ smallest, largest, marks }: LogOptions): Scale {
  const values = { smallest, largest }
  const wanted = marks ?? cover(values, roundNumbers)
  const held = marks === undefined && wanted.length > mostTicks ? cover(values, powersOfTen) : cover(values, wanted)
  const [low, high] = [Math.log10(held[0] ?? 1), Math.log10(held.at(-1) ?? 10)]
  const every = Math.ceil(held.length / mostTicks)
  return {
    place: (value) => Math.min(1, Math.max(0, (Math.log10(value) - low) / (high - low))),
    ticks: held.filter((_, i) => (held.length - 1 - i) % every === 0),
  }
}

/**
 * The marks from the last that is at most the smallest value to the first that is at least the largest; at least two.
 */
function cover({ smallest, largest }: LogOptions, marks: readonly number[]): readonly number[] {
  const reached = largest > 0 ? largest : 10
  const above = marks.findIndex((mark) => mark >= reached * (1 - 1e-9))
  const top = Math.max(1, above < 0 ? marks.length - 1 : above)
  const below = marks.findLastIndex((mark) => mark <= smallest * (1 + 1e-9))
  return marks.slice(Math.min(top - 1, Math.max(0, smallest > 0 ? below : top - 2)), top + 1)
}
