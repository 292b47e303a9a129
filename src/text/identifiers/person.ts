import { anyOf } from "./any-of.ts"
import { defineDetector } from "./detector.ts"
import { isBaseForm, isEnglishWord } from "./english-words.ts"
import { findFullName, fullNameClues, singleNames } from "./famous-persons.ts"
import { ambiguousGivenNames, givenNames, moreGivenNames } from "./given-names.ts"
import { doubleNames, personWords, privateTitles, titles } from "./name-context-words.ts"
import { role, rolesOf } from "./name-roles.ts"
import { notPersons } from "./not-surnames.ts"
import type { QueryText } from "./query-text.ts"
import { type Names, readNames } from "./read-names.ts"
import { surnames } from "./surnames.ts"

const anyGiven = role.given | role.ambiguousGiven
/** Roles of a word after a given name that show that it is not a surname, unless it also has a role as a surname. */
const notSurname =
  role.ordinary | role.particle | role.place | role.context | role.fame | role.title | role.namesake | anyGiven

/** Endings and beginnings that surnames have and everyday words hardly ever have. */
const surnamePrefixes = anyOf("mc[a-z]{3,12} mac[a-z]{4,12} fitz[a-z]{3,12} o['’][a-z]{3,12}")
const surnameEndings = anyOf(`
  [a-z]sson [bcdfghklmnprstvwz]son sen berg stein baum feld mann bauer meier meyer ski sky ska wicz czyk enko chuk ov
  ova eva escu oğlu oglu poulos akis idis ian yan ez elli etti ini ucci quist qvist strom ström gren lund dottir vich
  vić ović ovic shvili dze worth ham field wood ford well
`)
const surnameShape = new RegExp(`^${surnamePrefixes}$|${surnameEndings}$`)

const maxMiddle = 2
const maxParticles = 3

function matches({ tokens }: QueryText): boolean {
  if (tokens.length === 1) return singleNames.has(tokens[0]) // a name written as one word is a host or a handle
  const names = readNames(tokens)
  for (let i = 0; i < names.words.length; i++) {
    const last = findName(names, i)
    if (last >= 0 && !isNamesake(names, last)) return true
    if (isReversed(names, i)) return true
    if (last > i) i = last
  }
  return isRareName(names)
}

/** Where the name that starts at this word ends, or -1. */
function findName(names: Names, at: number): number {
  const { words, roles } = names
  const found = roles[at]
  if ((found & role.fullNameStart) !== 0) {
    const last = findFullName(words, at)
    if (last > 0) return last
  }
  if (at > 0 && (roles[at - 1] & role.placeStart) !== 0) return -1
  if ((found & role.singleName) !== 0) return at
  if ((found & anyGiven) !== 0) {
    const last = findSurname(names, at)
    if (last > 0) return last
  }
  if ((found & role.given) !== 0 && (roles[at + 1] & role.numeral) !== 0) return at + 1
  if ((found & role.title) !== 0 && isTitled(names, at)) return at + 1
  if ((found & role.royalTitle) !== 0 && (roles[at + 1] & anyGiven) !== 0 && !isThing(names, at, at + 1)) return at + 1
  return words[at].length === 1 ? skipInitials(names, at) : -1
}

/** Where the name that starts here ends, or 0: given name, up to two middle names or initials, particles, surname. */
function findSurname(names: Names, at: number): number {
  const { words, roles, possessives } = names
  if (possessives.has(at)) return 0
  for (let middle = 0, i = at + 1; i < words.length && middle <= maxMiddle; middle++, i++) {
    let last = i
    while (last < i + maxParticles && (roles[last] & role.particle) !== 0 && last + 1 < words.length) last++
    if (isSurname(names, at, last)) return last
    if (words[i] === "the" && (roles[i + 2] & role.surname) !== 0) return i + 2 // dwayne the rock johnson
    if (words[i].length !== 1 && (roles[i] & anyGiven) === 0) return 0
  }
  return 0
}

/** True if the word at `last` ends the name that begins with the given name at `at`. */
function isSurname(names: Names, at: number, last: number): boolean {
  const { words, roles, inContext, inFame } = names
  const found = roles[last]
  const sure = (roles[at] & role.given) !== 0
  const whole = at === 0 && last === words.length - 1
  if (isThing(names, at, last)) return false
  if (sure && (found & role.given) !== 0 && words[at] !== words[last]) {
    if (whole && last === 1) return true // trevor noah
    if (at === 0 && !doubleNames.has(words[at])) return true // bob dylan discography
  }
  if ((found & role.surname) !== 0) {
    return sure || inContext || inFame || (roles[at] & role.seldomWord) !== 0 || endsInPlaces(names, last + 1)
  }
  if ((found & role.wordSurname) !== 0) return sure || inContext
  if ((found & role.commonWordSurname) !== 0) return sure && (whole || inContext)
  const follows = (roles[last - 1] & role.particle) !== 0 // after a particle any name is a surname: mohammed al-rashid
  if ((found & notSurname & (follows ? ~anyGiven : -1)) !== 0 || !isRare(names, last)) return false
  return sure || inContext || isAlone(names, at, last)
}

/** True if only places follow. */
function endsInPlaces({ words, roles }: Names, from: number): boolean {
  for (let i = from; i < words.length && i < from + 4; i++) if ((roles[i] & role.place) === 0) return false
  return words.length < from + 4
}

