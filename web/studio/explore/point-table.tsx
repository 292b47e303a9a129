import { useState } from "preact/hooks"
import type { Explore } from "../answers.ts"
import { SortHeading } from "../sort-heading.tsx"
import { nextSorting, type Sorting, sortRows } from "../sort-rows.ts"
import { type FrontierPoint, isAccepted, sayAttacker, sayGain, sayKept, sayUse, type UseName } from "./point-words.ts"

interface TableProps {
  explore: Explore
  use: UseName
  active: string | undefined
  compared: readonly string[]
  marksOf(point: FrontierPoint): readonly string[]
  onActive(id: string): void
  onCompare(id: string): void
}

/** All points as a table, also those that are not in the chart. */
export function PointTable({ explore, use, active, compared, marksOf, onActive, onCompare }: TableProps) {
  const [sorting, setSorting] = useState<Sorting>({ column: "risk", descending: false })
  const columns: Record<string, { title: string; value(point: FrontierPoint): string | number | undefined }> = {
    name: { title: "Release", value: ({ name }) => name },
    risk: { title: "Risk", value: ({ risk }) => risk?.value },
    high: { title: "At most", value: ({ risk }) => risk?.high },
    use: { title: sentence(explore.uses[use]?.title ?? use), value: ({ uses }) => uses[use]?.value },
    kept: { title: "Searches kept", value: ({ uses }) => uses.events?.value },
    of: { title: "Computed on", value: ({ of }) => of },
    state: { title: "Checks", value: ({ state }) => state },
    attacker: { title: "Strongest attack", value: ({ attacker }) => attacker },
  }
  const value = columns[sorting.column]?.value ?? (() => undefined)
  return (
    <div class="scroll">
      <table class="points">
        <thead>
          <tr>
            <th scope="col">Compare</th>
            {Object.entries(columns).map(([column, { title }]) => (
              <SortHeading
                key={column}
                {...{ title, column, sorting }}
                onSort={(chosen) => setSorting(nextSorting(sorting, chosen))}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {sortRows(explore.points, value, sorting).map((point) => (
            <tr key={point.id} class={point.id === active ? "active" : ""}>
              <td>
                <input
                  type="checkbox"
                  aria-label={`Compare ${point.name}`}
                  checked={compared.includes(point.id)}
                  onChange={() => onCompare(point.id)}
                />
              </td>
              <th scope="row">
                <button type="button" class="link" onClick={() => onActive(point.id)}>
                  {point.name}
                </button>
                {marksOf(point).map((mark) => (
                  <small key={mark}> {mark}</small>
                ))}
                {point.refused !== undefined && <small> cannot be made: {point.refused}</small>}
              </th>
              <td>{point.risk === undefined ? "not known" : sayGain(point.risk.value)}</td>
              <td>
                {point.risk === undefined ? "–" : sayGain(point.risk.high)}{" "}
                {point.risk && <small>{isAccepted(point, explore.maxRisk) ? "accepted" : "too high"}</small>}
              </td>
              <td>{sayValue(point, use)}</td>
              <td>{sayKept(point)}</td>
              <td>{point.of === "sample" ? "sample" : "whole log"}</td>
              <td>{point.state}</td>
              <td class="words">{sayAttacker(point)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function sayValue({ uses }: FrontierPoint, use: UseName): string {
  const found = uses[use]
  return found === undefined ? "not measured" : sayUse(use, found.value)
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
