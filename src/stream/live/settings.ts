import { cutTopics } from "../../swapper/categories.ts"
import type { SwapMode } from "../../swapper/swapper.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { LiveOptions, OutputFormat } from "./options.ts"
import type { NameLifetime } from "./user-names.ts"

/**
 * What shapes the releases, and what they promise. The store keeps it, so that what was released before a crash is written
 * again as it was, whatever the options of the next run, and a next run that promises less is noticed.
 */
export interface StreamSettings {
  k: number
  /** The deepest level of a category. */
  depth: number
  /** Paths of the categories where the depth differs by branch: that of a topic is the nearest at or above it. */
  branches?: readonly string[] | undefined
  mode: SwapMode
  users: NameLifetime
  /** Releases before this number carried names that last longer than those of now; absent where none did. */
  shorterSince?: number
  urls: LiveOptions["urls"]
  time: LiveOptions["time"]
  /** Whether the category of a release is shown; absent in stores of 0.1. */
  category?: boolean
  to: OutputFormat
  /** Whether each release carries its number. */
  numbered: boolean
  repeats: "keep" | "once"
  /** Kinds of identifiers, as the flag names them. */
  scrub: string
  /** Paths of the topics whose surroundings are one category, in order. */
  sensitive: readonly string[]
  /** Paths of the categories that are withheld. */
  gated: readonly string[]
}

/** The category of each topic under these settings. */
export function cutBySettings(
  taxonomy: Taxonomy,
  { depth, sensitive, branches }: Pick<StreamSettings, "depth" | "sensitive" | "branches">,
): Int32Array {
  const find = (path: string) => taxonomy.find(path)
  return cutTopics(taxonomy, { depth, sensitive: sensitive.map(find), branches: branches?.map(find) })
}

export const settingsText = (settings: StreamSettings) => JSON.stringify(settings)

/** What the store has was written by `settingsText`; empty at the beginning. */
export function settingsFrom(text: string): StreamSettings | undefined {
  return text === "" ? undefined : JSON.parse(text)
}
