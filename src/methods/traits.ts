import type { Static, TObject } from "#typebox"
import { count } from "../kernels/number-words.ts"
import type { Unit } from "../log/search-log.ts"
import type { IdentifierKind } from "../text/identifiers/kinds.ts"
import type { DpGuarantee } from "./dp-guarantee.ts"
import type { NameLifetime } from "./name-lifetime.ts"

/**
 * What a guarantee means for readers of the release. Attacks, measures, reports and studies look at these traits, not
 * at the name of the method.
 */
export interface GuaranteeTraits {
  /**
   * What the texts of the release are: queries, or WordNet concepts in place of queries. For tables: `counts` has
   * queries with their counts, and may have clicks and transitions; `profiles` has topics.
   */
  shows: "queries" | "concepts" | "counts" | "profiles"
  /**
   * The name and time under which a row is shown. `searcher`: those of its user, unchanged. `cell`: the name of another
   * user of its cell, at a time of the cell. `group`: the names of all members of a group; rows that nobody searched
   * may be added.
   */
  shownUnder: "searcher" | "cell" | "group"
  /** How long a name lasts, if the guarantee depends on it. Otherwise only the column policy says it. */
  lasts?: NameLifetime | undefined
  /** True if something is promised. */
  promised: boolean
  /** What the numbers of the guarantee mean, as sentences for a report. */
  inWords: readonly string[]
  /** Kinds of identifiers that the method withholds by its own rule. Its verifier checks that rule. */
  scrubsItself?: readonly IdentifierKind[]
  /** The ledger of the noise, if counts are noisy. */
  noise?: DpGuarantee
}

/** A guarantee model: its schema, and the traits of a guarantee of this model. */
export interface GuaranteeModel<S extends TObject = TObject> {
  /** The `model` of its guarantees. */
  name: string
  releases: "rows" | "tables"
  schema: S
  /** The traits of a guarantee of this model. */
  traits(guarantee: Static<S>): GuaranteeTraits
}

/** The sentence about k; for k = 1, a sentence that nothing is promised. */
export const sayK = (k: number, sentence: string) => [
  k === 1 ? "k = 1: nothing is promised. What a single person searched may be shown." : sentence,
]

/** For example, `10 different users of the log`. */
export const sayMany = ({ k, counted }: { k: number; counted: Unit }) => `${count(k)} different ${counted}s of the log`
