import { readPackageList } from "../../files/package-lists.ts"

/** Given names that are hardly anything else, from the countries that search in Latin letters. */
export const givenNames: ReadonlySet<string> = new Set(readPackageList("given-names"))

/** Given names that are also words, months, towns, states or brands: they count only before a clear surname. */
export const ambiguousGivenNames: ReadonlySet<string> = new Set(readPackageList("ambiguous-given-names"))

/** Those of the ambiguous that are seldom a word where another word follows. */
export const seldomWords: ReadonlySet<string> = new Set(readPackageList("seldom-words"))
