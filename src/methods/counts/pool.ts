import { type Dictionary, hashBytes, Interner } from "../../kernels/dictionary.ts"

/** Public keys, chosen without looking at the log. */
export interface Pool {
  /** The name that the guarantee uses. */
  name: string
  texts: Dictionary
  /** By text: what its frequency in the pool adds to its count. If undefined, nothing is added. */
  frequencies?: Float64Array
}

/** By text of the pool: its id in a dictionary of the log, or -1. */
export function findInLog({ texts }: Pool, dictionary: Dictionary): Int32Array {
  return Int32Array.from({ length: texts.size }, (_, text) => dictionary.findBytes(texts.bytes(text)))
}

/**
 * Joins some texts of two dictionaries: those of `first` by id, then those of `second`. Returns the new id of each too.
 */
export function joinTexts(
  first: { texts: Dictionary; ids: Int32Array },
  second: { texts: Dictionary; ids: Int32Array },
): { texts: Dictionary; ids: Int32Array } {
  const interner = new Interner({ expected: first.ids.length + second.ids.length })
  const ids: number[] = []
  for (const { texts, ids: held } of [first, second]) {
    for (const id of held) {
      const bytes = texts.bytes(id)
      ids.push(interner.intern(bytes, 0, bytes.length, hashBytes(bytes, 0, bytes.length, interner.seed)))
    }
  }
  return { texts: interner.freeze(), ids: Int32Array.from(ids) }
}
