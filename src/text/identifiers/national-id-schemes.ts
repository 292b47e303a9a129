import {
  passesEan13,
  passesLuhn,
  passesMod11And2,
  passesMod11And10,
  passesVerhoeff,
  remainder,
  weightedSum,
} from "./check-digits.ts"
import { isMonthDay } from "./dates.ts"
import { isYear, wordList } from "./query-text.ts"

/**
 * How one country writes the numbers of its people. `written` is the form that is an identifier by itself. `bare` is a
 * form that proves too little and counts only next to one of the `words`. `valid` gets only the letters and digits, and
 * is not called for a text with fewer than `digits` digits.
 */
export interface NationalIdScheme {
  country: string
  name: string
  digits: number
  written?: RegExp
  bare?: RegExp
  words?: readonly string[]
  valid(id: string): boolean
}

/**
 * The pattern with the number as its first group. It is tried at every position, because a number may begin within an
 * earlier attempt.
 */
const form = (body: string) => new RegExp(String.raw`(?<![a-z0-9$€£]|\d[.,-])(?=(${body})(?![a-z0-9]|[.,-]\d))`, "g")

const int = (text: string, from: number, to: number) => Number(text.slice(from, to))
const bareNine = form(String.raw`\d{9}`)
const bareEleven = form(String.raw`\d{11}`)

