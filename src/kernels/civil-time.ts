/** Civil UTC time on bytes and integers: no Date object per row. Algorithms after Howard Hinnant's "chrono" note. */

/** Days from 1970-01-01 to a day of the proleptic Gregorian calendar. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146097 + dayOfEra - 719468
}

/** [year, month, day] of a number of days from 1970-01-01. */
export function civilFromDays(days: number): [number, number, number] {
  const z = days + 719468
  const era = Math.floor(z / 146097)
  const dayOfEra = z - era * 146097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shifted = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1
  const month = shifted < 10 ? shifted + 3 : shifted - 9
  return [yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day]
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function isCivilDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (month === 2 && leap ? 29 : monthLengths[month - 1])
}

/** The value of `count` ASCII digits at `at`, or -1 if one is not a digit. */
function readDigits(bytes: Uint8Array, at: number, count: number): number {
  let value = 0
  for (let i = at; i < at + count; i++) {
    const digit = bytes[i] - 48
    if (!(digit >= 0 && digit <= 9)) return -1
    value = value * 10 + digit
  }
  return value
}

/** Returned for anything that is not a time. It is outside the range of an Int32. */
export const noTime = 0x8000_0000

/**
 * Makes a reader of `YYYY-MM-DD hh:mm:ss` as UTC seconds. It returns `noTime` if the bytes in [start, end) are anything
 * else, or if the time does not fit 32 bits (1901 to 2038). It remembers the last day, because neighbouring rows mostly
 * share it.
 */
export function civilTimeReader(): (bytes: Uint8Array, start: number, end: number) => number {
  let lastDay = -1
  let lastSeconds = 0
  return (bytes, start, end) => {
    if (end - start !== 19) return noTime
    if (bytes[start + 4] !== 45 || bytes[start + 7] !== 45 || bytes[start + 10] !== 32) return noTime
    if (bytes[start + 13] !== 58 || bytes[start + 16] !== 58) return noTime
    const year = readDigits(bytes, start, 4)
    const month = readDigits(bytes, start + 5, 2)
    const day = readDigits(bytes, start + 8, 2)
    const hour = readDigits(bytes, start + 11, 2)
    const minute = readDigits(bytes, start + 14, 2)
    const second = readDigits(bytes, start + 17, 2)
    if (year < 0 || month < 0 || day < 0) return noTime
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return noTime
    const key = year * 10000 + month * 100 + day
    if (key !== lastDay) {
      if (!isCivilDay(year, month, day)) return noTime
      lastDay = key
      lastSeconds = daysFromCivil(year, month, day) * 86400
    }
    const seconds = lastSeconds + hour * 3600 + minute * 60 + second
    return seconds === (seconds | 0) ? seconds : noTime
  }
}

/** Makes a writer of UTC seconds as `YYYY-MM-DD hh:mm:ss` (19 bytes) at `at`. */
export function civilTimeWriter(): (out: Uint8Array, at: number, seconds: number) => void {
  let lastDays = Number.NaN
  const day = new Uint8Array(11)
  const two = (out: Uint8Array, at: number, value: number) => {
    const tens = (value * 6554) >>> 16 // value / 10, for values under 100
    out[at] = 48 + tens
    out[at + 1] = 48 + value - tens * 10
  }
  return (out, at, seconds) => {
    const days = Math.floor(seconds / 86400)
    if (days !== lastDays) {
      const [y, m, d] = civilFromDays(days)
      two(day, 0, Math.floor(y / 100))
      two(day, 2, y % 100)
      day[4] = day[7] = 45
      two(day, 5, m)
      two(day, 8, d)
      day[10] = 32
      lastDays = days
    }
    for (let i = 0; i < 11; i++) out[at + i] = day[i]
    const rest = seconds - days * 86400
    const hour = (rest / 3600) | 0
    const minute = ((rest - hour * 3600) / 60) | 0
    two(out, at + 11, hour)
    out[at + 13] = 58
    two(out, at + 14, minute)
    out[at + 16] = 58
    two(out, at + 17, rest - hour * 3600 - minute * 60)
  }
}

const isoTime =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?: ?(Z|UTC|[+-]\d\d:?\d\d))?)?$/i

/**
 * Reads any time format that logs use, as UTC seconds, or returns `noTime`. Formats: ISO 8601 with or without a zone
 * (none means UTC) and with or without a time of day; `YYMMDDhhmmss` (years 70 to 99 are in the last century);
 * `YYYYMMDDhhmmss`; and the time since 1970 in seconds (9 or 10 digits, with or without a fraction), milliseconds (13)
 * or microseconds (16).
 */
export function readTimeText(text: string): number {
  if (/^\d+$/.test(text)) return readDigitTime(text)
  if (/^\d{9,10}\.\d{1,9}$/.test(text)) return asInt32(Math.floor(Number(text)))
  const parts = isoTime.exec(text)
  if (parts === null) return noTime
  const [, year, month, day, hour = 0, minute = 0, second = 0, zone] = parts
  return secondsOf([year, month, day, hour, minute, second].map(Number), zoneSeconds(zone))
}

export const isTimeText = (text: string) => readTimeText(text) !== noTime

function readDigitTime(text: string): number {
  const value = Number(text)
  if (text.length === 9 || text.length === 10) return asInt32(value)
  if (text.length === 13) return asInt32(Math.floor(value / 1e3))
  if (text.length === 16) return asInt32(Math.floor(value / 1e6))
  if (text.length !== 12 && text.length !== 14) return noTime
  const short = text.length === 12
  const year = short
    ? Number(text.slice(0, 2)) + (Number(text.slice(0, 2)) >= 70 ? 1900 : 2000)
    : Number(text.slice(0, 4))
  const rest = text.slice(short ? 2 : 4).match(/\d\d/g) ?? []
  return secondsOf([year, ...rest.map(Number)], 0)
}

function secondsOf([year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0]: number[], zone: number): number {
  if (!isCivilDay(year, month, day) || hour > 23 || minute > 59 || second > 59) return noTime
  return asInt32(daysFromCivil(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - zone)
}

function zoneSeconds(zone: string | undefined): number {
  if (zone === undefined || /^(z|utc)$/i.test(zone)) return 0
  const [hours = 0, minutes = 0] = (zone.slice(1).match(/\d\d/g) ?? []).map(Number)
  return (zone.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60)
}

/** Times must fit an Int32; anything else is `noTime`. */
const asInt32 = (seconds: number) => (seconds === (seconds | 0) ? seconds : noTime)

/** `readTimeText` on bytes. The common format of 19 bytes never becomes a string. */
export function anyTimeReader(): (bytes: Uint8Array, start: number, end: number) => number {
  const readCivil = civilTimeReader()
  return (bytes, start, end) => {
    const seconds = readCivil(bytes, start, end)
    if (seconds !== noTime || end - start > 40) return seconds
    return readTimeText(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1"))
  }
}
