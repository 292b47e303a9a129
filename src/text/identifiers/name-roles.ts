import { fullNameStarts, singleNames } from "./famous-persons.ts"
import { ambiguousGivenNames, givenNames, moreGivenNames, seldomWords } from "./given-names.ts"
import {
  fameWords,
  namesakes,
  numerals,
  particles,
  personWords,
  placeStarts,
  royalTitles,
  titles,
} from "./name-context-words.ts"
import { everydayWords, morePlacesAndBrands, placesAndBrands } from "./not-surnames.ts"
import { commonWordSurnames, surnames, wordSurnames } from "./surnames.ts"

/** The roles of a word, as bits. */
export const role = {
  given: 1,
  ambiguousGiven: 1 << 1,
  surname: 1 << 2,
  wordSurname: 1 << 3,
  commonWordSurname: 1 << 4,
  ordinary: 1 << 5,
  particle: 1 << 6,
  place: 1 << 7,
  /** `context`: a name next to it belongs to a private person. `fame`: to a famous person. */
  context: 1 << 8,
  fame: 1 << 9,
  title: 1 << 10,
  royalTitle: 1 << 11,
  namesake: 1 << 12,
  placeStart: 1 << 13,
  seldomWord: 1 << 14,
  singleName: 1 << 15,
  fullNameStart: 1 << 16,
  numeral: 1 << 17,
} as const

const lists: readonly (readonly [ReadonlySet<string>, number])[] = [
  [givenNames, role.given],
  [moreGivenNames, role.given],
  [ambiguousGivenNames, role.ambiguousGiven],
  [surnames, role.surname],
  [wordSurnames, role.wordSurname],
  [commonWordSurnames, role.commonWordSurname],
  [everydayWords, role.ordinary],
  [particles, role.particle],
  [placesAndBrands, role.place],
  [morePlacesAndBrands, role.place],
  [personWords, role.context],
  [fameWords, role.fame],
  [titles, role.title],
  [royalTitles, role.royalTitle],
  [namesakes, role.namesake],
  [placeStarts, role.placeStart],
  [seldomWords, role.seldomWord],
  [singleNames, role.singleName],
  [fullNameStarts, role.fullNameStart],
  [numerals, role.numeral],
]
const roleOf = new Map<string, number>()
for (const [words, bit] of lists) for (const word of words) roleOf.set(word, (roleOf.get(word) ?? 0) | bit)

/** The roles of a word. oneill is also written o'neill, and dangelo d'angelo. */
export function rolesOf(word: string): number {
  const roles = roleOf.get(word)
  if (roles !== undefined) return roles
  if (!/^[od]['’]/.test(word)) return 0
  return (roleOf.get(word[0] + word.slice(2)) ?? 0) & role.surname
}
