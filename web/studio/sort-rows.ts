/** What a table is sorted by. */
export interface Sorting {
  column: string
  descending: boolean
}

const words = new Intl.Collator("en", { numeric: true })

/** Sorts by a value. Rows without one are last in both directions; equal rows keep their order. */
export function sortRows<T>(
  rows: readonly T[],
  keyOf: (row: T) => string | number | undefined,
  { descending }: { descending: boolean },
): T[] {
  const sign = descending ? -1 : 1
  return rows.toSorted((a, b) => {
    const [one, other] = [keyOf(a), keyOf(b)]
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
    if (typeof one === "number" && typeof other === "number") return sign * (one - other)
    return sign * words.compare(String(one), String(other))
  })
}

/** A second press on a column turns the order round. */
export function nextSorting(now: Sorting | undefined, column: string): Sorting {
  return { column, descending: now?.column === column && !now.descending }
}

/** The state of a column's heading, for `aria-sort`. */
export function sortState(now: Sorting | undefined, column: string): "ascending" | "descending" | "none" {
  if (now?.column !== column) return "none"
  return now.descending ? "descending" : "ascending"
}
