import { hasContextToken, hasHandle, hasProfilePage, numberContext, secretContext } from "./account-context.ts"
import { hasIban, hasKey, hasLongNumber, hasLongToken, hasMac, hasVin } from "./account-tokens.ts"
import { defineDetector } from "./detector.ts"
import { countDigits, type QueryText } from "./query-text.ts"

const leastDigits = 5

function matches(query: QueryText): boolean {
  const { text } = query
  if (countDigits(text) >= leastDigits) {
    if (hasIban(text) || hasVin(query) || hasLongToken(text) || hasKey(text) || hasLongNumber(query)) return true
  }
  if (hasContextToken(query) || (text.includes(":") && hasMac(text))) return true
  return (text.includes("@") && hasHandle(text)) || (text.includes("/") && hasProfilePage(text))
}

/**
 * A token that represents one account, device, shipment or secret.
 *
 * - By form: IBAN, vehicle identification number, MAC address, UUID, product key, parcel number, long mixed tokens,
 *   nine digits or more.
 * - By the words before it: account, passport, order and the like with five or six digits; a password, PIN or user
 *   name.
 * - Social profile pages and @names.
 *
 * Not ISBNs, round numbers, arithmetic, or numbers next to words of a catalogue (part, model, upc, isbn, item).
 */
export const account = defineDetector({
  kind: "account",
  summary: "account, device, shipment and user names, keys, passwords in context, long numbers",
  clues: [
    { digits: leastDigits },
    { signs: ["at", "slash", "colons"] },
    { words: secretContext },
    { digits: 2, words: numberContext },
  ],
  matches,
})
