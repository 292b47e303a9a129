import { asRoundPercent } from "../../shared/format.ts"
import type { Scale } from "../../shared/scales.ts"
import { sayUse, type UseName } from "./point-words.ts"

/** The size of the chart, and where values are in it. */
export interface Layout {
  width: number
  height: number
  margin: { top: number; right: number; bottom: number; left: number }
  risks: Scale
  usefulness: Scale & { isLog: boolean }
  x(risk: number): number
  y(value: number): number
}

interface GroundProps extends Layout {
  use: UseName
  title: string
  better: "higher" | "lower"
  maxRisk: number
  /** What the log itself scores. */
  original: number | undefined
}

/** What is behind the points: axes, the accepted risk, and what the log itself scores. */
export function ChartGround(props: GroundProps) {
  const { width, height, margin, risks, usefulness, x, y, use, title, better, maxRisk, original } = props
  const bottom = height - margin.bottom
  const right = width - margin.right
  const isNarrow = width < 560
  const limit = x(maxRisk)
  const isLimitRight = limit > width / 2
  return (
    <>
      <rect class="accepted" x={margin.left} y={margin.top} width={limit - margin.left} height={bottom - margin.top} />
      {risks.ticks.map((tick) => (
        <g class="tick" key={tick}>
          <line x1={x(tick)} x2={x(tick)} y1={margin.top} y2={bottom} />
          <text x={x(tick)} y={bottom + 16} text-anchor="middle">
            {asRoundPercent(tick)}
          </text>
        </g>
      ))}
      {usefulness.ticks.map((tick) => (
        <g class="tick" key={tick}>
          <line x1={margin.left} x2={right} y1={y(tick)} y2={y(tick)} />
          <text x={margin.left - 8} y={y(tick) + 4} text-anchor="end">
            {sayUse(use, tick).replace(/\.0(?=\D*$)/, "")}
          </text>
        </g>
      ))}
      <text class="axis" x={2} y={14}>
        ↑ {title}
        {better === "lower" && (isNarrow ? ", lower is better" : " (a lower number is better)")}
        {usefulness.isLog && ", log scale"}
      </text>
      <text class="axis" x={right} y={height - 6} text-anchor="end">
        {isNarrow ? "risk: gain over a guess →" : "risk: what the strongest attack gains over a guess →"}
      </text>
      <line class="limit" x1={limit} x2={limit} y1={margin.top} y2={bottom} />
      <text
        class="limit-name"
        x={limit + (isLimitRight ? -6 : 6)}
        y={margin.top + 14}
        text-anchor={isLimitRight ? "end" : "start"}
      >
        accepted up to {asRoundPercent(maxRisk)}
      </text>
      {original !== undefined && (
        <>
          <line class="original" x1={margin.left} x2={right} y1={y(original)} y2={y(original)} />
          <text class="original-name" x={margin.left + 6} y={y(original) - 6}>
            the log itself
          </text>
        </>
      )}
    </>
  )
}

/** The front as steps from the safest to the most useful: the risk that a given usefulness costs. */
export function drawFront(spots: readonly { x: number; y: number }[]): string {
  const ordered = spots.toSorted((a, b) => a.x - b.x || b.y - a.y)
  return ordered
    .map(({ x, y }, i) => (i === 0 ? `M${x.toFixed(1)} ${y.toFixed(1)}` : `H${x.toFixed(1)}V${y.toFixed(1)}`))
    .join("")
}
