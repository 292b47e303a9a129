import { type RandomSource, shuffle } from "../../kernels/random.ts"
import type { ArrivingRecords } from "../../methods/swap/auto-depth.ts"

/** Users of the made-up category besides the heavy one. */
const others = 2000
const newsOfDay = 40
const perDay = 1000

/**
 * A made-up category of news: half of the records have one of the 40 texts of their day, the others a text of their own.
 * User 0 issues a given share of all; the others are equally active.
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

/** A made-up category in which each of so many users issues each of so many texts once, in random order, one a minute. */
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
