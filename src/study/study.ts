import type * as Plot from "@observablehq/plot"
import type { Static, TObject } from "#typebox"
import type { RunContext } from "../kernels/context.ts"
import type { Table } from "../kernels/table.ts"
import type { Intake } from "../log/intake.ts"
import type { SearchLog } from "../log/search-log.ts"
import type { Score } from "../probes/score.ts"
import type { Label } from "../release/labels.ts"
import type { Truth } from "../release/truth.ts"
import type { PointFile } from "./point-files.ts"

/** One setting of a study. Its values are the whole of it: equal values, equal results. */
export type Point = Record<string, string | number | boolean>

/** A table as it is kept in a point's file. */
export interface TableData {
  columns: string[]
  rows: (string | number)[][]
}

/** What is computed at a point: single numbers, and by name whole curves or tables where one run gives many. */
export interface PointOutput {
  scores: Score[]
  tables?: Record<string, TableData>
  /** Why a method would not run with these values. */
  refused?: string
}

/** A point of the grid and what came of it. */
export interface PointResult extends PointOutput {
  point: Point
  /** What it took, where points are computed on threads. */
  seconds?: number
  /** What it left in its place: unless all is there as it was, the point is computed again. */
  files?: PointFile[]
}

/** Where a point may leave files: whatever in this folder begins with this name is its own. */
export interface PointPlace {
  folder: string
  name: string
}

/** What a study looks at: a log, and what else is known of it. */
export interface StudySubject {
  log: SearchLog
  /** How the log was read, for studies that write releases. */
  intake?: Intake
  place?: PointPlace
  truth?: Truth
  /** Judgements of queries by people, where there are any. */
  labels?: readonly Label[]
  /** Queries that the owner wants to see. */
  queries?: readonly string[]
  /** Lists that options are given from files, by their digest, which is what points have in their place. */
  lists?: Readonly<Record<string, string>>
}

/** What a figure is drawn with, and whether for a telephone. */
export interface Canvas {
  Plot: typeof Plot
  isNarrow: boolean
}

/** A figure: a table, and how to draw it. The table stands beside it as CSV; without a drawing it is shown itself. */
export interface Figure {
  id: string
  title: string
  /** Which figure or table of a paper it follows. */
  cites?: string
  caption: string
  data: Table
  /** How the data are drawn; a figure without it is a table. */
  plot?(data: Table, canvas: Canvas): Plot.PlotOptions
  /** A narrow drawing on every screen, shown beside others. */
  isSmall?: boolean
  /** The column whose cells lead to a file of the study, and to which. */
  link?: FigureLink
}

/** The column whose cells are links. */
export interface FigureLink {
  column: string
  /** The file that the cell of a row leads to, by its path in the study's folder; undefined: none. */
  to(row: number): string | undefined
}

/** A grid of methods and parameters with probes, drawn as figures. */
export interface Study<O extends TObject = TObject> {
  name: string
  summary: string
  options: O
  /** Values that `--preset paper` sets in place of the defaults of the options. */
  paper?: Partial<Static<O>>
  /** The grid: what is computed, in the order of the page. */
  points(options: Static<O>): Point[]
  /** Files that it can use besides the log and the truth. */
  reads?: readonly ("labels" | "queries")[]
  /** One point of the grid. A point that was computed before is not computed again. */
  compute(point: Point, subject: StudySubject, context: RunContext): Promise<PointOutput>
  /**
   * For points that take long: they are computed on threads, one point a thread, the costliest first, and may leave files
   * in their place. Such a study is one of the registry, where threads find it.
   */
  threads?: {
    /** Points of one kind take about as long. */
    kindOf(point: Point): string
    /** How long it takes, beside others; any unit. */
    costOf(point: Point): number
  }
  /** What the page shows, from all points. */
  figures(results: readonly PointResult[], options: Static<O>): Figure[]
  /** What the page says above its figures: what was set, and which figures are missing for want of what. */
  notes?(subject: StudySubject, results: readonly PointResult[], options: Static<O>): string[]
}

/** The rows of a table as objects, as the plotting library wants them. */
export function recordsOf(table: Table): Record<string, string | number>[] {
  return Array.from({ length: table.rows }, (_, row) =>
    Object.fromEntries(table.columns.map((name, column) => [name, table.cell(row, column)])),
  )
}

/** A long table of some scores over the points: the point's values, the score's name, value and interval. */
export function tabulateScores(
  results: readonly PointResult[],
  options: { by: readonly string[]; only: (score: Score) => boolean },
): Table {
  const rows = results.flatMap(({ point, scores }) =>
    scores.filter(options.only).map((score) => {
      const [low, high] = score.interval ?? [score.value, score.value]
      return [...options.by.map((name) => String(point[name] ?? "")), score.name, score.value, low, high]
    }),
  )
  const columns = [...options.by, "score", "value", "low", "high"]
  const cell = (row: number, column: number) => {
    const value = rows[row]?.[column] ?? ""
    return column < options.by.length && value !== "" && !Number.isNaN(Number(value)) ? Number(value) : value
  }
  return { columns, rows: rows.length, cell }
}
