import { ScrollArea } from "../parts/scroll-area.tsx"
import type { StepTable } from "./recording.ts"

/** A table of a step, with bars for one of its columns. */
export function StepTableView({ table, name }: { table: StepTable; name: string }) {
  const { columns, rows, marked = [], bars } = table
  const most = bars && Math.max(bars.reach ?? 0, ...rows.map((row) => Number(row[bars.column]) || 0), 1)
  const share = (value: string | number | undefined) => `${(100 * (Number(value) || 0)) / (most ?? 1)}%`
  return (
    <ScrollArea name={name}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column}>
                {column}
              </th>
            ))}
            {bars && <th scope="col" class="qv-wide" aria-label="As a bar" />}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={row.join("\t")} class={marked.includes(i) ? "qv-marked" : ""}>
              {row.map((cell, column) => (
                <td key={columns[column]} class={typeof cell === "string" ? "qv-text" : ""}>
                  {cell}
                </td>
              ))}
              {bars && (
                <td class="qv-wide">
                  <span class="qv-bar" aria-hidden="true">
                    <i style={{ width: share(row[bars.column]) }} />
                    {bars.reach !== undefined && <u style={{ left: share(bars.reach) }} />}
                  </span>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
