import type { Static, TObject } from "#typebox"
import type { affinityOptions } from "../methods/affinity/options.ts"
import type { countsOptions } from "../methods/counts/options.ts"
import type { equalityOptions } from "../methods/equality/equality.ts"
import type { ExtensionMethods } from "../methods/extension-methods.ts"
import type { groupsColumns, groupsOptions } from "../methods/groups/options.ts"
import type { profilesOptions } from "../methods/profiles/options.ts"
import type { swapOptions } from "../methods/swap/options.ts"
import type { wordnetOptions } from "../methods/wordnet/options.ts"
import type { columnPolicy } from "./column-policy.ts"

/**
 * Options kept as text, because all their digits count or because one value is a word. A number is taken as it is
 * printed.
 */
type TextNumber = "epsilon" | "delta" | "noiseScale" | "depth"

/**
 * Options as a caller may give them: all are optional, and some text may be given as a number.
 * @inline
 */
type Loose<O> = { [K in keyof O]?: (K extends TextNumber ? O[K] | number : O[K]) | undefined }

/**
 * What is scrubbed before a method runs, and the exempt queries, one per line.
 * @inline
 */
type ScrubOption = { scrub?: string | undefined; scrubExempt?: string | undefined }

/** @inline */
type TableOptions<O extends TObject> = Loose<Static<O>> & ScrubOption
/** @inline */
type RowOptions<O extends TObject> = TableOptions<O> & Omit<Loose<Static<typeof columnPolicy>>, keyof Static<O>>

/** The options of each method, by its name: those of its schema, those of scrubbing, and the column policy for rows. */
export interface MethodOptions extends ExtensionMethods {
  equality: RowOptions<typeof equalityOptions>
  affinity: RowOptions<typeof affinityOptions>
  wordnet: RowOptions<typeof wordnetOptions>
  groups: TableOptions<typeof groupsOptions> & Loose<Static<typeof groupsColumns>>
  swap: RowOptions<typeof swapOptions>
  counts: TableOptions<typeof countsOptions>
  profiles: TableOptions<typeof profilesOptions>
}

/** The name of a method. */
export type MethodName = keyof MethodOptions

/** A method, its options, and optionally the preset with the paper's values. */
export type MethodChoice<M extends MethodName = MethodName> = {
  [N in M]: { method: N; preset?: "paper" | undefined } & MethodOptions[N]
}[M]
