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
/** One setting of a study. Equal values give equal results: nothing else defines a point. */
export type Point = Record<string, string | number | boolean>
/** A table as stored in a point's file. */
export interface TableData {
  columns: string[]
  rows: (string | number)[][]
}
/** The output of a point: single numbers and, by name, whole curves or tables if one run yields many. */
export interface PointOutput {
  scores: Score[]
  tables?: Record<string, TableData>
  /** Why the method refused these values. */
  refused?: string
}
/** A point of the grid and its results. */
export interface PointResult extends PointOutput {
  point: Point
  /** Seconds that the point took, if it was computed on a thread. */
  seconds?: number
  /** The files that the point left. If any is missing or changed, the point is computed again. */
  files?: PointFile[]
}
/** Where a point may write files: everything in this folder whose name starts with `name` belongs to it. */
export interface PointPlace {
  folder: string
  name: string
}
/** The subject of a study: a log, and what else is known about it. */
export interface StudySubject {
  log: SearchLog
  /** How the log was read; used by studies that write releases. */
  intake?: Intake
  place?: PointPlace
  truth?: Truth
  /** Human judgements of queries, if there are any. */
  labels?: readonly Label[]
  /** Queries that the owner wants to see. */
  queries?: readonly string[]
  /** Private lists that options read from files, by digest. Points hold the digest in place of the list. */
  lists?: Readonly<Record<string, string>>
}
/** The plotting library, and whether the figure is drawn for a phone. */
export interface Canvas {
  Plot: typeof Plot
  isNarrow: boolean
}
/**
 * A figure: a table, and how to draw it. The table is saved next to the drawing as CSV. Without a drawing the table
 * itself is shown.
 */
export interface Figure {
  id: string
  title: string
  /** The figure or table of a paper that it follows. */
  cites?: string
  caption: string
  data: Table
  /** Draws the data. A figure without it is a table. */
  plot?(data: Table, canvas: Canvas): Plot.PlotOptions
  /** True for a figure that is drawn narrow on every screen and shown next to others. */
  isSmall?: boolean
  /** The column whose cells link to files of the study, and their targets. */
  link?: FigureLink
}
/** A column whose cells are links. */
export interface FigureLink {
  column: string
  /** The path, in the study's folder, of the file that the cell of a row links to; undefined for no link. */
  to(row: number): string | undefined
}
/** A grid of methods and parameters with probes, drawn as figures. */
export interface Study<O extends TObject = TObject> {
  name: string
  summary: string
  options: O
  /** Values that `--preset paper` sets instead of the defaults. */
  paper?: Partial<Static<O>>
  /** The grid: the points to compute, in the order of the page. */
  points(options: Static<O>): Point[]
  /** Files that the study can use besides the log and the truth. */
  reads?: readonly ("labels" | "queries")[]
  /** Computes one point of the grid. A point that is already stored is not computed again. */
  compute(point: Point, subject: StudySubject, context: RunContext): Promise<PointOutput>
  /**
   * For slow points: they are computed on threads, one point per thread, the costliest first, and may leave files. Such
   * a study must be in the registry, where threads look it up.
   */
  threads?: {
    /** Points of one kind take about equally long. */
    kindOf(point: Point): string
    /** Relative cost of a point, in any unit. */
    costOf(point: Point): number
  }
  /** The figures of the page, from all points. */
  figures(results: readonly PointResult[], options: Static<O>): Figure[]
  /** Notes above the figures: the settings, and which figures are missing and why. */
  notes?(subject: StudySubject, results: readonly PointResult[], options: Static<O>): string[]
}
/** The rows of a table as objects, as the plotting library expects them. */
export declare function recordsOf(table: Table): Record<string, string | number>[]
/**
 * A long table of some scores over the points: the values of the point, and the name, value and interval of the score.
 */
export declare function tabulateScores(
  results: readonly PointResult[],
  options: {
    by: readonly string[]
    only: (score: Score) => boolean
  },
): Table
