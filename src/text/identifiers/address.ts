import { hasEnglishStreet, readAddressTokens } from "./address-english.ts"
import { hasEuropeanStreet } from "./address-european.ts"
import { anyOf } from "./any-of.ts"
import { defineDetector } from "./detector.ts"
import { everydayWords } from "./not-surnames.ts"
import { countDigits, type QueryText } from "./query-text.ts"
import { notStreetNames } from "./street-words.ts"

const boxNames = anyOf([
  String.raw`(?:rr|rural route|rt|route|hc) ?#?\d{1,3},? box`,
  String.raw`p\.? ?o\.? ?box`,
  "post office box|pobox|pob|postfach|postbus|apartado(?: de correos| postal)?|casella postale|bo[iî]te postale",
  "caixa postal|postboks|postilokero",
])
const postBox = new RegExp(String.raw`(?<![a-z])${boxNames}(?: no\.?| #|:)? ?#?\d{1,6}(?!\d)`)

function matches({ text, tokens }: QueryText): boolean {
  if (countDigits(text) === 0) return false
  if (postBox.test(text) || colombian.test(text) || russianFlat.test(text) || glued.test(text) || hasResident(text))
    return true
  const address = readAddressTokens(tokens)
  return hasEnglishStreet(address) || hasEuropeanStreet(address)
}

/** calle 50 no 23-14: a street with a number, the crossing and the house. */
const colombianStreets = anyOf("calle carrera cra kra transversal diagonal avenida")
const colombian = new RegExp(
  String.raw`(?<![a-z])${colombianStreets} \d{1,3}[a-z]? ?(?:#|no\.?|n\.?) ?\d{1,3}[a-z]? ?- ?\d{1,3}(?!\d)`,
)
/** ленина 10 кв 5: a house and a flat, whatever the street. */
const russianFlat = /\d{1,3}[а-я]?,? (?:кв|квартира|корп|корпус)\.? ?\d{1,4}(?!\d)/

/** www.123mainstreet springfield: an address written as one word and typed like a host name that does not exist. */
const gluedStreets = anyOf("street avenue ave blvd boulevard drive lane road terrace court circle parkway pkwy")
const glued = new RegExp(
  String.raw`(?<![^ ])(?:https?://?)?w{2,4}[.,]\d{1,5}(?!st|nd|rd|th)[a-z]{3,24}${gluedStreets}` +
    String.raw`(?:\.(?!com|net|org)[a-z]{3,20})? [a-z]{2}`,
)

/** A person's house without the kind of street: who lives at 909 larkspur. */
const residing = anyOf("lives? living lived resid(?:es|ing) house home neighbors born moved")
const resident = new RegExp(String.raw`(?<![a-z])${residing} (?:is )?(?:at|to) \d{1,5} ([a-z]{4,20})`)

function hasResident(text: string): boolean {
  const found = resident.exec(text)
  return found !== null && !notStreetNames.has(found[1]) && !everydayWords.has(found[1])
}

/**
 * A postal address with a house number: number, street and its kind (123 oak st), the number last (hauptstraße 12, via
 * roma 10), a number with state and zip code or a British postcode, a highway address, or a post-office box. A zip
 * code, a crossing, or a street without a number describes a neighbourhood and does not count. Twenty famous houses (10
 * downing street) do not count either.
 */
export const address = defineDetector({
  kind: "address",
  summary: "postal addresses with a house number, and post-office boxes",
  clues: [{ digits: 1 }],
  matches,
})
