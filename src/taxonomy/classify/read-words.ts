import { baseForms } from "../../wordnet/base-forms.ts"
import { foldToAscii } from "../../wordnet/lemmatise.ts"
import { contextForm } from "./context-form.ts"
import { cutGlued } from "./glued-words.ts"
import { type ClassifierModel, wordKind } from "./model.ts"
import { correct } from "./spelling.ts"
import { findText } from "./word-index.ts"

/**
 * A word of a query as the model reads it: one part or, of `gardenshed.com` or `snow-white`, several. Each part has the
 * known words that it may be a form of, as it is written first, and the one under which it is looked up in texts, or -1.
 */
export interface Reading {
  forms: number[][]
  context: number[]
}

const host =
  /^(?:https?:\/*)?(?:www\d?\.)?([^/?#\s]*[a-z][^/?#\s]*)\.(?:com|net|org|edu|gov|info|biz|mil|us|uk|ca|de|au|tv|co)(?:\.[a-z]{2})?(?:[/:?#].*)?$/
const prefix = /^(?:https?:\/*)?www\d?\.?(?=[a-z0-9]{3})/
const outerMarks = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}+#]+$/gu
const innerMarks = /[^\p{L}\p{N}'+#]+/u
/** Longer words are no words, and would keep the patterns above busy. */
const longest = 128
/** Words from this length on may be several, glued. */
const glued = 8

/** What a word names if it is the address of a site: `garden-shed` of `www.garden-shed.com/tools`. */
function siteOf(plain: string): string | undefined {
  const named = plain.includes(".") ? host.exec(plain)?.[1] : undefined
  return named ?? (plain.includes("www") && prefix.test(plain) ? plain.replace(prefix, "") : undefined)
}

/** Whether a word is letters of ASCII and nothing else: most are. */
function isPlain(word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i)
    if (code < 97 || code > 122) return false
  }
  return true
}

const trim = (word: string) => foldToAscii(word).replace(outerMarks, "")

/** The text under which a lexicon has a word: without marks around it; of a site what it names, however it is typed. */
export function lexiconKey(word: string): string {
  if (word.length > longest) return word
  const plain = trim(word)
  return siteOf(plain) ?? plain
}

/** Makes a function that reads words. It depends on the word and the model alone. */
export function wordReader(model: ClassifierModel): (word: string) => Reading {
  const { words, kind } = model
  // A word is looked up for its forms, then for its context: the last one is remembered.
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
  /** A word that is not known may be a misspelt one. */
  const addSlip = (reading: Reading, word: string) => {
    const meant = correct(model.spellings, words, { word, info: model.info })
    add(reading, word, meant < 0 ? [] : [meant])
    if (meant >= 0) reading.context[reading.context.length - 1] = meant
  }
  /** A piece that is not known may be glued from words that are, or have one that is long enough; numbers at its end do not count. */
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
  return (word) => {
    const reading: Reading = { forms: [], context: [] }
    if (word.length > longest) return reading
    if (isPlain(word) && !word.startsWith("www")) {
      addPiece(reading, word, false)
      return reading
    }
    const plain = trim(word)
    const site = siteOf(plain)
    if (site !== undefined) {
      for (const label of site.split(/[^a-z0-9']+/)) if (label !== "") addPiece(reading, label, true)
      return reading
    }
    const whole = plain.replaceAll(".", "")
    const forms = formsOf(whole)
    if (forms.length > 0 || !innerMarks.test(plain)) {
      if (forms.length > 0) add(reading, whole, forms)
      else if (whole !== "") addUnknown(reading, whole, false)
      return reading
    }
    for (const piece of plain.split(innerMarks)) if (piece !== "") addPiece(reading, piece, false)
    return reading
  }
}
