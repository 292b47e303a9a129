import type { GroupFigures } from "../../src/stream/workers/group-figures.ts"
import { type Timed, withMoment } from "../shared/live/line-chart.tsx"

/** Figures of a group at one moment, as charts draw them. */
export interface Moment extends Timed {
  figures: GroupFigures
}

export const extend = (history: readonly Moment[], figures: GroupFigures, at: number) =>
  withMoment(history, { at, figures })
