/**
 * Check-digit algorithms on strings of ASCII digits, and of letters where stated. Callers check length and characters.
 */

const digitAt = (text: string, i: number) => text.charCodeAt(i) - 48

/** Luhn, ISO/IEC 7812-1 annex B: every second digit from the right doubled, digits summed, ≡ 0 mod 10. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let i = digits.length - 1, double = false; i >= 0; i--, double = !double) {
    const digit = digitAt(digits, i) * (double ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

/** Σ digit·weight over the digits that have a weight. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0
  for (let i = 0; i < weights.length; i++) sum += digitAt(digits, i) * weights[i]
  return sum
}

/** The remainder of a long number, given in decimal digits. */
export function remainder(digits: string, modulus: number): number {
  let rest = 0
  for (let i = 0; i < digits.length; i++) rest = (rest * 10 + digitAt(digits, i)) % modulus
  return rest
}

/**
 * ISO 7064 MOD 97-10 over letters and digits, a = 10 … z = 35. For an IBAN, its first four characters are moved to the
 * end.
 */
export function passesMod97(text: string): boolean {
  let rest = 0
  for (let i = 0; i < text.length; i++) {
    const value = Number.parseInt(text[i], 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/** ISO 7064 MOD 11,10, the check of the German tax number. */
export function passesMod11And10(digits: string): boolean {
  let product = 10
  for (let i = 0; i < digits.length - 1; i++) {
    const sum = (digitAt(digits, i) + product) % 10
    product = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (11 - product) % 10 === digitAt(digits, digits.length - 1)
}

/** ISO 7064 MOD 11-2, the check of the Chinese resident number. The last character may be x for ten. */
export function passesMod11And2(text: string): boolean {
  let rest = 0
  for (let i = 0; i < text.length - 1; i++) rest = ((rest + digitAt(text, i)) * 2) % 11
  const last = text[text.length - 1] === "x" ? 10 : digitAt(text, text.length - 1)
  return (rest + last) % 11 === 1
}

/** The multiplication table of the dihedral group D5, and Verhoeff's permutations (1969). */
const dihedral = [
  "0123456789",
  "1234067895",
  "2340178956",
  "3401289567",
  "4012395678",
  "5987604321",
  "6598710432",
  "7659821043",
  "8765932104",
  "9876543210",
]
const permutations = [
  "0123456789",
  "1576283094",
  "5803796142",
  "8916043527",
  "9453126870",
  "4286573901",
  "2793806415",
  "7046913258",
]

export function passesVerhoeff(digits: string): boolean {
  let state = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = digitAt(digits, digits.length - 1 - i)
    state = digitAt(dihedral[state], digitAt(permutations[i % 8], digit))
  }
  return state === 0
}

/** EAN-13, and UPC-A with a leading zero: weights 1 and 3 alternate, ≡ 0 mod 10. */
export function passesEan13(digits: string): boolean {
  return weightedSum(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0
}

/** The check digit of a vehicle identification number, its ninth character: 49 CFR 565.15(c). */
export function passesVin(vin: string): boolean {
  const values = "0123456789.abcdefgh..jklmn.p.r..stuvwxyz"
  const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
  let sum = 0
  for (let i = 0; i < 17; i++) sum += (values.indexOf(vin[i]) % 10) * weights[i]
  return "0123456789x"[sum % 11] === vin[8]
}
