const before = 50
const length = 150

/** The part of a text around the first of these words. */
export function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const at = Math.min(...words.map((word) => lower.indexOf(word)).filter((index) => index >= 0))
  if (!Number.isFinite(at) || at < before) return cut(text, 0)
  return `…${cut(text, text.indexOf(" ", at - before) + 1)}`
}

const cut = (text: string, start: number) =>
  text.slice(start, start + length) + (text.length > start + length ? "…" : "")

/** A text with these words marked. */
export function markWords(text: string, words: readonly string[]): (Node | string)[] {
  if (words.length === 0) return [text]
  const literal = (word: string) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
  const pattern = new RegExp(`(${words.map(literal).join("|")})`, "giu")
  return text.split(pattern).map((part, i) => {
    if (i % 2 === 0) return part
    const mark = document.createElement("mark")
    mark.textContent = part
    return mark
  })
}
