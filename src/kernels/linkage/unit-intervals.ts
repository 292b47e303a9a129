import { wilsonInterval } from "../statistics/wilson-interval.ts"
import type { ReleasedStream } from "./released-stream.ts"

/** 95 % intervals of the two shares of a linkage score. */
export interface UnitIntervals {
  ofAll: [number, number]
  ofNamed: [number, number]
}

/**
 * Wilson's intervals under the assumption that units, not records, are independent. A unit is records in a row with one
 * text, one user shown and one issuer. They leave together, and an attacker is right about all of them or none. n
 * records in units of sizes mᵢ count as n² / Σ mᵢ² independent ones (Kish's effective size).
 */
export function unitIntervals(named: Int32Array, { user, text, truth }: ReleasedStream): UnitIntervals {
  const all = { records: 0, squares: 0, right: 0, size: 0 }
  const said = { ...all }
  const close = (count: typeof all) => {
    count.squares += count.size * count.size
    count.size = 0
  }
  for (let i = 0; i < named.length; i++) {
    if (truth[i] < 0) continue
    const goesOn = i > 0 && user[i] === user[i - 1] && text[i] === text[i - 1] && truth[i] === truth[i - 1]
    for (const count of [all, said]) {
      if (!goesOn) close(count)
      if (count === said && named[i] < 0) continue
      count.size++
      count.records++
      if (named[i] === truth[i]) count.right++
    }
  }
  const interval = (count: typeof all) => {
    close(count)
    if (count.records === 0) return wilsonInterval(0, 0)
    const effective = (count.records * count.records) / count.squares
    return wilsonInterval((count.right / count.records) * effective, effective)
  }
  return { ofAll: interval(all), ofNamed: interval(said) }
}
