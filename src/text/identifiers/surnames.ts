import { readPackageList } from "../../files/package-lists.ts"

/** Surnames that hardly mean anything else: the commonest of many countries, and of the United States census. */
export const surnames: ReadonlySet<string> = new Set([
  ...readPackageList("surnames"),
  ...readPackageList("census-surnames"),
  ...readPackageList("world-surnames"),
])

/** Surnames that are also everyday words. They count only after a clear given name. */
export const wordSurnames: ReadonlySet<string> = new Set(readPackageList("word-surnames"))

/**
 * Surnames that are more often words. They count only if the name is the whole query, or in the context of a person.
 */
export const commonWordSurnames: ReadonlySet<string> = new Set(readPackageList("common-word-surnames"))
