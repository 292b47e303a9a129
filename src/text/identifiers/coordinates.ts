import { defineDetector } from "./detector.ts"
import { countDigits, type QueryText } from "./query-text.ts"

const number = String.raw`[+-]?\d{1,3}\.\d{3,12}`
const between = String.raw` ?[°o]? ?([ns])?(?:,| |;|\/){0,2} ?(?:lon|long|lng|longitude)?[:=]? ?`

/** 40.7128, -74.0060 and 40.7128° n 74.0060° w: two decimal numbers, with their hemispheres if given. */
const decimal = new RegExp(String.raw`(?<![\w.$€£])(${number})${between}(${number}) ?[°o]? ?([ew])?(?![\d.])`, "g")
/** Examples: n 40.7128 w 74.0060 and n40 42.768 w74 00.360. */
const minutes = String.raw`[° ]{1,2}\d{1,2}(?:\.\d{1,6}|['′ ]{1,2}\d{1,2}(?:\.\d{1,4})?)`
const leading = new RegExp(
  String.raw`(?<![a-z0-9])[ns] ?(\d{1,2})(?:\.\d{3,12}|${minutes}).{0,3}[, ][ew] ?(\d{1,3})[. °]`,
  "g",
)
/** 40°26'46"n 79°58'56"w, with or without seconds, spaces or signs. */
const part = String.raw`(?: ?[°o*d] ?| )\d{1,2}(?:\.\d{1,6})? ?['′’m]{0,2} ?(?:\d{1,2}(?:\.\d{1,4})? ?["″”s′']{0,2})? ?`
const degrees = new RegExp(
  String.raw`(?<![\d.])(\d{1,2})${part}(?:n|s|north|south)[, ]{0,2}(\d{1,3})${part}(?:e|w|o|east|west)(?![a-z0-9])`,
  "g",
)
/** An open location code of full length: 8fvc9g8f+6w. */
const plusCode = /(?<![a-z0-9])[23456789cfghjmpqrvwx]{8}\+[23456789cfghjmpqrvwx]{2,3}(?![a-z0-9])/

const leastDigits = 4

function matches({ text }: QueryText): boolean {
  const digits = countDigits(text)
  if (digits < leastDigits) return false
  if (text.includes(".") && hasDecimal(text)) return true
  for (const pattern of [leading, degrees]) {
    if (digits < 6 || text.search(pattern) < 0) continue
    for (const [, first, second] of text.matchAll(pattern)) if (inRange(first, second)) return true
  }
  return text.includes("+") && plusCode.test(text)
}

function hasDecimal(text: string): boolean {
  if (text.search(decimal) < 0) return false
  const inContext = /(?:^|[^a-z])(?:lat|latitude|gps|coordinates)/.test(text)
  for (const [, first, north, second, east] of text.matchAll(decimal)) {
    const said = inContext || north !== undefined || east !== undefined
    if (inRange(first, second) && (said || (decimals(first) >= 4 && decimals(second) >= 4))) return true
  }
  return false
}

function inRange(latitude: string, longitude: string): boolean {
  return Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180
}

const decimals = (number: string) => number.length - number.indexOf(".") - 1

/**
 * A location within about a hundred metres: two decimal numbers in range with four decimals each (three next to
 * n/s/e/w, lat or gps), degrees with minutes, or a full plus code. Whole degrees describe a region and do not count.
 */
export const coordinates = defineDetector({
  kind: "coordinates",
  summary: "pairs of latitude and longitude, decimal or in degrees and minutes",
  clues: [{ digits: leastDigits }],
  matches,
})
