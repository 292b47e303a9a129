import { daysFromCivil } from "../kernels/civil-time.ts"

/** The three months of the log: 1 March to 31 May 2006, UTC seconds. */
const days = 92
export const periodStart = daysFromCivil(2006, 3, 1) * 86400
export const periodEnd = periodStart + days * 86400

/**
 * Relative numbers of searches by hour of the day and by weekday (from Monday). They are invented, after common
 * experience.
 */
const byHour = [34, 22, 14, 9, 8, 10, 17, 28, 40, 50, 56, 60, 63, 64, 66, 68, 70, 72, 76, 82, 88, 90, 80, 56]
const byWeekday = [1.06, 1.06, 1.04, 1.02, 0.94, 0.9, 0.98]
/** 1 March 2006 was a Wednesday. */
const firstWeekday = 2

/**
 * Makes a function for the time by which a share of all searches is made. It inverts the rhythm.
 * The share is in [0, 1).
 */
export function createRhythm(): (share: number) => number {
  const until = new Float64Array(days * 24 + 1)
  for (let hour = 0; hour < days * 24; hour++) {
    const weekday = (firstWeekday + Math.floor(hour / 24)) % 7
    until[hour + 1] = until[hour] + byHour[hour % 24] * byWeekday[weekday]
  }
  const total = until[days * 24]
  return (share) => {
    const wanted = share * total
    let low = 0
    let high = days * 24 - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (until[middle] <= wanted) low = middle
      else high = middle - 1
    }
    const within = (wanted - until[low]) / (until[low + 1] - until[low])
    return periodStart + Math.floor((low + within) * 3600)
  }
}
