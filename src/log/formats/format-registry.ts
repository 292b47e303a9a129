import { importInWorkers } from "../../kernels/parallel.ts"
import { Registry } from "../../kernels/registry.ts"
import type { Unit } from "../search-log.ts"
import type { ColumnChoice } from "./columns.ts"
import type { Converter } from "./convert-block.ts"

const builtInFormats = ["aol", "delimited", "jsonl", "parquet", "ubi", "slowlog", "solr", "matomo", "ga4"] as const

/**
 * Formats of extensions, by name. Declare yours here (`declare module "queryveil/extend"`), so that `readLog` accepts
 * it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: extensions add their names
export interface ExtensionFormats {}

/** The name of a format, built-in or of an extension. */
export type FormatName = (typeof builtInFormats)[number] | keyof ExtensionFormats

/** An input format: how one record of a log becomes rows. */
export interface Format {
  /** As `readLog` and `--format` take it. */
  name: string
  /**
   * `import.meta.url` of the module that registers the format. Worker threads import it too, so it must do nothing
   * else.
   */
  module: string
  /**
   * What each column is made from, described for people. If `category` is listed, the categories of the rows are read.
   */
  columns: ColumnChoice
  /** True if records are JSON values. Then the elements of an array are records too, as lines are. */
  json?: boolean
  /** True if some records are clicks. A click has the `key` of its search and no query. */
  joinsClicks?: boolean
  /**
   * True if a file that starts with this text has the format. Called before the built-in formats are tried. Without it,
   * the format must be named.
   */
  tell?(start: string): boolean
  /** Returns the function that reads one record. `unit` says whether `user` is the user or the session. */
  converter(options: { unit: Unit }): Converter
}

/** The registered formats of extensions. */
export const formatRegistry = new Registry<Format>("format", builtInFormats)

/** Adds an input format: `readLog` and the command line then read it by its name, or recognise it by its content. */
export function registerFormat(format: Format): void {
  formatRegistry.add(format)
  importInWorkers(format.module)
}

/** The names of all formats that are registered now. */
export function formatNames(): FormatName[] {
  return [...builtInFormats, ...formatRegistry.added.map(({ name }) => name as FormatName)]
}