/** True for a word that is in no list of words and can be a name. */
function isRare({ words, roles }: Names, at: number): boolean {
  return (
    (roles[at] & ~(role.fullNameStart | role.singleName | anyGiven)) === 0 &&
    /^[a-z\u00c0-\u1fff][a-z\u00c0-\u1fff'’]{2,24}$/.test(words[at]) &&
    !isEnglishWord(words[at])
  )
}

/**
 * True if the name is the whole query, with a given name that is seldom a word before others, or with a last word that
 * looks like a surname.
 */
function isAlone({ words, roles }: Names, at: number, last: number): boolean {
  if (words.length === 2 && (roles[at] & role.seldomWord) !== 0) return true
  return words.length <= 3 && surnameShape.test(words[last])
}

/** True for a brand, a figure or a plant that looks like a name, or whose second word is the given name. */
function isThing({ words }: Names, at: number, last: number): boolean {
  return notPersons.has(`${words[at]} ${words[last]}`) || notPersons.has(`${words[at - 1]} ${words[at]}`)
}

/** True for a school, street or shop named after somebody. A town after a name is not one (solange roy quebec city). */
function isNamesake({ roles }: Names, last: number): boolean {
  const next = roles[last + 1]
  return (next & role.namesake) !== 0 || ((next & role.place) === 0 && (roles[last + 2] & role.namesake) !== 0)
}

/** dr smith. At the start of a short query, a word that is in no list of words is enough. */
function isTitled(names: Names, at: number): boolean {
  const { words, roles } = names
  if (isThing(names, at, at + 1)) return false
  if ((roles[at + 1] & (role.surname | role.singleName)) !== 0) return true
  return at === 0 && words.length <= 3 && privateTitles.has(words[at]) && at + 1 < words.length && isRare(names, at + 1)
}

/**
 * Where the name that starts with these initials ends, or -1: j k rowling, o j simpson. A single `a` may be the
 * article.
 */
function skipInitials({ words, roles }: Names, at: number): number {
  let next = at + 1
  while (next < words.length && next < at + 3 && words[next].length === 1) next++
  if (next === at + 1 && (at > 0 || words.length > 2 || words[at] === "a" || words[at] === "e")) return -1
  return next < words.length && isOnlySurname(words[next], roles[next]) ? next : -1
}

/**
 * smith john, or smith, john a: a clear surname first, and nothing after the name but initials, words of context and
 * places. After a comma anything may follow, and before it a word that is in no list of words is enough.
 */
function isReversed(names: Names, at: number): boolean {
  const { words, roles, commas } = names
  if (at === 0 || (roles[at] & role.given) === 0) return false
  if (commas.has(at - 1) && ((roles[at - 1] & role.surname) !== 0 || isRare(names, at - 1))) return true
  if ((roles[at - 1] & (role.surname | role.place)) !== role.surname || isThing(names, at - 1, at)) return false
  if (at !== 1) return false
  for (let i = 2; i < words.length; i++) {
    if (words[i].length !== 1 && (roles[i] & (role.context | role.place)) === 0) return false
  }
  return true
}

/**
 * A name with an unknown given name. The whole query is a word that is in no list and a clear surname, except for words
 * of context or fame.
 */
function isRareName(names: Names): boolean {
  const { words, roles, inContext } = names
  if (words.length < 2 || words.length > 4 || !isRare(names, 0) || roles[0] !== 0 || isThing(names, 0, 1)) return false
  for (let i = 2; i < words.length; i++) if ((roles[i] & (role.context | role.fame)) === 0) return false
  if (isNamesake(names, 1)) return false
  if (isOnlySurname(words[1], roles[1])) return true
  return inContext && roles[1] === 0 && isRare(names, 1)
}

/** True for a clear surname that is neither a word nor a place. With it, the word before it is part of a name. */
function isOnlySurname(word: string, roles: number): boolean {
  return (roles & (role.surname | role.ordinary | role.place)) === role.surname && !isBaseForm(word)
}

const clueWords = new Set([
  ...givenNames,
  ...moreGivenNames,
  ...ambiguousGivenNames,
  ...titles,
  ...personWords,
  ...[...surnames].filter((word) => isOnlySurname(word, rolesOf(word))),
  // The scan reads o'neill as two words.
  ...[...surnames].filter((word) => /^[od]./.test(word)).map((word) => word.slice(1)),
])

/**
 * A likely name of a person: a given name, perhaps middle names or initials, and a surname.
 *
 * - A given name that hardly means anything else may precede any word that is in no list of words. One that is also a
 *   word or a town (rose, austin) needs a clear surname. Words such as obituary, address or attorney make a doubtful
 *   name likelier.
 * - Also found: a title and a clear surname (dr smith), the surname first (smith, john), initials (j k rowling), and an
 *   unknown word before a clear surname that ends the query.
 * - Famous people count too, because the text does not distinguish them from others of the same name. Those with one
 *   name (mozart) and those whose names are words (tiger woods) are listed.
 * - Brands and figures that look like names (`notPersons`) do not count.
 * - Names in other scripts, nicknames and given names alone are missed.
 */
export const person = defineDetector({
  kind: "person",
  summary: "likely names of persons: given name and surname, or a famous name",
  clues: [{ signs: ["space"], words: [...clueWords, ...fullNameClues(clueWords)] }, { words: singleNames }],
  matches,
})
