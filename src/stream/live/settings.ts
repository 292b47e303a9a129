import { cutTopics } from "../../swapper/categories.ts"
import type { SwapMode } from "../../swapper/swapper.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import type { LiveOptions, OutputFormat } from "./options.ts"
import type { NameLifetime } from "./user-names.ts"

/**
 * Settings that determine what releases look like and what they promise. The store keeps them for two reasons: releases
 * before a crash are written again exactly as they were, whatever the options of the next run; and a next run that
 * promises less is noticed.
 */
export interface StreamSettings {
  k: number
  /** The deepest level of a category. */
  depth: number
  /**
   * Paths of the categories, if the depth differs by branch. The category of a topic is the nearest one at or above it.
   */
  branches?: readonly string[] | undefined
  mode: SwapMode
  users: NameLifetime
  /** Releases before this number have names that last longer than the current ones; absent if there are none. */
  shorterSince?: number
  urls: LiveOptions["urls"]
  time: LiveOptions["time"]
  /** True if the category of a release is shown; absent in stores of version 0.1. */
  category?: boolean
  to: OutputFormat
  /** True if each release carries its number. */
  numbered: boolean
  repeats: "keep" | "once"
  /** Kinds of identifiers, written as for the option. */
  scrub: string
  /** Paths of the topics whose surroundings form one category, in order. */
  sensitive: readonly string[]
  /** Paths of the categories that are withheld. */
  gated: readonly string[]
  /** Version of the secret under which cells are dealt (default 1). */
  secret?: number
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

/** Parses what `settingsText` wrote to the store; the text is empty at the beginning. */
export function settingsFrom(text: string): StreamSettings | undefined {
  return text === "" ? undefined : JSON.parse(text)
}
