/** How far records came out of the order of their times. */
export interface LateRecords {
  /** Records that came after one with a later time. */
  records: number
  /** By how many seconds at most. */
  seconds: number
}

/** A difference that the shown times may have: it is worth a warning. */
export const muchLater = 3600

/**
 * Counts records that come after one with a later time. The counts are kept among the totals of the stream, so that a
 * restart goes on with them.
 */
export function seeTime(totals: Record<string, number>, time: number): void {
  const { latest = time } = totals
  if (time >= latest) totals.latest = time
  else {
    totals.late = (totals.late ?? 0) + 1
    totals.lag = Math.max(totals.lag ?? 0, latest - time)
  }
}

/** What `seeTime` has counted. */
export const lateRecords = ({ late = 0, lag = 0 }: Record<string, number>): LateRecords => ({
  records: late,
  seconds: lag,
})
