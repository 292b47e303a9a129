import { posix } from "node:path"
import { unescapeHtml } from "./html.ts"

/** Something wrong with an address in a built page. */
export interface Problem {
  path: string
  address: string
  what: string
}

/**
 * Checks the addresses in built pages (path → HTML). Files and anchors must exist, and nothing may be loaded from
 * another origin. Plain links may lead there.
 */
export function checkPages(pages: ReadonlyMap<string, string>, exists: (path: string) => boolean): Problem[] {
  const anchors = new Map([...pages].map(([path, html]) => [path, new Set(valuesOf(tagsOf(html), ["id", "name"]))]))
  const checkLink = (path: string, address: string): Problem[] => {
    const [target = "", hash = ""] = address.split("#", 2)
    const file = target === "" ? path : posix.join(posix.dirname(path), decodeURI(target.replace(/\?.*/, "")))
    if (!exists(file)) return [{ path, address, what: `no file ${file}` }]
    if (hash === "" || (anchors.get(file)?.has(decodeURIComponent(hash)) ?? true)) return []
    return [{ path, address, what: `no anchor #${hash} in ${file}` }]
  }
  return [...pages].flatMap(([path, html]) => {
    const tags = tagsOf(html)
    const links = new Set(valuesOf(tags, ["href", "src"]).filter((address) => !hasScheme(address)))
    return [
      ...findLoaded(html, tags)
        .filter(isElsewhere)
        .map((address) => ({ path, address, what: "loaded from another origin" })),
      ...[...links].flatMap((address) => checkLink(path, address)),
    ]
  })
}

/** The tags of a page. Code that a page shows is escaped, so it has none. `<use>` draws an icon that a script adds. */
const tagsOf = (html: string): string[] => html.match(/<(?!use\s)[a-z][^<>]*>/gi) ?? []

function valuesOf(tags: readonly string[], names: readonly string[]): string[] {
  const pattern = new RegExp(`\\s(?:${names.join("|")})="([^"]*)"`, "g")
  return tags.flatMap((tag) => [...tag.matchAll(pattern)].map(([, value = ""]) => unescapeHtml(value)))
}

/** What a browser loads with a page: everything that has an address, except plain links. */
const findLoaded = (html: string, tags: readonly string[]): string[] => [
  ...valuesOf(
    tags.filter((tag) => !/^<a\s/i.test(tag)),
    ["href", "src", "srcset", "poster", "data", "action"],
  ),
  ...[...html.matchAll(/url\(\s*["']?([^"')]+)/g)].map(([, address = ""]) => address),
]

const hasScheme = (address: string) => /^[a-z]+:/i.test(address)
const isElsewhere = (address: string) => /^(?:(?!data:|mailto:)[a-z]+:|\/\/)/i.test(address)
