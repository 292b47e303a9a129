import { useState } from "preact/hooks"
import { ScrollArea } from "../parts/scroll-area.tsx"
import {
  type ColumnName,
  columns,
  type FrontierPoint,
  isAccepted,
  sayGain,
  sayUse,
  sortPoints,
  type UseName,
} from "./points.ts"

const columnNames = ["release", "risk", "high", "use", "kept"] as const satisfies readonly ColumnName[]

interface TableProps {
  points: readonly FrontierPoint[]
  use: UseName
  maxRisk: number
  active: string | undefined
  onActive(id: string): void
}

/** All releases as a table, also those that are not in the chart. */
export function FrontierTable({ points, use, maxRisk, active, onActive }: TableProps) {
  const [sorting, setSorting] = useState<{ column: ColumnName; descending: boolean }>({
    column: "risk",
    descending: false,
  })
  const sortBy = (column: ColumnName) =>
    setSorting({ column, descending: sorting.column === column && !sorting.descending })
  return (
    <ScrollArea name="Releases as a table" isTall>
      <table>
        <thead>
          <tr>
            {columnNames.map((column) => (
              <th
                scope="col"
                key={column}
                aria-sort={sorting.column === column ? (sorting.descending ? "descending" : "ascending") : "none"}
              >
                <button type="button" class="qv-link" onClick={() => sortBy(column)}>
                  {columns[column].title}
                  {sorting.column === column && (sorting.descending ? " ↓" : " ↑")}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sortPoints(points, { ...sorting, use }).map((point) => (
            <tr
              key={point.id}
              class={`${point.id === active ? "qv-marked" : ""}${isAccepted(point, maxRisk) ? "" : " qv-dim"}`}
            >
              <th scope="row">
                <button type="button" class="qv-link" onClick={() => onActive(point.id)}>
                  {point.id}
                </button>
              </th>
              <td>{sayGain(point.risk.value)}</td>
              <td>{sayGain(point.risk.high)}</td>
              <td>{sayUse(use, point.uses[use])}</td>
              <td>{sayUse("events", point.uses.events)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
