import type { StreamFigures } from "../../src/stream/live/stream-figures.ts"
import { type Timed, withMoment } from "../shared/live/line-chart.tsx"

/** Figures at one moment, as charts draw them. A rate is NaN if it is not known; charts leave a gap. */
export interface Moment extends Timed {
  figures: StreamFigures
  inRate: number
  outRate: number
}

/** Adds the figures that arrived at this time, and drops those older than 15 minutes. */
export function extend(history: readonly Moment[], figures: StreamFigures, at: number): Moment[] {
  const before = history.at(-1)
  const seconds = before === undefined ? 0 : (figures.now - before.figures.now) / 1000
  const isSameRun = before !== undefined && before.figures.startedAt === figures.startedAt && seconds > 0
  const rate = (count: (figures: StreamFigures) => number) =>
    isSameRun ? Math.max(0, count(figures) - count(before.figures)) / seconds : Number.NaN
  const moment = { at, figures, inRate: rate(({ lines }) => lines), outRate: rate(({ released }) => released) }
  return withMoment(history, moment)
}
