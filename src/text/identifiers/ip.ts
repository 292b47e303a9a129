import { defineDetector } from "./detector.ts"
import { hasWord, type QueryText, wordSet } from "./query-text.ts"

const dotted = /(?<![\w.-])(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?![a-z0-9]|\.\d|-\d)/g
const hexGroups = /(?<![a-z0-9:.])[0-9a-f:]{2,45}(?:\.\d{1,3}){0,3}(?![a-z0-9:])/g

/** Words that show that four small numbers next to them are a version. */
const versionWords = wordSet(`
  version versions ver v firmware driver drivers build release update upgrade patch bios download software sdk plugin
  firefox mozilla chrome opera safari netscape itunes quicktime java jre jdk flash winamp winzip winrar realplayer nero
  explorer directx skype limewire kazaa bittorrent utorrent android ios kernel php mysql apache
`)
const addressWords = wordSet(
  "ip ips address whois traceroute tracert trace ping dns host proxy server lookup subnet ipv login ban",
)

/** Public resolvers that many people look up by number. */
const publicResolvers = wordSet(`
  8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 9.9.9.9 4.2.2.1 4.2.2.2 4.2.2.3 4.2.2.4 4.2.2.5 4.2.2.6 208.67.222.222 208.67.220.220
`)

function matches(query: QueryText): boolean {
  return hasVersion4(query) || hasVersion6(query.text)
}

function hasVersion4(query: QueryText): boolean {
  if (query.text.search(dotted) < 0) return false
  const said = hasWord(query, addressWords)
  const version = hasWord(query, versionWords)
  for (const [text, ...parts] of query.text.matchAll(dotted)) {
    const octets = parts.slice(0, 4).map(Number)
    if (octets.some((octet) => octet > 255) || isNobodys(octets) || publicResolvers.has(text)) continue
    // Versions have small parts. Of the addresses that can belong to somebody, one in 3,770 has only parts below 32.
    const small = octets.every((octet) => octet < 32)
    if (said || !(small || version)) return true
  }
  return false
}

/** Private, loopback, link-local, unspecified, multicast and reserved ranges, and masks: the same in every home. */
function isNobodys([a, b, c, d]: number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true
  if ((a === 192 && b === 168) || (a === 169 && b === 254) || (a === 172 && b >= 16 && b < 32)) return true
  return b === 0 && c === 0 && d === 0
}

function hasVersion6(text: string): boolean {
  if (!text.includes(":")) return false
  for (const [candidate] of text.matchAll(hexGroups)) if (isVersion6(candidate)) return true
  return false
}

/**
 * Eight groups, or fewer around one `::`. To distinguish it from `a::b` in a program, it needs a digit, and three
 * groups or a first group of four characters.
 */
function isVersion6(candidate: string): boolean {
  const [hex, ...octets] = candidate.split(".")
  if (octets.length !== 0 && octets.length !== 3) return false
  if (!/[0-9]/.test(hex)) return false
  const halves = hex.split("::")
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")))
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return false
  const count = groups.length + (octets.length === 3 ? 1 : 0)
  if (halves.length === 1) return count === 8
  return count < 8 && (groups.length >= 3 || (groups.length >= 1 && groups[0].length === 4))
}

/**
 * An IP address, version 4 or 6, that can belong to somebody. It is not in a private, loopback or reserved range, not a
 * well-known resolver, and not the version of a program. An address counts as a version if all its parts are below 32
 * or it is next to a word such as version or driver, unless there is a word such as ip or ping.
 */
export const ip = defineDetector({
  kind: "ip",
  summary: "IP addresses, version 4 and 6, that are not private, reserved or a program's version",
  clues: [
    { digits: 4, signs: ["dots"] },
    { digits: 1, signs: ["colons"] },
  ],
  matches,
})
