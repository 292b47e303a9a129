import type { Comparison } from "../../../src/app/project/jobs/compare-job.ts"
import { asCount } from "../../shared/format.ts"
import { Panel } from "../../shared/panel.tsx"
import type { Explore } from "../answers.ts"
import { JobStatus } from "../job-status.tsx"
import { isActive } from "../job-words.ts"
import type { Studio } from "../studio.ts"
import { useResult, useStart } from "../use-job.ts"
import { visible } from "../visible.ts"
import {
  type FrontierPoint,
  sayAttacker,
  sayKept,
  sayRisk,
  sayState,
  sayUse,
  sayWhere,
  type UseName,
} from "./point-words.ts"

interface CompareProps {
  studio: Studio
  explore: Explore
  use: UseName
  compared: readonly string[]
  onCompare(id: string): void
}

/** Two points side by side, and what each would show of the same queries. */
export function ComparePoints({ studio, explore, use, compared, onCompare }: CompareProps) {
  const { start, isStarting } = useStart(studio, "compare")
  const job = studio.jobOf("compare")
  const result = useResult(studio, job)
  const points = compared.flatMap((id) => explore.points.filter((point) => point.id === id))
  const comparison = isComparison(result) && isOf(result, compared) ? result : undefined
  const [one, other] = points
  return (
    <Panel title="Two points side by side">
      {points.length < 2 && (
        <p>
          {points.length === 0 ? "Mark two points" : `${one?.name} is marked. Mark one more`} with “Compare”, here or in
          the table. In the chart, press Enter on a point.
        </p>
      )}
      {one !== undefined && other !== undefined && (
        <>
          <SideBySide {...{ explore, use, points, onCompare }} />
          {one.of === "sample" || other.of === "sample" ? (
            <p class="note">A point on a sample shows fewer searches than the same release of the whole log would.</p>
          ) : null}
          {comparison === undefined ? (
            <div class="actions">
              <button
                type="button"
                disabled={isStarting || isActive(job)}
                onClick={() => void start({ points: compared })}
              >
                Show the same twenty queries in both
              </button>
            </div>
          ) : (
            <SameQueries {...{ comparison, points }} />
          )}
          <JobStatus {...{ studio, job }} ended="Nothing was compared." />
        </>
      )}
    </Panel>
  )
}

function SideBySide({ explore, use, points, onCompare }: Omit<CompareProps, "studio" | "compared"> & WithPoints) {
  const value = (point: FrontierPoint) => {
    const found = point.uses[use]
    return found === undefined ? "not measured" : sayUse(use, found.value)
  }
  const rows: [string, (point: FrontierPoint) => string][] = [
    ["Computed on", sayWhere],
    ["Risk", (point) => sayRisk(point, explore.maxRisk)],
    ["Strongest attack", sayAttacker],
    [`Usefulness: ${explore.uses[use]?.title ?? use}`, value],
    ["Searches kept", sayKept],
    ["Checks", ({ state }) => sayState(state)],
  ]
  return (
    <div class="scroll">
      <table class="beside">
        <thead>
          <tr>
            <th scope="col">
              <span class="unseen">Property</span>
            </th>
            {points.map(({ id, name }) => (
              <th scope="col" key={id}>
                {name}{" "}
                <button type="button" class="link" aria-label={`Do not compare ${name}`} onClick={() => onCompare(id)}>
                  remove
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([title, say]) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {points.map((point) => (
                <td key={point.id}>{say(point)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface WithPoints {
  points: readonly FrontierPoint[]
}

function SameQueries({ comparison, points }: { comparison: Comparison } & WithPoints) {
  return (
    <>
      <h3>The same {comparison.queries.length} queries, from rare to frequent</h3>
      <p class="note">Of a query of few people you see its shape only: its text did not leave the server.</p>
      <div class="scroll">
        <table class="beside">
          <thead>
            <tr>
              <th scope="col">Query</th>
              <th scope="col">People in the log</th>
              <th scope="col">Searches in the log</th>
              {points.map(({ id, name }) => (
                <th scope="col" key={id}>
                  Shown by {name}
                  <small>{sayPlace(points, id)}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {comparison.queries.map(({ users, searches, text, shape, shown }, i) => (
              <tr key={`${i} ${shape}`}>
                <th scope="row">
                  {text === undefined ? (
                    <span class="masked">
                      <span class="unseen">masked: </span>
                      {shape}
                    </span>
                  ) : (
                    <bdi>{visible(text)}</bdi>
                  )}
                </th>
                <td>{asCount(users)}</td>
                <td>{asCount(searches)}</td>
                {points.map(({ id }) => (
                  <td key={id}>{sayShown(shown[comparison.points.indexOf(id)])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function sayShown(count: number | null | undefined): string {
  if (count === null || count === undefined) return "shows no texts"
  return count === 0 ? "not shown" : asCount(count)
}

/** Where a point was computed, if that is not the same for both. */
function sayPlace(points: readonly FrontierPoint[], id: string): string {
  const [one, other] = points
  const point = points.find((some) => some.id === id)
  return point === undefined || one?.of === other?.of ? "" : ` on ${sayWhere(point)}`
}

const isOf = ({ points }: Comparison, compared: readonly string[]) =>
  points.length === compared.length && points.every((id) => compared.includes(id))

/** True if a result of a job is a comparison. */
export function isComparison(value: unknown): value is Comparison {
  return typeof value === "object" && value !== null && "points" in value && "queries" in value
}
