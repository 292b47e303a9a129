import { defineDetector } from "./detector.ts"
import { ambiguousGivenNames, givenNames, seldomWords } from "./given-names.ts"
import { namesakes, particles, personWords, placeStarts, titles } from "./name-context-words.ts"
import { everydayWords, notPersons, placesAndBrands } from "./not-surnames.ts"
import { isBare, isLetter, type QueryText } from "./query-text.ts"
import { surnames, wordSurnames } from "./surnames.ts"

/** What a word can be, as bits. */
const given = 1
const ambiguousGiven = 2
const clearSurname = 4
const wordSurname = 8
const ordinary = 16
const particle = 32
const place = 64
const context = 128
const title = 256
const namesake = 512
const placeStart = 1024
const seldomWord = 2048

const anyGiven = given | ambiguousGiven
const notSurname = ordinary | particle | place | context | title | anyGiven

const roles: readonly (readonly [ReadonlySet<string>, number])[] = [
  [givenNames, given],
  [ambiguousGivenNames, ambiguousGiven],
  [surnames, clearSurname],
  [wordSurnames, wordSurname],
  [everydayWords, ordinary],
  [particles, particle],
  [placesAndBrands, place],
  [personWords, context],
  [titles, title],
  [namesakes, namesake],
  [placeStarts, placeStart],
  [seldomWords, seldomWord],
]
const roleOf = new Map<string, number>()
for (const [words, role] of roles) for (const word of words) roleOf.set(word, (roleOf.get(word) ?? 0) | role)

