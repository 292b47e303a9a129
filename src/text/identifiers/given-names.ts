import { readPackageList } from "../../files/package-lists.ts"

/** Given names that hardly mean anything else, from countries that search in Latin letters. */
export const givenNames: ReadonlySet<string> = new Set(readPackageList("given-names"))

/** A longer list of such names: those of the United States census and of the world. */
export const moreGivenNames: ReadonlySet<string> = new Set(
  [...readPackageList("census-given-names"), ...readPackageList("world-given-names")].flatMap((name) => [
    name,
    withoutAccents(name),
  ]),
)

/** josé is also searched for as jose. */
function withoutAccents(name: string): string {
  if (!/[^a-z]/.test(name)) return name
  return name.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("ı", "i").replaceAll("ł", "l").replaceAll("ø", "o")
}

/** Given names that are also words, months, towns, states or brands. They count only before a clear surname. */
export const ambiguousGivenNames: ReadonlySet<string> = new Set(readPackageList("ambiguous-given-names"))

/** Ambiguous given names that are seldom a word when another word follows. */
export const seldomWords: ReadonlySet<string> = new Set(readPackageList("seldom-words"))
