import { useRef } from "preact/hooks"
import { useWidth } from "../../../web/shared/use-width.ts"
import { riskScale, useScale } from "../../../web/studio/explore/frontier-scales.ts"
import { nearestPoint, stepPoint } from "../../../web/studio/explore/point-order.ts"
import { PointSymbol } from "./point-symbol.tsx"
import { asPercent, isAccepted, type PlacedPoint, sayGain, sayUse, type UseName, uses } from "./points.ts"

const margin = { top: 26, right: 18, bottom: 44, left: 58 }
/** Pixels between a pointer and a point that it still chooses. */
const reach = 26
/** Least pixels between two ticks of the risk. */
const tickRoom = 46

interface ChartProps {
  placed: readonly PlacedPoint[]
  use: UseName
  maxRisk: number
  active: string | undefined
  onActive(id: string): void
}

/** Risk to the right, usefulness upwards. A pointer chooses the nearest point, arrow keys move between them. */
export function FrontierChart({ placed, use, maxRisk, active, onActive }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const marks = useRef(new Map<string, SVGGElement>())
  const width = useWidth(frame)
  const height = width < 560 ? 330 : 440
  const isNarrow = width < 560
  const inner = { width: Math.max(80, width - margin.left - margin.right), height: height - margin.top - margin.bottom }
  const bottom = height - margin.bottom
  const { better, title } = uses[use]
  const highest = Math.max(...placed.map(({ point }) => point.risk.high))
  const risks = riskScale(highest, { apart: tickRoom / inner.width })
  const values = useScale(
    placed.map(({ value }) => value),
    { better },
  )
  const x = (risk: number) => margin.left + inner.width * risks.place(risk)
  const y = (value: number) => margin.top + inner.height * (1 - values.place(value))
  const spots = placed.map((one) => ({ ...one, id: one.point.id, x: x(one.point.risk.value), y: y(one.value) }))
  const entry = spots.some(({ id }) => id === active) ? active : spots[0]?.id
  const limit = x(maxRisk)
  const isLimitRight = limit > width / 2

  const find = (event: MouseEvent) => {
    const box = frame.current?.getBoundingClientRect()
    return box && nearestPoint(spots, { x: event.clientX - box.left, y: event.clientY - box.top, within: reach })
  }
  const point = (event: MouseEvent) => {
    const id = find(event)
    if (id !== undefined) onActive(id)
  }
  const press = (event: KeyboardEvent) => {
    const to = stepPoint(spots, entry, event.key)
    if (to === undefined) return
    event.preventDefault()
    onActive(to)
    marks.current.get(to)?.focus()
  }
  return (
    <div class="qv-plot" ref={frame}>
      <svg width={width} height={height} aria-hidden="true">
        <rect class="qv-accepted" x={margin.left} y={margin.top} width={limit - margin.left} height={inner.height} />
        {risks.ticks.map((tick) => (
          <g class="qv-tick" key={tick}>
            <line x1={x(tick)} x2={x(tick)} y1={margin.top} y2={bottom} />
            <text x={x(tick)} y={bottom + 16} text-anchor="middle">
              {Number((100 * tick).toPrecision(2))} %
            </text>
          </g>
        ))}
        {values.ticks.map((tick) => (
          <g class="qv-tick" key={tick}>
            <line x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
            <text x={margin.left - 8} y={y(tick) + 4} text-anchor="end">
              {sayUse(use, tick).replace(/\.0(?=\D*$)/, "")}
            </text>
          </g>
        ))}
        <text class="qv-axis" x={2} y={14}>
          ↑ {title}
          {better === "lower" && (isNarrow ? ", lower is better" : " (a lower number is better)")}
          {values.isLog && ", log scale"}
        </text>
        <text class="qv-axis" x={width - margin.right} y={height - 6} text-anchor="end">
          {isNarrow ? "risk: gain over a guess →" : "risk: what the strongest attack gains over a guess →"}
        </text>
        <line class="qv-limit" x1={limit} x2={limit} y1={margin.top} y2={bottom} />
        <text
          class="qv-limit-name"
          x={limit + (isLimitRight ? -6 : 6)}
          y={margin.top + 14}
          text-anchor={isLimitRight ? "end" : "start"}
        >
          accepted up to {asPercent(maxRisk)}
        </text>
      </svg>
      <svg class="qv-over" width={width} height={height}>
        <title>Risk and usefulness of each release</title>
        <g
          role="listbox"
          tabindex={-1}
          aria-label="Releases in the chart. Arrow keys move between them."
          onKeyDown={press}
          onPointerMove={(event) => event.pointerType === "mouse" && point(event)}
          onClick={point}
        >
          <rect class="qv-catch" width={width} height={height} />
          {spots.map(({ id, point: release, value, isOnFront, x: left, y: top }) => (
            <g
              key={id}
              ref={(element) => {
                if (element === null) marks.current.delete(id)
                else marks.current.set(id, element)
              }}
              class={`qv-point${id === active ? " qv-active" : ""}${isAccepted(release, maxRisk) ? "" : " qv-dim"}`}
              role="option"
              aria-selected={id === active}
              aria-label={
                `${id}; risk ${sayGain(release.risk.value)}, at most ${sayGain(release.risk.high)}; ` +
                `${title} ${sayUse(use, value)}${isOnFront ? "; no other is better in both" : ""}`
              }
              tabindex={id === entry ? 0 : -1}
              transform={`translate(${left.toFixed(1)} ${top.toFixed(1)})`}
              onFocus={() => onActive(id)}
            >
              <circle class="qv-halo" r={14} />
              <PointSymbol method={release.method} isOnFront={isOnFront} />
            </g>
          ))}
        </g>
      </svg>
    </div>
  )
}
