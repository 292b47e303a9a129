import { mixWords } from "../kernels/random.ts"
import { coinName, coinTown, coinWord } from "./coin-word.ts"
import type { Vocabulary } from "./vocabulary.ts"

/**
 * A word of a query as one number that determines its text: kind · 2⁴⁴ + id. So a query is a few numbers, and memory
 * does not grow with the words in use.
 */
export type WordCode = number

const span = 2 ** 44

export const kinds = {
  dictionary: 0,
  coined: 1,
  site: 2,
  siteCom: 3,
  siteWww: 4,
  number: 5,
  misspelt: 6,
  town: 7,
  own: 8,
  page: 9,
} as const
export type WordKind = (typeof kinds)[keyof typeof kinds]

export const wordCode = (kind: WordKind, id: number): WordCode => kind * span + id

/** The kind and the id of a code. */
export function codeParts(code: WordCode): { kind: WordKind; id: number } {
  const kind = Math.floor(code / span) as WordKind
  return { kind, id: code - kind * span }
}

/** Upper bound of the ranks of one topic's sites, exclusive. */
const siteSpan = 2 ** 30
export const siteId = (topic: number, rank: number) => topic * siteSpan + rank
export const siteParts = (id: number) => ({ topic: Math.floor(id / siteSpan), rank: id % siteSpan })

/** Sites below this rank have names without hyphens. */
const plainSites = 8
/** Sites from this rank on belong to one user each. */
const ownSites = 2 ** 29
export const ownSiteId = (topic: number, bits: number) => siteId(topic, ownSites + (bits >>> 3))

/** Pages of the first sites of a topic: topic · 2³² + rank · 2²⁰ + page. */
const pageSpan = 2 ** 20
export const sitesWithPages = 2 ** 12
export const pageId = (site: number, page: number) => {
  const { topic, rank } = siteParts(site)
  return (topic * sitesWithPages + rank) * pageSpan + page
}
/** The site that a page is on. */
export function siteOfPage(id: number): number {
  const site = Math.floor(id / pageSpan)
  return siteId(Math.floor(site / sitesWithPages), site % sitesWithPages)
}

/** The id of the site that a word names, or -1. */
export function siteOf(code: WordCode): number {
  if (code >= kinds.page * span) return siteOfPage(code - kinds.page * span)
  return code >= kinds.site * span && code < (kinds.siteWww + 1) * span ? code % span : -1
}

const misspellings = 64
export const misspeltId = (word: number, variant: number) => word * misspellings + (variant % misspellings)
/** The intended word. */
export const misspeltWord = (id: number) => Math.floor(id / misspellings)

const ascii = (text: string) => Buffer.from(text, "latin1")
const endings = [".com", ".com", ".com", ".com", ".com", ".com", ".net", ".org", ".com", ".org"].map(ascii)
const years = ["2006", "2005", "2004", "1", "2", "06", "2007", "3", "10", "2000", "100", "5", "1999", "4", "2003"].map(
  ascii,
)
const www = ascii("www.")
const http = ascii("http://www.")
const letters = ascii("abcdefghijklmnopqrstuvwxyz")

/** Upper bound of the length of a code's text, with room to spare. */
export const longestWord = 128

export interface WordWriter {
  /** Writes the text of a word. Returns its end. */
  word(out: Uint8Array, at: number, code: WordCode): number
  /** Writes the address of a site. Returns its end. */
  url(out: Uint8Array, at: number, site: number): number
}

