import { readPackageList } from "../../files/package-lists.ts"

/** Surnames that are hardly anything else, from the commonest of many countries. */
export const surnames: ReadonlySet<string> = new Set(readPackageList("surnames"))

/** Surnames that are also everyday words: they count only behind a clear given name. */
export const wordSurnames: ReadonlySet<string> = new Set(readPackageList("word-surnames"))
