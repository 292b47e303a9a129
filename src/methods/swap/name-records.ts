import type { ReleasedStream } from "../../kernels/linkage/released-stream.ts"
import { orderByNumbers } from "../../kernels/order-by-numbers.ts"
import { type NameLifetime, sharesName } from "../name-lifetime.ts"

/** A stream under the names that a release shows, and the user behind each name. */
export interface NamedStream {
  stream: ReleasedStream
  /** By name: the user behind it. Only for scoring. */
  owner: Int32Array
}

/** Replaces the shown users by names of the given lifetime. `cell` is by record. */
export function nameRecords(
  shown: ReleasedStream,
  { cell, users }: { cell: Int32Array; users: NameLifetime },
): NamedStream {
  const { user, time } = shown
  // Times before 1970 are negative: flipping the sign bit sorts them first.
  const second = users === "cell" ? cell : time.map((seconds) => seconds ^ 0x80000000)
  const order = orderByNumbers([Uint32Array.from(user), Uint32Array.from(second)])
  const name = new Int32Array(user.length)
  const owner = new Int32Array(user.length)
  let names = 0
  for (let i = 0; i < order.length; i++) {
    const [one, before] = [order[i], order[i - 1]]
    const goesOn =
      i > 0 &&
      user[one] === user[before] &&
      (users === "cell" ? cell[one] === cell[before] : sharesName(users, time[one], time[before]))
    if (!goesOn) owner[names++] = user[one]
    name[one] = names - 1
  }
  return { stream: { ...shown, user: name }, owner: owner.slice(0, names) }
}