export function wordWriter({ words, topicWords }: Vocabulary, seed: number): WordWriter {
  const salt = mixWords(seed, Math.floor(seed / 2 ** 32))
  const put = (out: Uint8Array, at: number, bytes: Uint8Array) => {
    for (let i = 0; i < bytes.length; i++) out[at + i] = bytes[i]
    return at + bytes.length
  }
  const dictionary = (out: Uint8Array, at: number, word: number) => {
    const from = words.offsets[word]
    const length = words.offsets[word + 1] - from
    for (let i = 0; i < length; i++) out[at + i] = words.arena[from + i]
    return at + length
  }
  /** The word of a topic that belongs to twelve bits. */
  const pickWord = (topic: number, bits: number) => {
    const from = topicWords.offsets[topic]
    const count = topicWords.offsets[topic + 1] - from
    return topicWords.items[from + Math.floor(((bits & 0xfff) / 4096) ** 2 * count)]
  }
  /**
   * One or two words of the topic, or one word and a coined one. The first sites have the simplest names, later ones
   * have hyphens, and those of one user have a coined part.
   */
  const siteName = (out: Uint8Array, at: number, id: number) => {
    const topic = Math.floor(id / siteSpan)
    const rank = id - topic * siteSpan
    const bits = mixWords(mixWords(salt, topic), rank)
    const pick = (part: number) => pickWord(topic, part)
    const shape = bits >>> 28
    if (rank === 0) return coinWord(out, at, (topic + salt) & 0xfff, 0) // the well-known one
    if (rank < plainSites) {
      const end = dictionary(out, at, pick(bits))
      return shape < 6 ? coinWord(out, end, bits >>> 24, 1) : dictionary(out, end, pick(bits >>> 12))
    }
    if (rank < ownSites) {
      const end = dictionary(out, hyphen(out, dictionary(out, at, pick(bits))), pick(bits >>> 12))
      return shape < 8 ? end : dictionary(out, hyphen(out, end), pick(mixWords(bits, rank)))
    }
    if (shape < 6) return coinWord(out, dictionary(out, at, pick(bits)), bits, rank)
    if (shape < 9) return dictionary(out, coinWord(out, at, bits, rank), pick(bits))
    return coinName(out, at, bits, rank)
  }
  const site = (out: Uint8Array, at: number, id: number) =>
    put(
      out,
      siteName(out, at, id),
      endings[mixWords(salt ^ 1, (id % 2 ** 32) ^ Math.floor(id / 2 ** 32)) % endings.length],
    )
  /** The subject of a page comes after the site's address, or before it. */
  const page = (out: Uint8Array, at: number, id: number) => {
    const siteAt = siteOfPage(id)
    const { topic } = siteParts(siteAt)
    const bits = mixWords(mixWords(salt ^ 4, topic), id % 2 ** 32)
    const more = mixWords(bits, 1)
    const shape = bits >>> 29
    if (shape === 0) {
      const end = dictionary(out, at, pickWord(topic, bits))
      out[end] = 46
      return site(out, end + 1, siteAt)
    }
    let end = site(out, shape < 5 ? put(out, at, www) : at, siteAt)
    out[end] = 47
    end = dictionary(out, end + 1, pickWord(topic, bits))
    if (shape < 2) return end
    out[end] = shape < 6 ? 47 : 45
    return dictionary(out, end + 1, pickWord(topic, more))
  }
  const misspelt = (out: Uint8Array, at: number, id: number) => {
    const word = misspeltWord(id)
    const end = dictionary(out, at, word)
    return misspell(out, at, end, mixWords(word, id % misspellings))
  }
  const number = (out: Uint8Array, at: number, id: number) => {
    if (id < years.length) return put(out, at, years[id])
    const bits = mixWords(salt ^ 2, id)
    let from = at
    if (bits % 3 === 0) out[from++] = letters[(bits >>> 4) % 26]
    return digits(out, from, (bits >>> 9) % (bits % 2 === 0 ? 1000 : 100_000))
  }
  return {
    word(out, at, code) {
      const kind = Math.floor(code / span)
      const id = code - kind * span
      switch (kind) {
        case kinds.dictionary:
          return dictionary(out, at, id)
        case kinds.coined:
          return coinWord(out, at, (id ^ salt) >>> 0, Math.floor(id / 2 ** 32))
        case kinds.site:
          return siteName(out, at, id)
        case kinds.siteCom:
          return site(out, at, id)
        case kinds.siteWww:
          return site(out, put(out, at, www), id)
        case kinds.number:
          return number(out, at, id)
        case kinds.misspelt:
          return misspelt(out, at, id)
        case kinds.own:
          return coinName(out, at, (id ^ salt) >>> 0, Math.floor(id / 2 ** 32))
        case kinds.page:
          return page(out, at, id)
        default:
          return coinTown(out, at, (id ^ salt) >>> 0)
      }
    },
    url: (out, at, id) => site(out, put(out, at, http), id),
  }
}

function hyphen(out: Uint8Array, at: number): number {
  out[at] = 45
  return at + 1
}

function digits(out: Uint8Array, at: number, value: number): number {
  const text = String(value)
  for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i)
  return at + text.length
}

/** Makes one slip in out[at, end): a letter left out, doubled, swapped with the next, or replaced. */
function misspell(out: Uint8Array, at: number, end: number, bits: number): number {
  const place = at + ((bits >>> 4) % (end - at))
  const slip = bits % 4
  if (slip === 0 && end - at > 3) {
    for (let i = place; i < end - 1; i++) out[i] = out[i + 1]
    return end - 1
  }
  if (slip === 1) {
    for (let i = end; i > place; i--) out[i] = out[i - 1]
    return end + 1
  }
  if (slip === 2 && place + 1 < end) {
    const held = out[place]
    out[place] = out[place + 1]
    out[place + 1] = held
    return end
  }
  out[place] = letters[(bits >>> 16) % 26]
  return end
}
