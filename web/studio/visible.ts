/** Control characters, and those that change the direction of text. */
const hidden = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** A text of the log or of a file's name, with characters that would disguise it made visible: `⟨U+202E⟩`. */
export function visible(text: string): string {
  return text.replace(hidden, (one) => `⟨U+${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}⟩`)
}
