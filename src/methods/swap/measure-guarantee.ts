import type { RunContext } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import type { ReleasedStream } from "../../kernels/linkage/released-stream.ts"
import { findContentWords } from "../../text/content-words.ts"
import type { Guarantee } from "../guarantee.ts"
import { guaranteeSwap, type Swapping } from "../swap-guarantee.ts"
import { type Measured, measureLinkage } from "./measure-linkage.ts"
import { nameRecords } from "./name-records.ts"

/** Searches that left, in the order in which they did, with the users that they are shown with. */
export interface SwappedSearches {
  shown: ReleasedStream
  /** By search: its cell. */
  cell: Int32Array
  /** The texts that `shown.text` numbers. */
  queries: Dictionary
  about: Omit<Swapping, "measured">
}

/** Attacks swapped searches under the names that they bear, and states what can be promised of them. */
export async function measureGuarantee(
  { shown, cell, queries, about }: SwappedSearches,
  context: RunContext,
): Promise<{ guarantee: Guarantee; measured: Measured["exact"] }> {
  const { k, mode, repeats, users, ownTimes } = about
  if (users === "drop") return { guarantee: guaranteeSwap({ ...about, measured: nothingShown }), measured: {} }
  const named = nameRecords(shown, { cell, users })
  const cells = mode === "strict"
  const words = cells && users !== "cell" ? await findContentWords(queries, context) : undefined
  const level = ownTimes ? undefined : falseAlarms[users === "cell" ? "proved" : "assumed"]
  const gate = { k, cells, once: repeats !== "keep", cell, words, falseAlarms: level }
  const { largest, exact } = await measureLinkage(named, gate, context)
  return { guarantee: guaranteeSwap({ ...about, measured: largest }), measured: exact }
}

/** Without names there is nobody to name. */
const nothingShown = { attacker: "none", share: 0, named: 0, tried: 0, over: false }

/**
 * The chance, at most, that a promise is given up though it holds. Where it rests on an assumption it is given up early;
 * where it is proved, only a fault of the program can refute it.
 */
const falseAlarms = { proved: 1e-4, assumed: 0.01 }