/** Endings and beginnings that surnames have and everyday words hardly ever. */
const surnameShape =
  /^(?:mc[a-z]{3,12}|mac[a-z]{4,12}|fitz[a-z]{3,12}|o['’][a-z]{3,12})$|(?:[a-z]sson|[bcdfghklmnprstvwz]son|sen|berg|stein|baum|feld|mann|bauer|meier|meyer|ski|sky|ska|wicz|czyk|enko|chuk|ov|ova|eva|escu|oğlu|oglu|poulos|akis|idis|ian|yan|ez|elli|etti|ini|ucci|quist|qvist|strom|ström|gren|lund|dottir|vich|vić|ović|ovic|shvili|dze|worth|ham|field|wood|ford|well)$/

const maxMiddle = 2
const maxParticles = 3

/** The words of a query with their roles; three places behind the last word, no role. */
interface Names {
  words: readonly string[]
  roles: readonly number[]
  /** The words before a comma, and those with a possessive. */
  commas: ReadonlySet<number>
  possessives: ReadonlySet<number>
  inContext: boolean
}

function matches({ tokens }: QueryText): boolean {
  const names = readNames(tokens)
  const { words, roles } = names
  for (let i = 0; i < words.length; i++) {
    if ((roles[i] & anyGiven) !== 0 && (i === 0 || (roles[i - 1] & placeStart) === 0)) {
      const last = findSurname(names, i)
      if ((last > 0 && !isNamesake(names, last)) || isReversed(names, i)) return true
      if (last > 0) i = last
    } else if ((roles[i] & title) !== 0 && (roles[i + 1] & clearSurname) !== 0 && !isNamesake(names, i + 1)) return true
  }
  return false
}

function readNames(tokens: readonly string[]): Names {
  const { words, commas, possessives } = tokens.every(isPlain)
    ? { words: tokens, commas: noPlaces, possessives: noPlaces }
    : cutTokens(tokens)
  const roles: number[] = []
  let inContext = false
  for (const word of words) {
    const role = roleOf.get(word) ?? roleOfApostrophe(word)
    if ((role & context) !== 0) inContext = true
    roles.push(role)
  }
  roles.push(0, 0, 0) // to look ahead without asking where the end is
  return { words, roles, commas, possessives, inContext }
}

/** o'neill is also written oneill. */
function roleOfApostrophe(word: string): number {
  if (word[1] !== "'" && word[1] !== "’") return 0
  return (roleOf.get(word[0] + word.slice(2)) ?? 0) & clearSurname
}

const noPlaces: ReadonlySet<number> = new Set()

/** Punctuation and the possessive come off; hyphens separate, apostrophes do not. */
function cutTokens(tokens: readonly string[]): Pick<Names, "words" | "commas" | "possessives"> {
  const words: string[] = []
  const commas = new Set<number>()
  const possessives = new Set<number>()
  for (const token of tokens) {
    if (isPlain(token) || (isBare(token) && !/['’-]/.test(token))) words.push(token)
    else {
      const bare = token.replace(/^["'(]/, "").replace(/["'.,;:!?)]{1,2}$/, "")
      const name = bare.replace(/['’]s$/, "")
      for (const part of name.split("-")) if (part !== "") words.push(part)
      if (token.endsWith(",")) commas.add(words.length - 1)
      if (name !== bare) possessives.add(words.length - 1)
    }
  }
  return { words, commas, possessives }
}

function isPlain(token: string): boolean {
  for (let i = 0; i < token.length; i++) if (!isLetter(token.charCodeAt(i))) return false
  return true
}

/** Where the name that starts here ends, or 0: given name, up to two middle names or initials, particles, surname. */
function findSurname(names: Names, at: number): number {
  const { words, roles, possessives } = names
  if (possessives.has(at)) return 0
  for (let middle = 0, i = at + 1; i < words.length && middle <= maxMiddle; middle++, i++) {
    let last = i
    while (last < i + maxParticles && (roles[last] & particle) !== 0 && last + 1 < words.length) last++
    if (isSurname(names, at, last)) return last
    if (words[i].length !== 1 && (roles[i] & given) === 0) return 0
  }
  return 0
}

/** Whether the word at `last` ends the name that the given name at `at` starts. */
function isSurname(names: Names, at: number, last: number): boolean {
  const { words, roles, inContext } = names
  const role = roles[last]
  const sure = (roles[at] & given) !== 0
  const pair = sure && words.length === 2 && (role & given) !== 0 && words[0] !== words[1] // trevor noah
  if (pair) return !notPersons.has(`${words[0]} ${words[1]}`)
  const follows = (roles[last - 1] & particle) !== 0 // behind a particle any name is a surname: mohammed al-rashid
  const asked = inContext || ((role & clearSurname) !== 0 && last === words.length - 1)
  if ((role & (clearSurname | wordSurname)) !== 0) {
    if (!sure && !asked) return false
  } else {
    if (
      (role & notSurname & (follows ? ~anyGiven : -1)) !== 0 ||
      !/^[a-z\u00c0-\u1fff][a-z\u00c0-\u1fff'’]{2,24}$/.test(words[last])
    )
      return false
    if (!sure && !inContext && !isAlone(names, at, last)) return false
  }
  return !notPersons.has(`${words[at]} ${words[last]}`) && !notPersons.has(`${words[at - 1]} ${words[at]}`)
}

/** The whole query, of a given name that is seldom a word before others, or with a last word built like a surname. */
function isAlone({ words, roles }: Names, at: number, last: number): boolean {
  if (words.length === 2 && (roles[at] & seldomWord) !== 0) return true
  return words.length <= 3 && surnameShape.test(words[last])
}

/** A school, street or shop called after someone. */
function isNamesake({ roles }: Names, last: number): boolean {
  return ((roles[last + 1] | roles[last + 2]) & namesake) !== 0
}

/**
 * smith john, or smith, john a: a clear surname first, and nothing else but an initial unless a comma says so. Before a
 * comma any word that is no other word will do.
 */
function isReversed({ words, roles, commas }: Names, at: number): boolean {
  if (at === 0 || (roles[at] & given) === 0) return false
  if (commas.has(at - 1) && (roles[at - 1] & notSurname) === 0) return true
  if ((roles[at - 1] & clearSurname) === 0) return false
  if (at !== 1) return false
  for (let i = 2; i < words.length; i++) if (words[i].length !== 1 && (roles[i] & (context | place)) === 0) return false
  return true
}

/**
 * A likely name of a person: a given name, perhaps middle names or initials, and a surname. A given name that is hardly
 * anything else may stand before any word that is not an everyday word; one that is also a word or a town (rose, austin)
 * needs a clear surname. Words such as obituary, address or attorney make more of a doubtful one. Title and clear
 * surname count (dr smith), and surname first (smith, john).
 * The famous count too, since the text does not tell them from others of their name; some hundred brands and figures
 * that are built like names do not. Names in other scripts, nicknames alone and rare given names are missed.
 */
export const person = defineDetector({
  kind: "person",
  summary: "likely names of persons: given name and surname",
  clues: [{ words: [...givenNames, ...ambiguousGivenNames, ...titles] }],
  matches,
})
