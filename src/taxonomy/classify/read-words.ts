import { baseForms } from "../../wordnet/base-forms.ts"
import { foldToAscii } from "../../wordnet/lemmatise.ts"
import { contextForm } from "./context-form.ts"
import { cutGlued } from "./glued-words.ts"
import { type ClassifierModel, wordKind } from "./model.ts"
import { correct } from "./spelling.ts"
import { findText } from "./word-index.ts"

/**
 * A word of a query as the model reads it. It has one part or, like `gardenshed.com` or `snow-white`, several. Each
 * part has the known words that it may be a form of, the written form first, and the word that finds it in texts, or
 * -1.
 */
export interface Reading {
  forms: number[][]
  context: number[]
}

const topDomains = "com|net|org|edu|gov|info|biz|mil|us|uk|ca|de|au|tv|co"
const host = new RegExp(
  `^(?:https?:/*)?(?:www\\d?\\.)?([^/?#\\s]*[a-z][^/?#\\s]*)\\.(?:${topDomains})(?:\\.[a-z]{2})?(?:[/:?#].*)?$`,
)
const prefix = /^(?:https?:\/*)?www\d?\.?(?=[a-z0-9]{3})/
const outerMarks = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}+#]+$/gu
const innerMarks = /[^\p{L}\p{N}'+#]+/u
/** Longer strings are not words, and would slow down the patterns above. */
const longest = 128
/** Words of at least this length may be glued from several. */
const glued = 8

/** What a word names if it is the address of a site: `garden-shed` in `www.garden-shed.com/tools`. */
function siteOf(plain: string): string | undefined {
  const named = plain.includes(".") ? host.exec(plain)?.[1] : undefined
  return named ?? (plain.includes("www") && prefix.test(plain) ? plain.replace(prefix, "") : undefined)
}

/** True if a word has only the letters a to z. Most words do. */
function isPlain(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i)
    if (code < 97 || code > 122) return false
  }
  return true
}

const trim = (word: string) => foldToAscii(word).replace(outerMarks, "")

/** The key of a word in a lexicon: the word without marks around it. For a site, what it names, however it is typed. */
export function lexiconKey(word: string): string {
  if (word.length > longest) return word
  const plain = trim(word)
  return siteOf(plain) ?? plain
}

/** Makes a function that reads words. The result depends only on the word and the model. */
export function wordReader(model: ClassifierModel): (word: string) => Reading {
  const { words, kind } = model
  // A word is looked up first for its forms and then for its context, so the last look-up is cached.
  let last: string | undefined
  let lastId = -1
  const find = (word: string) => {
    if (word === last) return lastId
    last = word
    lastId = findText(words, word)
    return lastId
  }
  const isPhrase = (word: string) => {
    const id = find(word)
    return id >= 0 && (kind[id] & wordKind.phrase) !== 0
  }
  const formsOf = (word: string) => {
    const forms: number[] = []
    for (const form of baseForms(word, "noun")) {
      const id = find(form)
      if (id >= 0 && !forms.includes(id)) forms.push(id)
    }
    return forms
  }
  const add = (reading: Reading, word: string, forms = formsOf(word)) => {
    reading.forms.push(forms)
    reading.context.push(forms.length === 0 ? -1 : find(contextForm(word, isPhrase)))
  }
  /** An unknown word may be misspelt. */
  const addSlip = (reading: Reading, word: string) => {
    const meant = correct(model.spellings, words, { word, info: model.info })
    add(reading, word, meant < 0 ? [] : [meant])
    if (meant >= 0) reading.context[reading.context.length - 1] = meant
  }
  /**
   * An unknown piece may be glued from known words, or contain a known word that is long enough. Trailing digits are
   * ignored.
   */
  const addPiece = (reading: Reading, piece: string, isHost: boolean) => {
    const forms = formsOf(piece)
    if (forms.length > 0) add(reading, piece, forms)
    else addUnknown(reading, piece, isHost)
  }
  const addUnknown = (reading: Reading, piece: string, isHost: boolean) => {
    const bare = isPlain(piece) ? piece : piece.replace(/\d+$/, "")
    if (!isPlain(bare)) return add(reading, piece, [])
    if (bare.length < (isHost ? 3 : glued)) return addSlip(reading, bare)
    const cut = cutGlued(model.glued, bare)
    let longest = 0
    for (const { length } of cut.words) longest = Math.max(longest, length)
    const isEnough = cut.known >= 0.8 ? longest > 2 : longest > (isHost ? 3 : 4)
    if (!isEnough) return addSlip(reading, bare)
    for (const word of cut.words) if (word.length > 3 || cut.known >= 0.8) add(reading, word)
  }
  const addPieces = (reading: Reading, pieces: readonly string[], isHost: boolean) => {
    for (const piece of pieces) if (piece !== "") addPiece(reading, piece, isHost)
  }
  /** A word with punctuation: a site, a word with dots or hyphens that is known as a whole, or several pieces. */
  const addMarked = (reading: Reading, plain: string) => {
    const site = siteOf(plain)
    if (site !== undefined) return addPieces(reading, site.split(/[^a-z0-9']+/), true)
    const whole = plain.replaceAll(".", "")
    const forms = formsOf(whole)
    if (forms.length > 0) add(reading, whole, forms)
    else if (innerMarks.test(plain)) addPieces(reading, plain.split(innerMarks), false)
    else if (whole !== "") addUnknown(reading, whole, false)
  }
  return (word) => {
    const reading: Reading = { forms: [], context: [] }
    if (word.length > longest) return reading
    if (isPlain(word) && !word.startsWith("www")) addPiece(reading, word, false)
    else addMarked(reading, trim(word))
    return reading
  }
}
