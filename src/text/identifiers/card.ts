import { passesLuhn } from "./check-digits.ts"
import { defineDetector } from "./detector.ts"
import type { QueryText } from "./query-text.ts"

/**
 * Prefixes and lengths of the networks: Visa, Mastercard, American Express, Diners, Discover, JCB, UnionPay, Maestro.
 */
const networks = [
  /^4(?:\d{12}|\d{15}|\d{18})$/,
  /^(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/,
  /^3[47]\d{13}$/,
  /^3(?:0[0-5]|[68]\d)\d{11}$/,
  /^6(?:011|4[4-9]\d|5\d\d)\d{12}(?:\d{3})?$/,
  /^35(?:2[89]|[3-8]\d)\d{12}$/,
  /^62\d{14,17}$/,
  /^(?:50|5[6-8]|6[37])\d{10,17}$/,
]

/** One run of 13 to 19 digits, or groups as they are printed: 4-4-4-4(-3), 4-6-5, 4-6-4. */
const written = /(?<![\d.])(?=(\d{13,19}|\d{4}([ .-])(?:\d{4}\2\d{4}\2\d{4}(?:\2\d{3}(?!\d))?|\d{6}\2\d{4,5}))(?!\d))/g

function matches({ text }: QueryText): boolean {
  for (const [, number] of text.matchAll(written)) if (isCardNumber(number.replace(/[^0-9]/g, ""))) return true
  return false
}

/**
 * True for a number with the prefix and length of a network, and a valid check digit. A repeated digit (4444 4444 …) is
 * not a card.
 */
export function isCardNumber(digits: string): boolean {
  return networks.some((network) => network.test(digits)) && passesLuhn(digits) && !/^(\d)\1{12}/.test(digits)
}

/** A payment card number: a known network's prefix and length, and the Luhn check. */
export const card = defineDetector({
  kind: "card",
  summary: "payment card numbers (network prefix and Luhn check)",
  clues: [{ digits: 13 }],
  matches,
})
