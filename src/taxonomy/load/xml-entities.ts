const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }
const reference = /&([^;&\s]{0,32});?/g
/** Matches a `&` that does not begin an XML reference. */
export const strangeEntity = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#[xX][\da-fA-F]+);)/

/**
 * Replaces the references in a text: the five of XML, and numbers. Undefined if there is any other reference, or a bare
 * `&`.
 */
export function decodeEntities(text: string): string | undefined {
  if (!text.includes("&")) return text
  let sound = true
  const decoded = text.replace(reference, (whole, name: string) => {
    const character = whole.endsWith(";") ? characterOf(name) : undefined
    if (character === undefined) sound = false
    return character ?? ""
  })
  return sound ? decoded : undefined
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith("#")) return Object.hasOwn(named, name) ? named[name] : undefined
  const isHex = /^#x[0-9a-f]{1,6}$/i.test(name)
  if (!isHex && !/^#\d{1,7}$/.test(name)) return undefined
  const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10)
  return isCharacter(code) ? String.fromCodePoint(code) : undefined
}

/** True for a Char of XML 1.0. */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 9 || code === 10 || code === 13
  return (code <= 0xd7ff || code >= 0xe000) && code !== 0xfffe && code !== 0xffff && code <= 0x10ffff
}
