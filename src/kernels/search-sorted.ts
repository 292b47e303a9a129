/** The part [from, to) of an array; the whole of it unless it is said. */
export interface SortedRange {
  from?: number
  to?: number
}

/** The first place in [from, to) with a value of at least `wanted`; `to` where there is none. The values never fall. */
export function firstAtLeast<T extends number | bigint>(
  values: ArrayLike<T>,
  wanted: T,
  { from = 0, to = values.length }: SortedRange = {},
): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle] < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** The first place of a value in [from, to), -1 where it is not there. The values never fall. */
export function searchSorted<T extends number | bigint>(
  values: ArrayLike<T>,
  wanted: T,
  range: SortedRange = {},
): number {
  const { to = values.length } = range
  const place = firstAtLeast(values, wanted, range)
  return place < to && values[place] === wanted ? place : -1
}
