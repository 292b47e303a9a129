import type { StreamFigures } from "../../src/stream/live/stream-figures.ts"

/** Figures at one moment, as charts draw them. A rate is NaN if it is not known; charts leave a gap. */
export interface Moment {
  /** Milliseconds on a clock of the page that never goes back. */
  at: number
  figures: StreamFigures
  inRate: number
  outRate: number
}

/** Minutes that charts show: the first of these that covers everything. */
export const spans = [1.5, 6, 15]
const span = 15 * 60_000

/** Adds the figures that arrived at this time, and drops those older than 15 minutes. */
export function extend(history: readonly Moment[], figures: StreamFigures, at: number): Moment[] {
  const before = history.at(-1)
  const seconds = before === undefined ? 0 : (figures.now - before.figures.now) / 1000
  const isSameRun = before !== undefined && before.figures.startedAt === figures.startedAt && seconds > 0
  const rate = (count: (figures: StreamFigures) => number) =>
    isSameRun ? Math.max(0, count(figures) - count(before.figures)) / seconds : Number.NaN
  const moment = { at, figures, inRate: rate(({ lines }) => lines), outRate: rate(({ released }) => released) }
  return [...history.filter((old) => at - old.at <= span), moment]
}
