import { everydayWords } from "./not-surnames.ts"
import { isBare, isDigit, isYear } from "./query-text.ts"
import {
  culturalNames,
  famousAddresses,
  notStreetNames,
  rareSuffixes,
  saintsAndDoctors,
  stateWords,
  strongSuffixes,
  unitWords,
  weakSuffixes,
} from "./street-words.ts"

/** Addresses as written in English: the house number first, the kind of street last. */

const houseNumber = /^#?(?:\d{1,5}[a-f]?|\d{1,5}-\d{1,5}|[nsew]\d{2,5})$/
const nameWord = /^(?:[a-z\u00c0-\u1fff][a-z\u00c0-\u1fff'’.-]{0,30}|\d{1,3}(?:st|nd|rd|th))$/
const zipCode = /^\d{5}(?:-\d{4})?$/
const longestName = 4

export interface AddressTokens {
  /** Without the punctuation around them. */
  words: readonly string[]
  /** True if a comma or semicolon follows the word. */
  closed: readonly boolean[]
}

export function readAddressTokens(tokens: readonly string[]): AddressTokens {
  return {
    words: tokens.map((token) => (isBare(token) ? token : trimPunctuation(token))),
    closed: tokens.map((token) => token.endsWith(",") || token.endsWith(";")),
  }
}

const trimPunctuation = (token: string) => token.replace(/^[("']/, "").replace(/[.,;:)"']{1,2}$/, "")

type Rule = (tokens: AddressTokens, at: number) => boolean

/** The words around which an address is searched for, and the rules for each. */
const rulesOf = new Map<string, readonly Rule[]>()
function addRule(words: Iterable<string>, rule: Rule): void {
  for (const word of words) rulesOf.set(word, [...(rulesOf.get(word) ?? []), rule])
}
for (const suffixes of [strongSuffixes, weakSuffixes, rareSuffixes]) addRule(suffixes, isOnStreet)
addRule(["broadway"], isOnBroadway)
addRule(["ave", "avenue"], isLetteredAvenue)
addRule(["highway", "hwy", "route", "rt", "rte", "road", "rd"], isHighway)
addRule(["apt", "apartment", "unit", "suite", "ste"], isBeforeUnit)

export function hasEnglishStreet(tokens: AddressTokens): boolean {
  const { words } = tokens
  for (let i = 1; i < words.length; i++) {
    const rules = rulesOf.get(words[i])
    if (rules !== undefined) {
      for (const rule of rules) if (rule(tokens, i)) return true
    } else if (endsInDigit(words[i])) {
      if (endsInZip(words, i) || isBeforePostcode(words, i) || isJoinedUnit(words, i)) return true
    } else if (isBeforePostcode(words, i)) return true
  }
  return endsInState(words)
}

const startsInDigit = (word: string | undefined) => word !== undefined && isDigit(word.charCodeAt(0))
const endsInDigit = (word: string) => isDigit(word.charCodeAt(word.length - 1))

function isOnStreet(tokens: AddressTokens, suffix: number): boolean {
  const house = findHouse(tokens.words, suffix)
  return house >= 0 && isAddress(tokens, house, suffix)
}

/** The position of the house number before a street name of one to four words that ends before `suffix`, or -1. */
function findHouse(words: readonly string[], suffix: number): number {
  for (let i = suffix - 1; i >= 0 && i >= suffix - longestName - 1; i--) {
    const word = words[i]
    if (word === "1/2") continue
    if (houseNumber.test(word)) return i < suffix - 1 ? i : -1
    if (!nameWord.test(word) || notStreetNames.has(word)) return -1
  }
  return -1
}

function isAddress({ words, closed }: AddressTokens, house: number, suffix: number): boolean {
  const kind = words[suffix]
  const next = words[suffix + 1]
  if (isFamous(words, house, suffix)) return false
  if (kind === "cir" && /^\d/.test(words[suffix - 1])) return false // a court: 9th cir
  if (next !== undefined && (kind === "st" || kind === "dr") && saintsAndDoctors.has(next)) return false
  if (next !== undefined && (zipCode.test(next) || isUnit(next))) return true
  if (culturalNames.has(words[suffix - 1]) && suffix === house + 2 && isSmallOrYear(words[house])) {
    return next !== undefined && stateWords.has(next)
  }
  if (strongSuffixes.has(kind)) return true
  const ends = next === undefined || closed[suffix] || stateWords.has(next)
  if (rareSuffixes.has(kind)) return ends && !isYear(words[house]) && (next !== undefined || suffix - house <= 2)
  const short = kind.length <= 3
  if (ends) return true
  if (isYear(words[house]) || notStreetNames.has(next)) return false
  return short || !everydayWords.has(next)
}

const isUnit = (word: string) => unitWords.has(word) || /^#\d/.test(word)
const isSmallOrYear = (word: string) => word.length < 2 || isYear(word)

function isFamous(words: readonly string[], house: number, suffix: number): boolean {
  const kind = words[suffix] === "ave" ? "avenue" : words[suffix] === "st" ? "street" : words[suffix]
  return famousAddresses.includes([...words.slice(house, suffix), kind].join(" "))
}

/**
 * No kind of street, but a zip code at the end, usually after a state: 123 main springfield il 62704. Without a state,
 * none of the three words before the zip code may be an everyday word.
 */
function endsInZip(words: readonly string[], zip: number): boolean {
  const state = stateWords.has(words[zip - 1])
  if (
    zip < 4 ||
    !zipCode.test(words[zip]) ||
    (!state && words.slice(zip - 3, zip).some((word) => everydayWords.has(word)))
  )
    return false
  for (let i = zip - 2; i >= 0 && i >= zip - 7; i--) {
    if (houseNumber.test(words[i])) return i <= zip - 4 && !/000$/.test(words[i]) && words[i - 1] !== "under"
    if (!nameWord.test(words[i]) || notStreetNames.has(words[i])) return false
  }
  return false
}

/** Example: 1109 ave h. */
function isLetteredAvenue({ words }: AddressTokens, at: number): boolean {
  return /^[a-z]$/.test(words[at + 1] ?? "") && /^\d{2,5}$/.test(words[at - 1])
}

/** No kind of street, but a flat after the name: 505 larkspur apt 4. */
function isBeforeUnit({ words }: AddressTokens, at: number): boolean {
  return unitNumber.test(words[at + 1] ?? "") && hasHouse(words, at)
}

function isJoinedUnit(words: readonly string[], at: number): boolean {
  return /^(?:apt|unit|suite|ste)[.#]{0,2}\d{1,5}$/.test(words[at]) && hasHouse(words, at)
}

function hasHouse(words: readonly string[], at: number): boolean {
  const house = findHouse(words, at)
  return house >= 0 && !isYear(words[house])
}

const unitNumber = /^#?(?:\d{1,5}[a-z]?|[a-z]\d{0,4})$/

/**
 * No kind of street, but a house number of three digits or more and a state at the end: 1420 blackbird springfield il.
 */
function endsInState(words: readonly string[]): boolean {
  const at = words.length - 1
  if (at < 3 || !startsInDigit(words[0]) || !stateWords.has(words[at])) return false
  for (let i = at - 1; i >= 0 && i >= at - 5; i--) {
    if (/^\d{3,5}$/.test(words[i])) return i === 0 && i <= at - 3 && !isYear(words[i]) && !/00$/.test(words[i])
    if (!nameWord.test(words[i]) || notStreetNames.has(words[i]) || everydayWords.has(words[i])) return false
  }
  return false
}

function isOnBroadway({ words, closed }: AddressTokens, at: number): boolean {
  const direction = /^(?:[nsew]|north|south|east|west)$/.test(words[at - 1]) ? 1 : 0
  const number = words[at - 1 - direction] ?? ""
  const next = words[at + 1]
  const ends = next === undefined || closed[at] || stateWords.has(next) || isUnit(next)
  return /^\d{2,5}$/.test(number) && !isYear(number) && ends
}

const roadOwner = /^(?:county|state|us|u\.s|old|rural|n|s|e|w|north|south|east|west)$/

/** A house number that is not a year, then a road that is a number: 4500 highway 12, 1234 county road 5. */
function isHighway({ words }: AddressTokens, at: number): boolean {
  if (!/^\d{1,4}[a-z]?$/.test(words[at + 1] ?? "")) return false
  let before = at - 1
  while (before > at - 3 && roadOwner.test(words[before] ?? "")) before--
  const number = words[before] ?? ""
  return /^\d{3,5}$/.test(number) && !isYear(number)
}

/** A British postcode in two parts, with the house number a few words before it and nothing before that but a flat. */
function isBeforePostcode(words: readonly string[], at: number): boolean {
  if (
    !startsInDigit(words[at + 1]) ||
    !/^[a-z]{1,2}\d[a-z\d]?$/.test(words[at]) ||
    !/^\d[abd-hjlnp-uw-z]{2}$/.test(words[at + 1] ?? "")
  )
    return false
  for (let i = at - 1; i >= 0 && i >= at - 6; i--) {
    if (/^\d{1,4}[a-f]?$/.test(words[i])) return i === 0 || unitWords.has(words[i - 1]) || /^\d/.test(words[i - 1])
    if (!nameWord.test(words[i]) || notStreetNames.has(words[i])) return false
  }
  return false
}
