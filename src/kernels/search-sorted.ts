/** The part [from, to) of an array (default: all of it). */
export interface SortedRange {
  from?: number
  to?: number
}

/**
 * The first index in [from, to) with a value of at least `wanted`, or `to` if there is none. Values must never fall.
 */
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

/** The first index of a value in [from, to), or -1 if it does not occur. Values must never fall. */
export function searchSorted<T extends number | bigint>(
  values: ArrayLike<T>,
  wanted: T,
  range: SortedRange = {},
): number {
  const { to = values.length } = range
  const place = firstAtLeast(values, wanted, range)
  return place < to && values[place] === wanted ? place : -1
}
