const named: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  middot: "·",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
}
const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi
const hidden = /<(script|style|template|noscript)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi
const tag = /<(?:!--[\s\S]*?(?:-->|$)|[a-z/!?][^<>]*>?)/gi
const longest = 2000

/**
 * A title or snippet from an engine, as plain text. Tags are removed, character references are decoded, and white space
 * is collapsed. Control characters and marks that change the direction of writing are removed. Show the result only as
 * text: decoding may produce new `<`.
 */
export function plainText(value: unknown): string {
  if (typeof value !== "string") return ""
  return value
    .slice(0, 8 * longest)
    .replace(hidden, " ")
    .replace(tag, (found) => (/^<\/?(?:b|i|em|strong|mark|span|a|u|code)\b/i.test(found) ? "" : " "))
    .replace(reference, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal)
      return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : " "
    })
    .replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .trim()
    .slice(0, longest)
}

/** The address if it is safe as a link: http or https, without a user name or password. Otherwise null. */
export function safeUrl(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 8192 || !URL.canParse(value)) return null
  const url = new URL(value)
  if (!["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "") return null
  return url.href
}
