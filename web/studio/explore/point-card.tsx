import type { ComponentChildren } from "preact"
import type { Explore } from "../answers.ts"
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

interface CardProps {
  explore: Explore
  use: UseName
  point: FrontierPoint | undefined
  marks: readonly string[]
  isCompared: boolean
  isChosen: boolean
  onCompare(id: string): void
  onUse(point: FrontierPoint): void
  onChange(point: FrontierPoint): void
}

/** The details of one point, with what can be done with it. */
export function PointCard({ explore, use, point, marks, isCompared, isChosen, ...on }: CardProps) {
  if (point === undefined) return <p class="note">Choose a point to see its details.</p>
  const value = point.uses[use]
  const method = explore.methods.find(({ name }) => name === point.method)
  return (
    <section class="point-card" aria-label="Details of the point">
      <h3>{point.name}</h3>
      <p class="pills">
        <span class="pill">on {sayWhere(point)}</span>
        {marks.map((mark) => (
          <span class="pill good" key={mark}>
            {mark}
          </span>
        ))}
      </p>
      {point.refused !== undefined && <p class="notice bad">It cannot be made. {point.refused}</p>}
      <dl>
        {point.raw ? (
          <Fact name="What it is">The log itself with names replaced. It protects nobody.</Fact>
        ) : (
          method && <Fact name="What it does">It would {method.summary}.</Fact>
        )}
        <Fact name="Risk">{sayRisk(point, explore.maxRisk)}</Fact>
        <Fact name="Strongest attack">{sayAttacker(point)}</Fact>
        <Fact name={`Usefulness: ${explore.uses[use]?.title ?? use}`}>
          {value === undefined ? "Not measured." : sayUse(use, value.value)}
          {value?.original !== undefined && ` (the log itself: ${sayUse(use, value.original)})`}
        </Fact>
        <Fact name="Searches kept">{sayKept(point)}</Fact>
        <Fact name="Checks">{sayState(point.state)}</Fact>
        <Fact name="Report">{point.report ? "It has one, in the project's folder." : "It has none."}</Fact>
      </dl>
      <div class="actions">
        {!point.raw && point.refused === undefined && point.state !== "failed" && (
          <button type="button" disabled={isChosen} onClick={() => on.onUse(point)}>
            {isChosen ? "In use" : "Use this one"}
          </button>
        )}
        <button type="button" class="plain" aria-pressed={isCompared} onClick={() => on.onCompare(point.id)}>
          {isCompared ? "Do not compare" : "Compare"}
        </button>
        {!point.raw && (
          <button type="button" class="plain" onClick={() => on.onChange(point)}>
            Change its settings
          </button>
        )}
      </div>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
