import type { InputLag } from "../live/stream-figures.ts"

/** What is known of a partition: where the stream is in it, and what the broker has of it. */
export interface PartitionState {
  /** The next offset to read. */
  next: number
  /** Timestamp of the last message that was read; undefined before the first. */
  readAt: number | undefined
  /** Offsets [from, to) that reading skipped: deleted messages, or offsets without a message. */
  gaps: [from: number, to: number][]
}

/** The offsets that a broker has of a partition. */
export interface Watermarks {
  low: number
  high: number
}

/**
 * Messages that were deleted before they were read, among the offsets that reading has just skipped. Offsets without a
 * message (the ends of transactions) are skipped too, so only those below the broker's oldest offset count.
 */
export function countLost({ gaps }: Pick<PartitionState, "gaps">, { low }: Pick<Watermarks, "low">): number {
  return gaps.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, low) - from), 0)
}

/**
 * How far an input is behind. `retention`: milliseconds for which the topic keeps messages, undefined if without end.
 * It is an alarm if half of that time has passed before a message was read, or if messages were lost.
 */
export function topicLag(
  input: string,
  {
    partitions,
    lost,
    now,
    retention,
  }: {
    partitions: readonly (PartitionState & Watermarks)[]
    lost: number
    now: number
    retention: number | undefined
  },
): InputLag {
  const behind = partitions.filter(({ next, high }) => next < high)
  const messages = behind.reduce((sum, { next, low, high }) => sum + high - Math.max(next, low), 0)
  const oldest = behind.reduce((least, { readAt = now }) => Math.min(least, readAt), now)
  const seconds = Math.max(0, (now - oldest) / 1000)
  const isLate = retention !== undefined && seconds * 1000 > retention / 2
  const isLosing = lost > 0 || partitions.some(({ next, low }) => next < low)
  return { input, messages, seconds, lost, alarm: isLate || isLosing }
}
