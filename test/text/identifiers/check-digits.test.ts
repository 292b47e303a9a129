import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isCardNumber } from "#dist/text/identifiers/card.js"
import {
  passesEan13,
  passesLuhn,
  passesMod11And2,
  passesMod11And10,
  passesMod97,
  passesVerhoeff,
  passesVin,
} from "#dist/text/identifiers/check-digits.js"
import { nationalIdSchemes } from "#dist/text/identifiers/national-id-schemes.js"

/** An IBAN is checked with its first four characters moved to the end. */
const passesIban = (iban: string) => passesMod97(iban.slice(4) + iban.slice(0, 4))

const golden: [string, (text: string) => boolean, string[]][] = [
  ["Luhn", passesLuhn, ["79927398713", "4111111111111111", "378282246310005", "046454286"]],
  ["IBAN", passesIban, ["gb82west12345698765432", "de89370400440532013000", "fr1420041010050500013m02606"]],
  ["MOD 11,10", passesMod11And10, ["86095742719", "65929970489", "57549285017"]],
  ["MOD 11-2", passesMod11And2, ["11010519491231002x", "440524188001010014"]],
  ["Verhoeff", passesVerhoeff, ["2363", "999999990019", "123451"]],
  ["EAN-13", passesEan13, ["9780306406157", "4006381333931", "7569217076985"]],
  ["VIN", passesVin, ["1m8gdm9axkp042788", "11111111111111111", "1hgcm82633a004352"]],
]

/** The same text with the digit at a position raised by one to nine. */
function corrupt(text: string, place: number, by: number): string {
  const places = [...text].flatMap((character, i) => (/\d/.test(character) ? [i] : []))
  const at = places[place % places.length]
  return `${text.slice(0, at)}${(Number(text[at]) + by) % 10}${text.slice(at + 1)}`
}

/** Every way to get one digit of a text wrong. */
function corruptions(text: string): string[] {
  const digits = text.replace(/\D/g, "").length
  return Array.from({ length: digits * 9 }, (_, i) => corrupt(text, Math.floor(i / 9), (i % 9) + 1))
}

describe.each(golden)("the %s check", (_name, passes, valid) => {
  test.each(valid)("accepts %s, a published example, and refuses it with any one digit changed", (text) => {
    expect(passes(text)).toBe(true)
    expect(corruptions(text).filter(passes)).toEqual([])
  })
})

describe.each([
  ["Luhn", passesLuhn, { min: 1, max: 18 }, "0123456789"],
  ["MOD 11,10", passesMod11And10, { min: 1, max: 14 }, "0123456789"],
  ["MOD 11-2", passesMod11And2, { min: 1, max: 17 }, "0123456789x"],
  ["Verhoeff", passesVerhoeff, { min: 1, max: 16 }, "0123456789"],
  ["EAN-13", passesEan13, { min: 12, max: 12 }, "0123456789"],
] as const)("any digits", (name, passes, length, checks) => {
  const body = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: length.min, maxLength: length.max })

  test(`have exactly one ${name} check character`, () => {
    fc.assert(
      fc.property(body, (digits) => {
        expect([...checks].filter((check) => passes(digits + check))).toHaveLength(1)
      }),
    )
  })

  test(`with their ${name} check character are refused with any one digit wrong`, () => {
    fc.assert(
      fc.property(body, fc.nat(20), fc.integer({ min: 1, max: 9 }), (digits, place, by) => {
        const check = [...checks].find((candidate) => passes(digits + candidate))
        expect(passes(corrupt(`${digits}${check}`, place, by))).toBe(false)
      }),
    )
  })
})

describe("a card number", () => {
  test("has a network's prefix and length and the Luhn check", () => {
    for (const number of ["4111111111111111", "5555555555554444", "378282246310005", "6011111111111117"]) {
      expect(isCardNumber(number)).toBe(true)
    }
    for (const number of ["4111111111111112", "1111111111111117", "41111111111111111", "0000000000000000"]) {
      expect(isCardNumber(number)).toBe(false)
    }
  })

  test("with one wrong digit is refused", () => {
    expect(corruptions("4012888888881881").filter(isCardNumber)).toEqual([])
  })
})

/** Published examples and invalid numbers. None belongs to a person. */
const examples: Record<string, string[]> = {
  "DE Steuer-Identifikationsnummer": ["86095742719", "65929970489"],
  "FR NIR": ["255081416802538", "184127645108946"],
  "ES DNI and NIE": ["12345678z", "x1234567l"],
  "IT codice fiscale": ["rssmra85t10a562s", "mrtmtt91d08f205j"],
  "NL BSN": ["111222333", "123456782"],
  "BR CPF": ["52998224725", "11144477735"],
  "IN Aadhaar": ["999999990019"],
  "CN resident number": ["11010519491231002x"],
  "PL PESEL": ["44051401359", "02070803628"],
  "SE personnummer": ["8112289874", "6709199530"],
  "FI henkilötunnus": ["131052308t", "010594y9032"],
  "CA Social Insurance Number": ["046454286"],
  "BE national number": ["85073003328"],
  "CH AHV number": ["7569217076985"],
  "CL RUT": ["123456785"],
}

describe.each(Object.entries(examples))("the check of %s", (name, ids) => {
  const scheme = nationalIdSchemes.find(({ country, name: of }) => `${country} ${of}` === name)
  const valid = (id: string) => scheme?.valid(id) === true

  test("accepts published examples", () => {
    expect(ids.filter((id) => !valid(id))).toEqual([])
  })

  test("refuses them with any one digit changed", () => {
    expect(ids.flatMap(corruptions).filter(valid)).toEqual([])
  })
})

test("the check of a CURP (mod 10, even weights) accepts its example and refuses other check digits", () => {
  const curp = nationalIdSchemes.find(({ name }) => name === "CURP")
  const body = "hegg560427mvzrrl0"
  expect([..."0123456789"].filter((check) => curp?.valid(body + check) === true)).toEqual(["4"])
})
