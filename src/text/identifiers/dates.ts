/** Dates as people write them in queries. */

const daysIn = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function isMonthDay(month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn[month - 1]
}

/** Month names in English, German, French, Spanish, Italian, Portuguese, Dutch and Swedish, and their abbreviations. */
const monthNames = [
  "january jan januar jänner janvier enero ene gennaio janeiro januari",
  "february feb februar février fevrier febrero febbraio fevereiro februari",
  "march mar märz maerz mars marzo março marco maart",
  "april apr avril abril abr aprile",
  "may mai mayo maggio maio mei maj",
  "june jun juni juin junio giugno junho",
  "july jul juli juillet julio luglio julho",
  "august aug août aout agosto augustus augusti",
  "september sept sep septembre septiembre settembre setembro",
  "october oct oktober okt octobre octubre ottobre outubro",
  "november nov novembre noviembre novembro",
  "december dec dezember dez décembre decembre diciembre dic dicembre dezembro",
]

const monthOf = new Map(monthNames.flatMap((names, i) => names.split(" ").map((name) => [name, i + 1] as const)))

/** A date with its year. Two-digit years mean 1930–2029. */
export interface WrittenDate {
  year: number
  month: number
  day: number
}

const numeric = /(?<![\w.,/-])(\d{1,2}) ?[./-] ?(\d{1,2}) ?[./-] ?(\d{4}|\d{2})(?![\w/-]|\.\d)/g
const yearFirst = /(?<![\w.,/-])(\d{4})[./-](\d{1,2})[./-](\d{1,2})(?![\w/-]|\.\d)/g
const spaced = /(?<![\w.,/-])(\d{1,2}) (\d{1,2}) (\d{4})(?![\w/-]|\.\d)/g
const dayFirst = new RegExp(
  String.raw`(?<![\w.,/-])(\d{1,2})(?:st|nd|rd|th|er|ª|\.)? ?(?:of |de |den )?([a-zà-ÿ]{3,10})\.?,? ?` +
    String.raw`(?:de |of )?'?(\d{4}|\d{2})(?![\w/-])`,
  "g",
)
const monthFirst = /(?<![a-zà-ÿ])([a-zà-ÿ]{3,10})\.? ?(\d{1,2})(?:st|nd|rd|th)?,? (?:of )?'?(\d{4}|\d{2})(?![\w/-])/g
const packed = /(?<![\w.,/-])(\d{8})(?![\w/-]|\.\d)/g

/**
 * Every date in a text, in no particular order. If day and month could be either way round, only one reading is
 * returned.
 */
export function findDates(text: string, options: { packed?: boolean } = {}): WrittenDate[] {
  const dates: WrittenDate[] = []
  const add = (year: string, month: number, day: number) => {
    if (!isMonthDay(month, day)) return false
    const short = Number(year)
    dates.push({ year: year.length === 4 ? short : short + (short < 30 ? 2000 : 1900), month, day })
    return true
  }
  const addEither = (year: string, a: string, b: string) => add(year, +a, +b) || add(year, +b, +a)
  for (const [, a, b, year] of text.matchAll(numeric)) addEither(year, a, b)
  for (const [, a, b, year] of text.matchAll(spaced)) addEither(year, a, b)
  for (const [, year, month, day] of text.matchAll(yearFirst)) addEither(year, month, day)
  for (const [, day, name, year] of text.matchAll(dayFirst)) add(year, monthOf.get(name) ?? 0, Number(day))
  for (const [, name, day, year] of text.matchAll(monthFirst)) add(year, monthOf.get(name) ?? 0, Number(day))
  if (options.packed === true) {
    for (const [, run] of text.matchAll(packed)) {
      const tail = run.slice(4)
      if (/^(?:19|20)/.test(tail)) addEither(tail, run.slice(0, 2), run.slice(2, 4))
      if (/^(?:19|20)/.test(run)) addEither(run.slice(0, 4), tail.slice(0, 2), tail.slice(2))
    }
  }
  return dates
}
