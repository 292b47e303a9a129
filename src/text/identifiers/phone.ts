import { catalogueWords, mathWords, phoneWords } from "./context-words.ts"
import { defineDetector } from "./detector.ts"
import { countDigits, hasWord, isYear, type QueryText } from "./query-text.ts"

/** Not within a word, a price, a decimal number or a longer number with signs. */
const before = String.raw`(?<![\w$€£*=]|\d[.,]|\w[\/-])`
const after = String.raw`(?!\d|[a-wyz]|[.,-]\d|[%*=])`
const form = (body: string) => new RegExp(before + body + after, "g")

/** North America: (212) 555-0123, 212-555-0123, 212.555.0123, 1 212 555 0123, 212/555-0123, 212 5550123, 2125550123. */
const northAmerican = form(
  String.raw`(?:\+?1[ .\/-]?)?(?:\([2-9]\d\d\)[ .\/-]{0,2}|[2-9]\d\d ?[ .\/-]? ?)[2-9]\d\d ?[ .-]? ?\d{4}`,
)
const local = form(String.raw`[2-9]\d\d-\d{4}`)
/** France: 01 23 45 67 89. China: 138 0013 8000. Australia: 1800 160 401. */
const french = form(String.raw`0[1-9](?:[ .-]\d\d){4}`)
const chinese = form(String.raw`1[3-9]\d[ -]\d{4}[ -]\d{4}`)
const australian = form(String.raw`1[38]00[ -]\d{3}[ -]\d{3}`)

const rest = String.raw`[1-9]\d{0,14}(?:[ .\/()-]{1,3}\d{1,14}){0,7}`
/** +49 30 123456; and 0044 20 7946 0123, 011 44 …. */
const international = form(String.raw`\+${rest}`)
const dialled = form(`(?:00 ?|011[ -])${rest}`)
/** The area code in brackets: (030) 1234567, (11) 91234-5678. */
const bracketed = form(String.raw`\(\d{1,5}\) ?\d{2,8}(?:[ .-]\d{2,8}){0,4}`)
/** A trunk zero: 020 7946 0123, 030/1234567, 07700 900123, 08-123 456 78, 07700900123. */
const trunk = form(String.raw`0[1-9]\d{0,9}(?: ?[ .\/-] ?\d{2,8}){0,5}`)
/** Next to a word for telephone: any seven to fifteen digits that are not a zip code. */
const besideWord = form(String.raw`(?!\d{5}-\d{4}(?!\d))\+?\(?\d{1,15}\)?(?:[ .\/-]{1,2}\d{1,14}){0,6}`)

function matches(query: QueryText): boolean {
  const { text } = query
  if (countDigits(text) < 7) return false
  if (hasGroups(text, international, isInternational)) return true
  if (hasWord(query, catalogueWords)) return false
  if (hasForm(text, northAmerican) || hasForm(text, local) || hasForm(text, chinese)) return true
  if (hasForm(text, australian) || hasGroups(text, dialled, isInternational)) return true
  if (hasGroups(text, bracketed, (groups, digits) => groups.length > 1 && digits >= 8 && digits <= 13)) return true
  if (hasWord(query, mathWords)) return false
  if (hasForm(text, french) || hasGroups(text, trunk, isTrunk)) return true
  return hasWord(query, phoneWords) && hasGroups(text, besideWord, isBesideWord)
}

const hasForm = (text: string, pattern: RegExp) => text.search(pattern) >= 0

/**
 * True if the groups of some match have this property, perhaps after groups are removed at the end, as in
 * `020 7946 0123 24 hours`.
 */
function hasGroups(text: string, pattern: RegExp, holds: (groups: string[], digits: number) => boolean): boolean {
  for (const [found] of text.matchAll(pattern)) {
    const groups = found.match(/\d{1,15}/g) ?? []
    for (let count = groups.length; count > 0; count--) {
      const kept = groups.slice(0, count)
      if (holds(kept, kept.join("").length)) return true
    }
  }
  return false
}

const isInternational = (groups: string[], digits: number) =>
  digits >= 8 && digits <= 15 && !/^0{4}/.test(groups.join(""))

/**
 * Nine to twelve digits with a later group of at least three digits that is not a year, or nine to eleven digits in one
 * group. This excludes dates and lists of pairs.
 */
function isTrunk(groups: string[], digits: number): boolean {
  if (digits < 9 || digits > 12) return false
  if (groups.length === 1) return digits < 12
  return groups.some((group, i) => i > 0 && group.length >= 3 && !isYear(group))
}

function isBesideWord(groups: string[], digits: number): boolean {
  return digits >= 7 && digits <= 15 && !groups.some(isYear)
}

/**
 * A telephone number: North American in any usual form, international with + or 00, national with a trunk zero or
 * brackets, seven digits as 555-0123, or at least seven digits next to a word such as call or fax. Toll-free numbers
 * count too. A number next to words of a catalogue (part, model, isbn) does not count, unless it starts with +.
 */
export const phone = defineDetector({
  kind: "phone",
  summary: "telephone numbers, North American and international",
  clues: [{ digits: 7 }],
  matches,
})
