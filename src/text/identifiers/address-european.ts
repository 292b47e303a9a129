import type { AddressTokens } from "./address-english.ts"
import { anyOf } from "./any-of.ts"
import { everydayWords, placesAndBrands } from "./not-surnames.ts"
import { isYear, wordSet } from "./query-text.ts"
import { notStreetNames } from "./street-words.ts"

/**
 * Addresses as written elsewhere in Europe and in Latin America: the kind of street comes first or is part of the name.
 */

/** First words of a street that have no other meaning. */
const clearStarts = wordSet(`
  rue impasse allée allee chemin quai faubourg bd viale piazza piazzale vicolo lungotevere lungarno calle avenida avda
  c/ paseo carrer rua travessa praça praca calzada ul ulica aleja osiedle ул улица проспект переулок
`)
/** First words that also have other meanings. They count only before a particle, as in place de la gare. */
const unclearStarts = wordSet("place square route passage cours avenue av boulevard plaza largo corso strada ronda")
const particles = wordSet("de du des la le les del della delle dei di da do dos das los las van der den dem")
const numberWords = wordSet("no nr n numero número num nº # д дом")

/** Kinds of street within a German, Dutch or Nordic word, and words of this form that are not streets. */
const streetEndings = anyOf(`
  straße strasse str gasse allee platz weg damm ufer straat laan plein gracht singel dijk gatan vägen gränd veien vegen
  gaten vej gade katu kuja [aeioyä]ntie
`)
const compound = new RegExp(String.raw`^[a-z\u00c0-\u1fff-]{2,30}${streetEndings}$`)
const notStreets = wordSet(`
  campingplatz parkplatz arbeitsplatz golfplatz tennisplatz sportplatz spielplatz stellplatz fussballplatz flugplatz
  ausbildungsplatz liegeplatz norweg umweg heimweg radweg wanderweg jakobsweg einbahnstraße autobahn milchstraße
  brigade renegade
`)
const lastWords = wordSet(
  "straße strasse str straat allee platz weg laan plein gatan vägen caddesi cad sokak sok bulvarı",
)

const house = /^(?:\d{1,3} ?[a-h]?|\d{1,3}[/-]\d{1,3}|\d{1,3}\/[a-z])$/
const longHouse = /^\d{1,4}[a-h]?$/
const nameWord = /^[a-z\u00c0-\u1fff'’.-]{1,30}$/
const longestName = 5

/** First words that count only where an address may begin: via roma, boulevard saint-michel, am markt. */
const openingStarts = wordSet("via avenue boulevard corso largo strada am im zum zur")
/** Examples: an der alten post, unter den linden. */
const germanPrepositions = wordSet("an auf unter hinter vor bei")
const clearOpening = wordSet("in a indirizzo abito casa")

const firstWords = new Set([...clearStarts, ...unclearStarts, ...openingStarts, ...germanPrepositions])

export function hasEuropeanStreet(tokens: AddressTokens): boolean {
  const { words } = tokens
  for (let i = 0; i < words.length; i++) {
    if (firstWords.has(words[i]) && isOnStreet(tokens, i)) return true
    if (isHouseAt(words, i + 1) && isLastWord(words, i)) return true
  }
  return false
}

/** True if the word at `at` begins a street with its house number before or after it. */
function isOnStreet({ words, closed }: AddressTokens, at: number): boolean {
  const word = words[at]
  const opens = at === 0 || closed[at - 1] || clearOpening.has(words[at - 1])
  const german = germanPrepositions.has(word) && /^de[rnm]$/.test(words[at + 1] ?? "")
  if (clearStarts.has(word) || german || (opens && openingStarts.has(word)) || isUnclearStart(words, at)) {
    if (isHouseBefore(words, at) || isHouseBehind(words, at)) return true
  }
  return /^(?:avenue|av|boulevard|corso)$/.test(word) && isHouseBefore(words, at) && isForeignName(words[at + 1])
}

/** True if a street name ends here: hauptstraße, lange straße. */
function isLastWord(words: readonly string[], at: number): boolean {
  const word = words[at]
  if (lastWords.has(word)) return at > 0 && isName(words[at - 1])
  return compound.test(word) && !notStreets.has(word)
}

function isUnclearStart(words: readonly string[], at: number): boolean {
  return unclearStarts.has(words[at]) && (particles.has(words[at + 1] ?? "") || /^[dl]['’]/.test(words[at + 1] ?? ""))
}

const isName = (word: string | undefined) => word !== undefined && nameWord.test(word) && !notStreetNames.has(word)

/** 14 avenue foch: the word after the French avenue is not an everyday English word. */
const isForeignName = (word: string) => word.length > 2 && !everydayWords.has(word) && !placesAndBrands.has(word)

/** Examples: 12 rue victor hugo, 12 bis rue de la paix. */
function isHouseBefore(words: readonly string[], at: number): boolean {
  const gap = /^(?:bis|ter|b)$/.test(words[at - 1] ?? "") ? 2 : 1
  return longHouse.test(words[at - gap] ?? "") && !isYear(words[at - gap]) && isName(words[at + 1])
}

/** One to five words of a name, then the number: rue de rivoli 25, via roma 10, calle mayor no 4. */
function isHouseBehind(words: readonly string[], at: number): boolean {
  let names = 0
  for (let i = at + 1; i < words.length && i <= at + longestName + 1; i++) {
    if (particles.has(words[i])) continue
    if (numberWords.has(words[i]) && names > 0) continue
    if (isName(words[i])) names++
    else
      return names > 0 && (isHouseAt(words, i) || (longHouse.test(words[i]) && !isYear(words[i]) && isLast(words, i)))
  }
  return false
}

const isLast = (words: readonly string[], at: number) => at === words.length - 1

/** A house number, not a count (20 jahre) and not a year. */
function isHouseAt(words: readonly string[], at: number): boolean {
  const word = numberWords.has(words[at] ?? "") ? words[at + 1] : words[at]
  const next = words[at + (word === words[at] ? 1 : 2)]
  return (
    word !== undefined &&
    house.test(word.replace(/^#/, "")) &&
    (next === undefined || next.length === 1 || !notStreetNames.has(next))
  )
}
