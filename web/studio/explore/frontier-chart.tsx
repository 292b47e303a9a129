import { useEffect, useRef, useState } from "preact/hooks"
import { useWidth } from "../../shared/use-width.ts"
import type { Explore } from "../answers.ts"
import { ChartGround, drawFront, type Layout } from "./chart-ground.tsx"
import { riskScale, useScale } from "./frontier-scales.ts"
import { nearestPoint, stepPoint } from "./point-order.ts"
import { PointSymbol } from "./point-symbol.tsx"
import { type FrontierPoint, labelPoint, type UseName } from "./point-words.ts"

const margin = { top: 26, right: 16, bottom: 44, left: 58 }
/** Pixels between a pointer and a point that it still chooses. */
const reach = 26
/** Least pixels between two ticks of the risk. */
const tickRoom = 46

interface ChartProps {
  explore: Explore
  use: UseName
  /** Points that have both a risk and a value for this use. */
  points: readonly FrontierPoint[]
  /** The point whose details are shown. */
  active: string | undefined
  compared: readonly string[]
  marksOf(point: FrontierPoint): readonly string[]
  onFront(point: FrontierPoint): boolean
  onHover(id: string | undefined): void
  onActive(id: string): void
  onCompare(id: string): void
}

/**
 * The frontier: risk to the right, usefulness upwards. A pointer chooses the nearest point. The Tab key enters at the
 * active point, arrow keys move to the others, Enter marks one for comparison.
 */
export function FrontierChart(props: ChartProps) {
  const { explore, use, active, compared, onHover, onActive, onCompare } = props
  const { maxRisk, uses, methods, advice } = explore
  const frame = useRef<HTMLDivElement>(null)
  const marks = useRef(new Map<string, SVGGElement>())
  const [isFocusWanted, wantFocus] = useState(false)
  const title = uses[use]?.title ?? use
  const better = uses[use]?.better ?? "higher"
  const layout = layOut(props, { width: useWidth(frame), better })
  const { width, height, x, y } = layout
  const spots = props.points.flatMap((point) => {
    const { id, risk } = point
    const value = point.uses[use]
    return risk && value ? [{ id, point, risk, value, x: x(risk.value), y: y(value.value) }] : []
  })
  const entry = spots.some(({ id }) => id === active) ? active : spots[0]?.id
  const decisive = spots.some(({ point }) => point.of === "whole") ? "whole" : "sample"
  const front = spots.filter(({ point }) => point.of === decisive && props.onFront(point))
  const original = spots.find(({ value }) => value.original !== undefined)?.value.original

  useEffect(() => {
    if (!isFocusWanted) return
    if (active !== undefined) marks.current.get(active)?.focus()
    wantFocus(false)
  }, [isFocusWanted, active])

  const find = (event: MouseEvent) => {
    const box = frame.current?.getBoundingClientRect()
    if (box === undefined) return undefined
    return nearestPoint(spots, { x: event.clientX - box.left, y: event.clientY - box.top, within: reach })
  }
  const choose = (id: string | undefined) => {
    if (id === undefined) return
    onActive(id)
    wantFocus(true)
  }
  const press = (event: KeyboardEvent) => {
    const isMark = event.key === "Enter" || event.key === " "
    const to = isMark ? entry : stepPoint(spots, entry, event.key)
    if (to === undefined) return
    event.preventDefault()
    if (isMark) onCompare(to)
    else choose(to)
  }
  return (
    <div class="frontier-plot" ref={frame}>
      <svg width={width} height={height} aria-hidden="true">
        <ChartGround {...layout} {...{ use, title, better, maxRisk, original }} />
        <path class="front-line" d={drawFront(front)} />
        {spots.map(({ id, risk, value, x: left, y: top }) => (
          <g key={id} class={id === active ? "whiskers shown" : "whiskers"}>
            <line x1={x(risk.low)} x2={x(risk.high)} y1={top} y2={top} />
            <line x1={left} x2={left} y1={y(value.low)} y2={y(value.high)} />
          </g>
        ))}
      </svg>
      <svg class="over" width={width} height={height}>
        <title>Risk and usefulness of each release</title>
        <g
          role="listbox"
          tabindex={-1}
          aria-label="Releases in the chart. Arrow keys move between them, Enter marks one to compare."
          aria-multiselectable="true"
          onKeyDown={press}
          onPointerMove={(event) => event.pointerType === "mouse" && onHover(find(event))}
          onPointerLeave={() => onHover(undefined)}
          onClick={(event) => choose(find(event))}
        >
          <rect class="catch" width={width} height={height} />
          {spots.map(({ id, point, x: left, y: top }) => (
            <g
              key={id}
              ref={(element) => {
                if (element === null) marks.current.delete(id)
                else marks.current.set(id, element)
              }}
              class={id === active ? "point active" : "point"}
              role="option"
              aria-selected={compared.includes(id)}
              aria-label={labelPoint(point, { use, title, maxRisk, marks: props.marksOf(point) })}
              tabindex={id === entry ? 0 : -1}
              transform={`translate(${left.toFixed(1)} ${top.toFixed(1)})`}
              onFocus={() => onActive(id)}
            >
              <circle class="ring" r={14} />
              {compared.includes(id) && <rect class="compared" x={-11} y={-11} width={22} height={22} rx={4} />}
              <PointSymbol {...{ point, methods }} isOnFront={props.onFront(point)} />
              {id === advice?.point && (
                <text class="advised" y={-16} text-anchor={left > width - 80 ? "end" : left < 110 ? "start" : "middle"}>
                  recommended
                </text>
              )}
            </g>
          ))}
        </g>
      </svg>
    </div>
  )
}

function layOut(
  { explore, points, use }: ChartProps,
  { width, better }: { width: number; better: "higher" | "lower" },
): Layout {
  const height = width < 560 ? 340 : 500
  const inner = { width: Math.max(80, width - margin.left - margin.right), height: height - margin.top - margin.bottom }
  const highest = Math.max(explore.maxRisk, ...points.map(({ risk }) => risk?.high ?? 0))
  const risks = riskScale(highest, { apart: tickRoom / inner.width })
  const values = points.flatMap(({ uses: of }) => {
    const { value, low, high, original = value } = of[use] ?? {}
    return [value, low, high, original].filter((one) => one !== undefined)
  })
  const usefulness = useScale(values, { better })
  return {
    width,
    height,
    margin,
    risks,
    usefulness,
    x: (risk) => margin.left + inner.width * risks.place(risk),
    y: (value) => margin.top + inner.height * (1 - usefulness.place(value)),
  }
}
