import { wordSet } from "./identifiers/query-text.ts"

/** Words that say what kind of thing a query contains and name nobody. No other word is ever shown. */
export const shownWords = wordSet(`
  a an and at by for from in my of on or the to with who is what where
  account address attorney bank birth birthday born box call card credit dob doctor driver email home iban id ip
  insurance lawyer license licence lookup mail mobile name number obituary office parcel passport pension phone policy
  routing search security social ssn tax telephone tracking visa vin zip
  apt avenue ave blvd boulevard court ct drive lane ln road rd route street st suite
  dr mr mrs ms prof com edu gov net org http https www
`)

const masked = "•••"
const pieces = /(\d+)|( +)|([@.,:/()+%-])|([^\d @.,:/()+%-]+)/g
const mostDigits = 19
const mostPieces = 15

/**
 * The shape of a normalised query, without its content. Words of `shownWords` and punctuation stay, every digit becomes
 * #, and any other run of characters becomes •••, whatever its length. Texts that differ only in such runs and in
 * digits have the same shape, so the text cannot be recovered from its shape.
 */
export function maskQuery(text: string): string {
  let shape = ""
  let count = 0
  for (const [, digits, spaces, sign, word] of text.matchAll(pieces)) {
    if (++count > mostPieces) return `${shape}…`
    if (digits !== undefined)
      shape += digits.length > mostDigits ? `${"#".repeat(mostDigits)}…` : "#".repeat(digits.length)
    else if (spaces !== undefined) shape += " "
    else if (sign !== undefined) shape += sign
    else shape += word !== undefined && shownWords.has(word) ? word : masked
  }
  return shape
}
