import { defineDetector } from "./detector.ts"
import { type QueryText, wordSet } from "./query-text.ts"

/** Mail providers: enough to recognise an address whose ending was left out. */
export const mailProviders = wordSet(`
  aol hotmail yahoo gmail googlemail msn live outlook comcast verizon sbcglobal bellsouth att cox charter earthlink
  juno netzero icloud me mac protonmail gmx web t-online freenet wanadoo orange free laposte libero virgilio mail
  yandex rambler rediffmail btinternet ntlworld sympatico rogers shaw optonline adelphia prodigy excite lycos ymail
  aim qq naver
`)

/** Endings after an @ in the name of an image or other file: `icon@2x.png`. */
const fileEndings = wordSet("png jpg jpeg gif svg webp pdf exe dll zip mp3 css js html htm")

const local = String.raw`[a-z0-9!#$%&'*+/=?^_{|}~.\u00c0-\u1fff-]`
const label = String.raw`[a-z0-9\u00c0-\u1fff_-]{1,63}`

/** `x@host.tld`, also with a space on either side of the @ or instead of the last dot. */
const written = new RegExp(
  `${local} ?@ ?((?:${label}\\.){1,8})([a-z\\u00c0-\\u1fff]{2,24}|xn--[a-z0-9-]{1,59})(?![a-z0-9_@])`,
  "g",
)
const spacedEnding = new RegExp(`${local}@(${label}) (?:com|net|org|edu|de|fr|it|es|co|uk|ca)(?![a-z0-9])`)
const bare = new RegExp(`${local}@ ?([a-z-]{2,20})(?![a-z0-9.@-])`)
/** `tom@example`: anything joined by an @, except project names such as seti@home. */
const joined = /[a-z0-9_]{2}@([a-z][a-z0-9-]{3,30})(?![a-z0-9.@-])/
const notHosts = wordSet("home work school noon night midnight large risk least last once")
const escaped = new RegExp(`[a-z0-9._-]%40(?:${label}\\.){1,8}[a-z]{2,24}`)

/** `john (at) host dot tld`: both signs spelled out, or the first in brackets. */
const spelled =
  /[a-z0-9_.-] ?(?: at |[([{<] ?at ?[)\]}>]) ?[a-z0-9-]{2,63}(?: dot | ?[([{<] ?dot ?[)\]}>] ?)[a-z]{2,24}(?![a-z0-9])/
const bracketed = /[a-z0-9_.-] ?[([{<] ?at ?[)\]}>] ?[a-z0-9-]{2,63}\.[a-z]{2,24}(?![a-z0-9])/

/**
 * `john.doe84 at yahoo.com`: a plain " at " counts only after what looks like a mailbox, because people shop at
 * amazon.com.
 */
const plainAt = new RegExp(
  String.raw`(?<![^ ])[a-z.-]{1,64}[0-9_.][a-z0-9_.-]{1,64} at ([a-z-]{2,20})(?:\.| dot | )` +
    "(?:com|net|org|edu|de|fr|it|es|co)(?![a-z0-9])",
)

function matches({ text, words }: QueryText): boolean {
  if (text.includes("@")) {
    for (const [, , ending] of text.matchAll(written)) if (!fileEndings.has(ending)) return true
    if (spacedEnding.test(text)) return true
    const host = bare.exec(text)
    if (host !== null && mailProviders.has(host[1])) return true
    const other = joined.exec(text)
    if (other !== null && !notHosts.has(other[1])) return true
  }
  if (text.includes("%40") && escaped.test(text)) return true
  if (!words.includes("at")) return false
  if (spelled.test(text) || bracketed.test(text)) return true
  const host = plainAt.exec(text)
  return host !== null && mailProviders.has(host[1])
}

/**
 * An e-mail address, also with its signs spelled out, percent-encoded, spaced, or without the ending of a known
 * provider. Addresses of roles (`info@…`) count, because the text does not say who reads them. `@yahoo.com` alone does
 * not count.
 */
export const email = defineDetector({
  kind: "email",
  summary: "e-mail addresses, also spelled out (john at example dot com)",
  clues: [{ signs: ["at", "percent"] }, { words: ["at"] }],
  matches,
})
