import { type Sorting, sortState } from "./sort-rows.ts"

interface HeadingProps {
  title: string
  column: string
  sorting: Sorting | undefined
  onSort(column: string): void
}

const signs = { ascending: "▲", descending: "▼", none: "" }

/** The heading of a column by which a table can be sorted. */
export function SortHeading({ title, column, sorting, onSort }: HeadingProps) {
  const state = sortState(sorting, column)
  return (
    <th scope="col" aria-sort={state}>
      <button type="button" class="sort" onClick={() => onSort(column)}>
        {title} <span aria-hidden="true">{signs[state]}</span>
      </button>
    </th>
  )
}
