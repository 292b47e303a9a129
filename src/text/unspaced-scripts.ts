const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Whether a text has a letter of a script that is written without spaces between words. */
export function hasUnspacedScript(text: string): boolean {
  return unspaced.test(text)
}

let segmenter: Intl.Segmenter | undefined

/** The word-like segments of a word; the word itself when it has none. The locale is fixed, so that no machine's differs. */
export function segmentWord(word: string): string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" })
  const parts = Array.from(segmenter.segment(word)).flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []))
  return parts.length === 0 ? [word] : parts
}
