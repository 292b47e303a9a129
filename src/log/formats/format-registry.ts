import { importInWorkers } from "../../kernels/parallel.ts"
import { Registry } from "../../kernels/registry.ts"
import type { Unit } from "../search-log.ts"
import type { ColumnChoice } from "./columns.ts"
import type { Converter } from "./convert-block.ts"

const builtInFormats = ["aol", "delimited", "jsonl", "parquet", "ubi", "slowlog", "solr", "matomo", "ga4"] as const

/** Formats of extensions, by name. Declare yours here (`declare module "queryveil/extend"`), so that `readLog` accepts it. */
// biome-ignore lint/suspicious/noEmptyInterface: extensions add their names
export interface ExtensionFormats {}

/** The name of a format: one of queryveil's, or one of an extension. */
export type FormatName = (typeof builtInFormats)[number] | keyof ExtensionFormats

/** An input format: how one record of a log becomes rows. */
export interface Format {
  /** As `readLog` and `--format` take it. */
  name: string
  /** `import.meta.url` of the module that registers the format. Worker threads import it too, so let it do nothing else. */
  module: string
  /** What each column is made from, for people. With a `category` here, the rows' categories are read. */
  columns: ColumnChoice
  /** Records are JSON values. Then the elements of an array are records, as lines are. */
  json?: boolean
  /** Some records are clicks: they have the `key` of their search, and no query. */
  joinsClicks?: boolean
  /** True if a file that starts with this text has the format. Asked before the built-in formats; without it, the format must be named. */
  tell?(start: string): boolean
  /** Makes the function that reads one record. `unit` says whether `user` is to be the user or the session. */
  converter(options: { unit: Unit }): Converter
}

/** The formats of extensions. */
export const formatRegistry = new Registry<Format>("format", builtInFormats)

/** Adds an input format: `readLog` and the command line then read it by its name, or recognise it by its content. */
export function registerFormat(format: Format): void {
  formatRegistry.add(format)
  importInWorkers(format.module)
}

/** The names of all formats there are now. */
export function formatNames(): FormatName[] {
  return [...builtInFormats, ...formatRegistry.added.map(({ name }) => name as FormatName)]
}
