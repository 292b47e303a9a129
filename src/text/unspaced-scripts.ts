const scripts = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
const unspaced = new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join("")}]`, "u")

/** True if a text has a letter of a script that is written without spaces between words. */
export function hasUnspacedScript(text: string): boolean {
  return unspaced.test(text)
}

let segmenter: Intl.Segmenter | undefined

/**
 * The word-like segments of a word, or the word itself if it has none. The locale is fixed, so that all machines agree.
 */
export function segmentWord(word: string): string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" })
  const parts = Array.from(segmenter.segment(word)).flatMap(({ segment, isWordLike }) => (isWordLike ? [segment] : []))
  return parts.length === 0 ? [word] : parts
}
