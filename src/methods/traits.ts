import type { Static, TObject } from "#typebox"
import { count } from "../kernels/number-words.ts"
import type { Unit } from "../log/search-log.ts"
import type { IdentifierKind } from "../text/identifiers/kinds.ts"
import type { DpGuarantee } from "./dp-guarantee.ts"
import type { NameLifetime } from "./name-lifetime.ts"

/**
 * What follows from a guarantee for whoever reads the release: attacks, measures, reports and studies look at traits, not at the
 * name of the method.
 */
export interface GuaranteeTraits {
  /**
   * What texts of the release are: queries, or concepts of WordNet in their place. Of tables: `counts` has queries with their
   * counts, and may have clicks and transitions; `profiles` has topics.
   */
  shows: "queries" | "concepts" | "counts" | "profiles"
  /**
   * Under whose name a row is shown, and with whose time. `searcher`: its user's, as it was. `cell`: another user's of its cell,
   * at a time of the cell. `group`: each member's of a group, and rows without a search may be added.
   */
  shownUnder: "searcher" | "cell" | "group"
  /** How long a name lasts, if the guarantee depends on it; else only the column policy says it. */
  lasts?: NameLifetime | undefined
  /** True if something is promised. */
  promised: boolean
  /** What the numbers of the guarantee mean, in sentences for a report. */
  inWords: readonly string[]
  /** Kinds of identifiers that the method leaves out by its own rule, which its verifier checks. */
  scrubsItself?: readonly IdentifierKind[]
  /** The ledger of the noise, if counts are noisy. */
  noise?: DpGuarantee
}

/** A kind of guarantee: its schema, and the traits of a guarantee of this kind. */
export interface GuaranteeModel<S extends TObject = TObject> {
  /** The `model` of its guarantees. */
  name: string
  releases: "rows" | "tables"
  schema: S
  /** What readers need to know of a guarantee of this model. */
  traits(guarantee: Static<S>): GuaranteeTraits
}

/** The sentence about k, or that k = 1 promises nothing. */
export const sayK = (k: number, sentence: string) => [
  k === 1 ? "k = 1: nothing is promised. What a single person searched may be shown." : sentence,
]

/** `10 different users of the log`. */
export const sayMany = ({ k, counted }: { k: number; counted: Unit }) => `${count(k)} different ${counted}s of the log`
