import type { RandomSource } from "../../kernels/random.ts"
import type { ArrivingRecords } from "../../methods/swap/auto-depth.ts"

/** Users of the synthetic category besides the heavy user. */
const others = 2000

/**
 * A synthetic category. User 0 issues a given share of the records; the other users, equally active, issue the rest.
 * Each record has a text of its own, and one record arrives per minute. Nobody has habits, and nothing is repeated.
 */
export function heavyArrivals(
  { records, share }: { records: number; share: number },
  random: RandomSource,
): ArrivingRecords {
  return {
    user: Int32Array.from({ length: records }, () =>
      random.below(1000) < share * 1000 ? 0 : 1 + random.below(others),
    ),
    text: Int32Array.from({ length: records }, (_, place) => place),
    topic: new Int32Array(records),
    time: Int32Array.from({ length: records }, (_, place) => place * 60),
  }
}
