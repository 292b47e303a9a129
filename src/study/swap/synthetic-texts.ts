import { type RandomSource, shuffle } from "../../kernels/random.ts"
import type { ArrivingRecords } from "../../methods/swap/auto-depth.ts"

/** Users of the synthetic category besides the heavy user. */
const others = 2000
const newsOfDay = 40
const perDay = 1000

/**
 * A synthetic category of news. About half of the records have one of the 40 texts of their day, the others a text of
 * their own. User 0 issues a given share of all records; the other users are equally active.
 */
export function newsArrivals(
  { records, share }: { records: number; share: number },
  random: RandomSource,
): ArrivingRecords {
  const isNews = Uint8Array.from({ length: records }, () => random.below(2))
  const days = Math.ceil(records / perDay)
  return {
    user: Int32Array.from({ length: records }, () =>
      random.below(1000) < share * 1000 ? 0 : 1 + random.below(others),
    ),
    text: Int32Array.from({ length: records }, (_, place) =>
      isNews[place] === 1 ? Math.floor(place / perDay) * newsOfDay + random.below(newsOfDay) : days * newsOfDay + place,
    ),
    topic: new Int32Array(records),
    time: Int32Array.from({ length: records }, (_, place) => Math.floor((place * 86400) / perDay)),
  }
}

/** A synthetic category in which each user issues each text once, in random order, one record per minute. */
export function fewTextArrivals(
  { users, texts }: { users: number; texts: number },
  random: RandomSource,
): ArrivingRecords {
  const order = Uint32Array.from({ length: users * texts }, (_, i) => i)
  shuffle(order, random)
  return {
    user: Int32Array.from(order, (i) => i % users),
    text: Int32Array.from(order, (i) => Math.floor(i / users)),
    topic: new Int32Array(order.length),
    time: Int32Array.from(order, (_, place) => place * 60),
  }
}
