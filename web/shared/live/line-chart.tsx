import { useRef, useState } from "preact/hooks"
import { asDuration } from "../format.ts"
import { durationMarks, linearScale, logScale } from "../scales.ts"
import { useWidth } from "../use-width.ts"

/** A time on a clock of the page that never goes back, in milliseconds. Charts draw a value for each. */
export interface Timed {
  at: number
}

export interface Series<Moment extends Timed> {
  name: string
  /** `one` and `two` are solid lines, `bound` is dashed. */
  look: "one" | "two" | "bound"
  value(moment: Moment): number
}

interface ChartProps<Moment extends Timed> {
  title: string
  history: readonly Moment[]
  series: readonly Series<Moment>[]
  format(value: number): string
  /** Formats ticks (default: like values). */
  formatTick?(value: number): string
  /** `durations`: logarithmic, in seconds, with marks at minutes, hours and days. */
  scale?: "linear" | "log" | "durations"
  /** The chart reaches at least this value. */
  least?: number
}

const height = 168
const margin = { top: 10, right: 8, bottom: 22, left: 52 }
/** A line is broken if no figures arrived for this many milliseconds. */
const gap = 6000
/** Minutes that charts show: the first of these that covers everything. */
const spans = [1.5, 6, 15]
const longest = 15

/** Adds a moment, and drops those that charts no longer show. */
export function withMoment<Moment extends Timed>(history: readonly Moment[], moment: Moment): Moment[] {
  return [...history.filter(({ at }) => moment.at - at <= longest * 60_000), moment]
}

/**
 * Series over the last 15 minutes, or fewer while the page is new. A pointer or the arrow keys choose a moment; its
 * values are shown in the legend.
 */
export function LineChart<Moment extends Timed>({
  title,
  history,
  series,
  scale = "linear",
  least = 0,
  ...words
}: ChartProps<Moment>) {
  const { format, formatTick = format } = words
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const [chosenAt, chooseAt] = useState<number>()
  const chosen =
    chosenAt === undefined
      ? undefined
      : Math.max(
          0,
          history.findIndex(({ at }) => at >= chosenAt),
        )
  const choose = (index: number | undefined) => chooseAt(index === undefined ? undefined : history[index]?.at)
  const last = history.at(-1)
  const end = last?.at ?? 0
  const minutes = spans.find((some) => end - (history[0]?.at ?? end) <= some * 60_000) ?? longest
  const span = minutes * 60_000
  const values = series.flatMap(({ value }) => history.map(value)).filter(Number.isFinite)
  const largest = values.reduce((most, value) => Math.max(most, value), least)
  const smallest = values.reduce((fewest, value) => (value > 0 ? Math.min(fewest, value) : fewest), largest)
  const marks = scale === "durations" ? { marks: durationMarks } : {}
  const { place, ticks } = scale === "linear" ? linearScale(largest) : logScale({ smallest, largest, ...marks })
  const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom }
  const x = (at: number) => margin.left + inner.width * (1 - (end - at) / span)
  const y = (value: number) => margin.top + inner.height * (1 - place(value))
  const shown = history[chosen ?? -1] ?? last
  const text = (one: Series<Moment>) => (shown === undefined ? "–" : format(one.value(shown)))

  const point = (event: PointerEvent) => {
    const box = frame.current?.getBoundingClientRect()
    if (box === undefined || history.length === 0) return
    const at = end - span * (1 - (event.clientX - box.left - margin.left) / inner.width)
    const after = history.findIndex((moment) => moment.at >= at)
    choose(after < 0 ? history.length - 1 : after)
  }
  const step = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -60, PageDown: 60 }[event.key]
    if (event.key === "Escape") choose(undefined)
    if (by === undefined) return
    event.preventDefault()
    choose(Math.min(history.length - 1, Math.max(0, (chosen ?? history.length - 1) + by)))
  }
  const summary = series.map((one) => `${one.name} ${text(one)}`).join(", ")
  return (
    <div class="chart">
      <ul class="legend">
        {series.map((one) => (
          <li key={one.name}>
            <svg class={`swatch ${one.look}`} width="18" height="8" aria-hidden="true">
              <line x1="1" x2="17" y1="4" y2="4" />
            </svg>
            {one.name} <b>{text(one)}</b>
          </li>
        ))}
        <li class="when">{shown === undefined || chosen === undefined ? "now" : ago(end - shown.at)}</li>
      </ul>
      <div
        class="plot"
        ref={frame}
        role="slider"
        tabIndex={0}
        aria-label={`${title}, last ${minutes} minutes; arrow keys choose a moment`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, history.length - 1)}
        aria-valuenow={chosen ?? Math.max(0, history.length - 1)}
        aria-valuetext={summary}
        onPointerMove={point}
        onPointerLeave={() => choose(undefined)}
        onKeyDown={step}
        onBlur={() => choose(undefined)}
      >
        <svg width={width} height={height} aria-hidden="true">
          {ticks.map((tick) => (
            <g class="tick" key={tick}>
              <line x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
              <text x={margin.left - 8} y={y(tick) + 4} text-anchor="end">
                {formatTick(tick)}
              </text>
            </g>
          ))}
          {[3, 2, 1, 0].map((third) => (
            <text
              class="time"
              key={third}
              x={x(end - (third * span) / 3)}
              y={height - 6}
              text-anchor={third === 3 ? "start" : third === 0 ? "end" : "middle"}
            >
              {third === 0 ? "now" : `${asDuration((third * span) / 3000)} ago`}
            </text>
          ))}
          {series.map(({ name, look, value }) => (
            <path key={name} class={look} d={drawLine(history, { x, y: (moment) => y(value(moment)) })} />
          ))}
          {chosen !== undefined && shown !== undefined && (
            <line class="chosen" x1={x(shown.at)} x2={x(shown.at)} y1={margin.top} y2={height - margin.bottom} />
          )}
        </svg>
      </div>
    </div>
  )
}

const ago = (time: number) => `${asDuration(Math.round(time / 1000))} ago`

function drawLine<Moment extends Timed>(
  history: readonly Moment[],
  { x, y }: { x: (at: number) => number; y: (moment: Moment) => number },
): string {
  let path = ""
  let before: Moment | undefined
  for (const moment of history) {
    const height = y(moment)
    if (!Number.isFinite(height)) {
      before = undefined
      continue
    }
    const isBroken = before === undefined || moment.at - before.at > gap
    path += `${isBroken ? "M" : "L"}${x(moment.at).toFixed(1)} ${height.toFixed(1)}`
    // A line with one point is drawn as a dot.
    if (isBroken) path += "h0.01"
    before = moment
  }
  return path
}
