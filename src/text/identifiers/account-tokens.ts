import { anyOf } from "./any-of.ts"
import { passesEan13, passesMod97, passesVin } from "./check-digits.ts"
import { catalogueWords, mathWords } from "./context-words.ts"
import { hasWord, isDigit, isYear, type QueryText } from "./query-text.ts"

/** Tokens that look like an account by their form alone. */

/** Length of an IBAN by country, from the SWIFT registry. */
const ibanLengths = new Map(
  `
  ad24 ae23 al28 at20 az28 ba20 be16 bg22 bh22 br29 by28 ch21 cr22 cy28 cz24 de22 dk18 do28 ee20 eg29 es24 fi18 fo18
  fr27 gb22 ge22 gi23 gl18 gr27 gt28 hr21 hu28 ie22 il23 iq23 is26 it27 jo30 kw30 kz20 lb28 lc32 li21 lt20 lu20 lv21
  mc27 md24 me22 mk19 mr27 mt31 mu30 nl18 no15 pk24 pl28 ps29 pt25 qa29 ro24 rs22 sa24 sc31 se24 si19 sk24 sm27 tn24
  tr26 ua29 vg24 xk20
  `
    .split(/\s/)
    .filter((entry) => entry !== "")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

const ibanStart = /(?<![a-z0-9])[a-z]{2}\d\d(?=[ a-z0-9])/g

/** An IBAN, in one piece or in groups of any size. Checks the length for its country, and MOD 97-10. */
export function hasIban(text: string): boolean {
  for (const { 0: head, index } of text.matchAll(ibanStart)) {
    const length = ibanLengths.get(head.slice(0, 2)) ?? 0
    let taken = ""
    let at = index
    for (; taken.length < length && /^[ a-z0-9]$/.test(text[at] ?? ""); at++) if (text[at] !== " ") taken += text[at]
    if (length === 0 || taken.length < length || /^[a-z0-9]$/.test(text[at] ?? "")) continue
    if (passesMod97(taken.slice(4) + taken.slice(0, 4))) return true
  }
  return false
}

const vin = /(?<![a-z0-9])(?=[a-hj-npr-z0-9]{0,16}\d)[a-hj-npr-z0-9]{17}(?![a-z0-9])/g

/**
 * A vehicle identification number. Its check digit matches, it ends in a serial number of four digits, or the query
 * says vin.
 */
export function hasVin({ text, words }: QueryText): boolean {
  if (text.search(vin) < 0) return false
  const said = words.includes("vin")
  for (const [found] of text.matchAll(vin))
    if (/[a-z]/.test(found) && (said || /\d{4}$/.test(found) || passesVin(found))) return true
  return false
}

const mac = /(?<![a-z0-9:-])(?=.{0,12}[1-9a-f])(?:[0-9a-f]{2}:){5}[0-9a-f]{2}(?![a-z0-9:])/
const macForms = anyOf(String.raw`(?:[0-9a-f]{2}-){5}[0-9a-f]{2} [0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4}`)
const macOther = new RegExp(`(?<![a-z0-9:.-])(?=.{0,16}[a-f])${macForms}(?![a-z0-9:.-])`)
const uuid = /(?<![a-z0-9])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![a-z0-9])/
/** 25 characters in groups of five, as in software licence keys. */
const productKey = /(?<![a-z0-9-])(?=[a-z-]{0,28}\d)(?:[a-z0-9]{5}-){4}[a-z0-9]{5}(?![a-z0-9-])/
const parcel = /(?<![a-z0-9])1z ?[a-z0-9]{3} ?[a-z0-9]{3} ?\d\d ?\d{4} ?\d{4}(?!\d)/

/** A MAC address without separators. */
const hexTwelve = /(?<![a-z0-9-])(?=.{0,11}[a-f])[0-9a-f]{12}(?![a-z0-9-])/
const digitPairs = /(?<![a-z0-9-])(?:\d\d-){5}\d\d(?![a-z0-9-])/
/** Keys of services that start with a known prefix. */
const servicePrefix = /(?<![a-z0-9])(?:akia|asia|ghp_|gho_|sk_live_|pk_live_|xoxb-|xoxp-|aiza)[a-z0-9_-]{12,80}/

export function hasKey(text: string): boolean {
  if (servicePrefix.test(text) || digitPairs.test(text)) return true
  return uuid.test(text) || productKey.test(text) || parcel.test(text) || macOther.test(text) || hexTwelve.test(text)
}

/** A MAC address with colons. In other forms it counts as a key. */
export function hasMac(text: string): boolean {
  return mac.test(text) && !text.includes("ff:ff:ff:ff:ff:ff")
}

const longToken = /(?<![a-z0-9_-])[a-z0-9_-]{20,512}/g

/**
 * Keys, hashes, session ids: twenty characters or more, with letters and digits mixed as in no word or model number.
 */
export function hasLongToken(text: string): boolean {
  for (const [found] of text.matchAll(longToken)) {
    let letters = 0
    let digits = 0
    let turns = 0
    for (let i = 0, last = -1; i < found.length; i++) {
      const code = found.charCodeAt(i)
      if (code === 0x2d || code === 0x5f) continue
      const kind = isDigit(code) ? 1 : 0
      if (kind === 1) digits++
      else letters++
      if (last >= 0 && kind !== last) turns++
      last = kind
    }
    if (letters + digits >= 20 && letters >= 3 && digits >= 4 && turns >= 5) return true
  }
  return false
}

const longRun = /(?<![a-z0-9$€£]|\d[.,])[a-z]{0,3}(\d{9,64})[a-z]{0,2}(?![a-z0-9]|[.,]\d|[%*+=^/])/g
const grouped = /(?<![a-z0-9$€£.-])\d{4,6}(?:[ -]\d{4,6}){3,6}(?:[ -]\d{1,6})?(?![a-z0-9])/g

/**
 * Nine digits or more in one run, four groups of four digits or more, or a query of only seven or eight digits. Not an
 * ISBN, a date, a round number, a count or a sum.
 */
export function hasLongNumber(query: QueryText): boolean {
  const { text } = query
  if (hasWord(query, catalogueWords) || hasWord(query, mathWords)) return false
  if (/\d ?[+*=^×÷] ?\d/.test(text)) return false
  if (/^#?\d{7,8}$/.test(text)) return !isNobodysNumber(text) && !/^(?:19|20)\d{6}$|(?:19|20)\d\d$|0{4}$/.test(text)
  for (const [, run] of text.matchAll(longRun)) if (!isNobodysNumber(run)) return true
  for (const [found] of text.matchAll(grouped)) {
    const groups = found.split(/[ -]/)
    if (!groups.some(isYear) && !isNobodysNumber(groups.join(""))) return true
  }
  return false
}

/** Books, powers of ten, digits that count up or down, one repeated digit, binary numbers. */
function isNobodysNumber(run: string): boolean {
  if (/^97[89]\d{10}$/.test(run) && passesEan13(run)) return true
  if (/^\d{1,4}0{6,60}$/.test(run) || /^(\d)\1{6}/.test(run) || /^[01]{1,64}$/.test(run)) return true
  return "01234567890123456789".includes(run) || "98765432109876543210".includes(run)
}
