import { Type, Value } from "#typebox"
import { dictionaryOf } from "../../kernels/dictionary.ts"
import { QueryveilError } from "../../kernels/error.ts"
import { scanQueries } from "../../text/identifiers/scan-queries.ts"
import type { Kernel } from "./kernel.ts"

/** `kinds`: the kinds of identifiers to look for, as the bits of a set. */
const scrubOptions = Type.Object({ kinds: Type.Integer({ minimum: 0 }) })

/**
 * Finds identifiers in queries. A document of the input has a distinct query (`q`) and whatever else. The output is the
 * same document with the kinds that were found (`s`), as the bits of a set.
 */
export const scrub: Kernel = {
  name: "scrub",
  start: async (options) => {
    if (!Value.Check(scrubOptions, options))
      throw new QueryveilError("kernel-input", "The kernel scrub got options that it does not know.")
    const { kinds } = options
    return {
      take: (documents) => {
        const queries = dictionaryOf(documents.map(({ q }) => String(q)))
        const found = scanQueries(queries, kinds)
        return documents.map((document) => ({ ...document, s: found[queries.find(String(document.q))] }))
      },
    }
  },
}
