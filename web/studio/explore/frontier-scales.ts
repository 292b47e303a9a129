import { linearScale, logScale, type Scale } from "../../shared/scales.ts"

const riskMarks = [0, 0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.6, 1]

/**
 * A scale of risk from 0 to at least the largest value. It is a cube root, which shows small risks larger. Ticks are at
 * least `apart` of the axis apart.
 */
export function riskScale(largest: number, { apart }: { apart: number }): Scale {
  const top = Math.min(1, 1.08 * Math.max(0.01, Number.isFinite(largest) ? largest : 0))
  const place = (value: number) => Math.cbrt(Math.min(1, Math.max(0, value / top)))
  const ticks: number[] = []
  for (const mark of riskMarks) {
    const last = ticks.at(-1)
    if (mark <= top && (last === undefined || place(mark) - place(last) >= apart)) ticks.push(mark)
  }
  return { place, ticks }
}

/**
 * A scale of usefulness on which higher is always better. It starts at 0, or is logarithmic if the values span more
 * than a factor of 20.
 */
export function useScale(values: readonly number[], { better }: { better: "higher" | "lower" }): Scale & LogMark {
  const known = values.filter(Number.isFinite)
  const [smallest, largest] = [Math.min(...known), Math.max(...known)]
  const isLog = smallest > 0 && largest / smallest > 20
  const { place, ticks } = isLog ? logScale({ smallest, largest }) : linearScale(largest)
  return { ticks, place: better === "higher" ? place : (value) => 1 - place(value), isLog }
}

interface LogMark {
  isLog: boolean
}
