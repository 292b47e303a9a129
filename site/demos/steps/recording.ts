/** A table of a step. Cells are as the run printed them. */
export interface StepTable {
  columns: string[]
  rows: (string | number)[][]
  /** The rows to point out, counted from 0. */
  marked?: number[]
  /** The column whose numbers are drawn as bars, and the number that the bars must reach, if there is one. */
  bars?: { column: number; reach?: number }
  /** Columns that another run of the same commands would fill by chance in another way. */
  chance?: string[]
}

/** One step of a recorded run. */
export interface RecordedStep {
  title: string
  /** Sentences. */
  says: string[]
  table?: StepTable
}

/** Steps of a real run of a command on a synthetic log (`record.mjs`). */
export interface Recording {
  title: string
  /** The commands that made it, in order. */
  commands: string[]
  steps: RecordedStep[]
}
