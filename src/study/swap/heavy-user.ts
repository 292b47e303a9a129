import type { RandomSource } from "../../kernels/random.ts"
import type { ArrivingRecords } from "../../methods/swap/auto-depth.ts"

/** Users of the made-up category besides the heavy one. */
const others = 2000

/**
 * A made-up category in which user 0 issues a given share of the records and the others, equally active, the rest: a text
 * of its own for each record, one record a minute. Nobody has habits, nothing is repeated.
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