export const nationalIdSchemes: readonly NationalIdScheme[] = [
  {
    country: "US",
    name: "SSN and ITIN",
    digits: 9,
    written: form(String.raw`\d{3}([ .-])\d{2}\2\d{4}`),
    bare: bareNine,
    words: wordList("ssn ssns ssa social itin socialsecurity"),
    valid: (id) => (id[0] === "9" ? isItin(id) : !/^(?:000|666|...00|.....0000)/.test(id)),
  },
  {
    country: "GB",
    name: "National Insurance number",
    digits: 6,
    written: form(String.raw`(?!bg|gb|kn|nk|nt|tn|zz)[a-ceghj-prtw-z][a-ceghj-nprtw-z] ?\d\d[ -]?\d\d[ -]?\d\d ?[a-d]`),
    bare: form(String.raw`(?!bg|gb|kn|nk|nt|tn|zz)[a-ceghj-prtw-z][a-ceghj-nprtw-z] ?\d\d ?\d\d ?\d\d`),
    words: wordList("nino insurance ni"),
    valid: () => true,
  },
  {
    country: "CA",
    name: "Social Insurance Number",
    digits: 9,
    written: form(String.raw`\d{3}([ -])\d{3}\2\d{3}`),
    bare: bareNine,
    words: wordList("sin insurance nas"),
    valid: (id) => passesLuhn(id) && !/^(\d{3})\1\1$|00.00.00$/.test(id),
  },
  {
    country: "DE",
    name: "Steuer-Identifikationsnummer",
    digits: 11,
    written: form(String.raw`[1-9]\d{10}|[1-9]\d \d{3} \d{3} \d{3}`),
    valid: (id) => hasTaxDigits(id) && passesMod11And10(id),
  },
  {
    country: "FR",
    name: "NIR",
    digits: 14,
    written: form(String.raw`[1-478] ?\d\d ?\d\d ?(?:\d\d|2[ab]) ?\d{3} ?\d{3} ?\d\d`),
    valid: (id) => isFrench(id),
  },
  {
    country: "ES",
    name: "DNI and NIE",
    digits: 7,
    written: form(String.raw`(?:\d{8}|\d{2}\.\d{3}\.\d{3}|[xyz][ -]?\d{7})[ -]?[a-hj-np-tv-z]`),
    valid: (id) => {
      const digits = id.slice(0, -1).replace(/[xyz]/, (letter) => String("xyz".indexOf(letter)))
      return "trwagmyfpdxbnjzsqvhlcke"[Number(digits) % 23] === id[id.length - 1]
    },
  },
  {
    country: "IT",
    name: "codice fiscale",
    digits: 4,
    written: form(String.raw`[a-z]{6} ?[\dl-np-v]{2}[a-ehlmprst][\dl-np-v]{2} ?[a-z][\dl-np-v]{3}[a-z]`),
    valid: (id) => fiscalCheck(id) === id[15],
  },
  {
    country: "NL",
    name: "BSN",
    digits: 9,
    written: form(String.raw`\d{4}\.\d{2}\.\d{3}`),
    bare: form(String.raw`\d{9}|\d{3} \d{3} \d{3}`),
    words: wordList("bsn burgerservicenummer sofinummer sofi"),
    valid: (id) => weightedSum(id, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 && !/^0{3}/.test(id),
  },
  {
    country: "BR",
    name: "CPF",
    digits: 11,
    written: form(String.raw`\d{3}\.?\d{3}\.?\d{3}-\d{2}|\d{11}`),
    valid: (id) => {
      const check = (weights: number[]) => ((weightedSum(id, weights) * 10) % 11) % 10
      const first = check([10, 9, 8, 7, 6, 5, 4, 3, 2])
      const second = check([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
      return id.endsWith(`${first}${second}`) && !/^(\d)\1{10}$/.test(id)
    },
  },
  {
    country: "IN",
    name: "Aadhaar",
    digits: 12,
    written: form(String.raw`[2-9]\d{3}([ -])\d{4}\2\d{4}`),
    bare: form(String.raw`[2-9]\d{11}`),
    words: wordList("aadhaar aadhar adhar uidai uid"),
    valid: (id) => passesVerhoeff(id) && ![id.slice(0, 4), id.slice(4, 8), id.slice(8)].every(isYear),
  },
  {
    country: "IN",
    name: "PAN",
    digits: 4,
    bare: form(String.raw`[a-z]{3}[abcfghljpt][a-z]\d{4}[a-z]`),
    words: wordList("pan tax income"),
    valid: () => true,
  },
  {
    country: "CN",
    name: "resident number",
    digits: 17,
    written: form(String.raw`[1-8]\d{16}[\dx]|[1-8]\d{5} (?:19|20)\d{6} \d{3}[\dx]`),
    valid: (id) =>
      isMonthDay(int(id, 10, 12), int(id, 12, 14)) && /^(?:18|19|20)/.test(id.slice(6)) && passesMod11And2(id),
  },
  {
    country: "PL",
    name: "PESEL",
    digits: 11,
    written: bareEleven,
    valid: (id) =>
      isMonthDay(int(id, 2, 4) % 20, int(id, 4, 6)) && weightedSum(id, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0,
  },
  {
    country: "SE",
    name: "personnummer",
    digits: 10,
    written: form(String.raw`(?:(?:19|20)\d{6}-?|\d{6}[+-])\d{4}`),
    bare: form(String.raw`\d{10}`),
    words: wordList("personnummer personnr samordningsnummer"),
    valid: (id) => {
      const ten = id.slice(-10)
      const day = int(ten, 4, 6)
      return isMonthDay(int(ten, 2, 4), day > 60 ? day - 60 : day) && passesLuhn(ten)
    },
  },
  {
    country: "FI",
    name: "henkilötunnus",
    digits: 9,
    written: form(String.raw`\d{6}[+a-fu-y-]\d{3}[0-9a-fhj-npr-y]`),
    valid: (id) => {
      const digits = id.slice(0, 6) + id.slice(-4, -1)
      const check = "0123456789abcdefhjklmnprstuvwxy"[Number(digits) % 31]
      return isMonthDay(int(id, 2, 4), int(id, 0, 2)) && check === id[id.length - 1]
    },
  },
  {
    country: "NO",
    name: "fødselsnummer",
    digits: 11,
    written: form(String.raw`\d{6} ?\d{5}`),
    valid: (id) =>
      isMonthDay(int(id, 2, 4), int(id, 0, 2)) &&
      weightedSum(id, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
      weightedSum(id, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  },
  {
    country: "BE",
    name: "national number",
    digits: 11,
    written: form(String.raw`\d\d\.\d\d\.\d\d-\d{3}[.-]\d\d`),
    bare: bareEleven,
    words: wordList("rijksregisternummer rijksregister niss insz"),
    valid: (id) => {
      const key = int(id, 9, 11)
      return 97 - remainder(id.slice(0, 9), 97) === key || 97 - remainder(`2${id.slice(0, 9)}`, 97) === key
    },
  },
  {
    country: "CH",
    name: "AHV number",
    digits: 13,
    written: form(String.raw`756\.?\d{4}\.?\d{4}\.?\d\d`),
    valid: passesEan13,
  },
  {
    country: "CL",
    name: "RUT",
    digits: 7,
    written: form(String.raw`\d{1,2}\.\d{3}\.\d{3}-[\dk]`),
    bare: form(String.raw`\d{7,8}-[\dk]`),
    words: wordList("rut run"),
    valid: (id) => {
      const body = id.slice(0, -1).padStart(8, "0")
      const check = (11 - (weightedSum(body, [3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11
      return "0123456789k"[check] === id[id.length - 1]
    },
  },
  {
    country: "KR",
    name: "resident registration number",
    digits: 13,
    written: form(String.raw`\d{6}-[1-8]\d{6}`),
    valid: (id) =>
      isMonthDay(int(id, 2, 4), int(id, 4, 6)) &&
      (11 - (weightedSum(id, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10 === int(id, 12, 13),
  },
  {
    country: "MX",
    name: "CURP",
    digits: 7,
    written: form(String.raw`[a-z]{4}\d{6}[hm][a-z]{5}[0-9a-z]\d`),
    valid: (id) => {
      const alphabet = "0123456789abcdefghijklmnñopqrstuvwxyz"
      let sum = 0
      for (let i = 0; i < 17; i++) sum += alphabet.indexOf(id[i]) * (18 - i)
      return isMonthDay(int(id, 6, 8), int(id, 8, 10)) && (10 - (sum % 10)) % 10 === int(id, 17, 18)
    },
  },
]

/** Numbers of taxpayers without a social security number: 9xx with groups 50–65, 70–88, 90–92, 94–99. */
function isItin(id: string): boolean {
  const group = int(id, 3, 5)
  return (group >= 50 && group <= 65) || (group >= 70 && group <= 88) || (group >= 90 && group !== 93)
}

/**
 * Among the first ten digits of a German tax number, one digit occurs two or three times and every other at most once.
 */
function hasTaxDigits(id: string): boolean {
  const counts = new Uint8Array(10)
  for (let i = 0; i < 10; i++) counts[id.charCodeAt(i) - 48]++
  const repeated = counts.filter((count) => count > 1)
  return repeated.length === 1 && repeated[0] <= 3
}

/** Sex, year, month (20 and above: unknown), département (2A and 2B in Corsica), and the key 97 − n mod 97. */
function isFrench(id: string): boolean {
  const month = int(id, 3, 5)
  if (month < 1 || (month > 12 && month < 20)) return false
  const digits = id.replace("2a", "19").replace("2b", "18")
  return 97 - remainder(digits.slice(0, 13), 97) === int(id, 13, 15)
}

const fiscalOdd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

/** The last letter of a codice fiscale: positions 1, 3, … by table, positions 2, 4, … by value, mod 26. */
function fiscalCheck(id: string): string {
  let sum = 0
  for (let i = 0; i < 15; i++) {
    const digit = Number.parseInt(id[i], 36)
    const value = digit > 9 ? digit - 10 : digit
    sum += i % 2 === 0 ? fiscalOdd[value] : value
  }
  return String.fromCharCode(97 + (sum % 26))
}
