/** How far records arrived out of order of time. */
export interface LateRecords {
  /** Records that arrived after one with a later time. */
  records: number
  /** The largest such delay, in seconds. */
  seconds: number
}

/** A lag in seconds that is worth a warning: the released times may be off by this much. */
export const muchLater = 3600

/**
 * Counts records that arrive after one with a later time. The counts are kept among the totals of the stream, so that
 * they continue after a restart.
 */
export function seeTime(totals: Record<string, number>, time: number): void {
  const { latest = time } = totals
  if (time >= latest) totals.latest = time
  else {
    totals.late = (totals.late ?? 0) + 1
    totals.lag = Math.max(totals.lag ?? 0, latest - time)
  }
}

/** The counts of `seeTime`. */
export const lateRecords = ({ late = 0, lag = 0 }: Record<string, number>): LateRecords => ({
  records: late,
  seconds: lag,
})
