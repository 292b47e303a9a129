import type { RunContext } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import type { ReleasedStream } from "../../kernels/linkage/released-stream.ts"
import { findContentWords } from "../../text/content-words.ts"
import type { Guarantee } from "../guarantee.ts"
import { guaranteeSwap, type Swapping } from "../swap-guarantee.ts"
import { type Measured, measureLinkage } from "./measure-linkage.ts"
import { nameRecords } from "./name-records.ts"

/** Searches that were released, in the order of their release, with the users that they are shown with. */
export interface SwappedSearches {
  shown: ReleasedStream
  /** By search: its cell. */
  cell: Int32Array
  /** The texts that `shown.text` refers to. */
  queries: Dictionary
  about: Omit<Swapping, "measured">
}

/** Attacks swapped searches under the names that are shown, and states what can be promised about them. */
export async function measureGuarantee(
  { shown, cell, queries, about }: SwappedSearches,
  context: RunContext,
): Promise<{ guarantee: Guarantee; measured: Measured["exact"] }> {
  const { k, mode, repeats, users, ownTimes } = about
  const instead = users === "drop" ? nothingShown : context.rowsOnly === true ? notAttacked : undefined
  if (instead !== undefined) return { guarantee: guaranteeSwap({ ...about, measured: instead }), measured: {} }
  const named = nameRecords(shown, { cell, users })
  const cells = mode === "strict"
  const words = cells && users !== "cell" ? await findContentWords(queries, context) : undefined
  const level = ownTimes ? undefined : falseAlarms[users === "cell" ? "proved" : "assumed"]
  const gate = { k, cells, once: repeats !== "keep", cell, words, falseAlarms: level }
  const { largest, exact } = await measureLinkage(named, gate, context)
  return { guarantee: guaranteeSwap({ ...about, measured: largest }), measured: exact }
}

/** Without names, there is nobody to name. */
const nothingShown = { attacker: "none", share: 0, named: 0, tried: 0, over: false }

/** A run for its rows alone attacks nobody, and so it promises nothing. */
const notAttacked = { ...nothingShown, over: true }

/**
 * The largest chance that a promise is withdrawn although it is true. A promise that depends on an assumption is
 * withdrawn early. A promise that is proved can only be refuted by a bug.
 */
const falseAlarms = { proved: 1e-4, assumed: 0.01 }
