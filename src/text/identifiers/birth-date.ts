import { findDates } from "./dates.ts"
import { defineDetector } from "./detector.ts"
import { hasWord, type QueryText, wordSet } from "./query-text.ts"

/** Words about birth. `b` is what remains of d.o.b. when it is split into words. */
const birthWords = wordSet(`
  born birth birthdate birthday birthdays bday dob b borned geboren geb geburtsdatum geburtstag né née nee naissance
  nacido nacida nacimiento nacio nació nascita nascido nascida nascimento nata geboortedatum geboortedag född födelsedag
  født syntynyt urodzony urodzona urodzenia родился родилась рождения doğum doğumlu
`)

/** Words that make it a date about everyone, or a party. */
const publicWords = wordSet(`
  famous celebrity celebrities celebs stars actors actresses singers history events holiday anniversary party parties
  cake cakes invitation invitations shirt shirts songs song lyrics movie film album band
`)

const tightWords = /(?<![a-z])(?:dob|d\.o\.b|d o b|birth ?date|date of birth|geburtsdatum|nato il|nata il|b\.? ?\d)/

function matches(query: QueryText): boolean {
  const { text } = query
  if (!hasWord(query, birthWords) && !isItalian(query)) return false
  const tight = tightWords.test(text)
  if (!tight && (onlySingleB(query) || hasWord(query, publicWords))) return false
  return findDates(text, { packed: tight }).some(({ year }) => year >= 1900 && year < 2030)
}

/** A single b is a birth word only directly before a number, as genealogists write it, or in d.o.b. */
function onlySingleB(query: QueryText): boolean {
  return !isItalian(query) && !query.words.some((word) => word !== "b" && birthWords.has(word))
}

/** Without the article, nato is the alliance. */
const isItalian = ({ text, words }: QueryText) => words.includes("nato") && text.includes("nato il ")

/**
 * A full date (day, month and year, 1900 to 2029) next to a word about birth. A year alone, a day without its year, or
 * a date alone does not count, nor do birthdays of famous people and parties.
 */
export const birthDate = defineDetector({
  kind: "birth-date",
  summary: "full dates next to a word such as born, dob, geboren, née",
  clues: [{ digits: 3, words: [...birthWords, "nato"] }],
  matches,
})
