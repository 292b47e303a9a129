import { parseHTML } from "linkedom"

export interface XmlElement {
  name: string
  attributes: Record<string, string>
}

const tag = /<(\/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/y
const text = /[^<]+/y
const entity = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)/
const entities: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'",
  "&#39;": "'",
}

/** Reads well-formed XML of elements, text, and attributes in double quotes. Throws at anything else. */
export function readXml(document: string): { root: XmlElement; elements: XmlElement[] } {
  const elements: XmlElement[] = []
  const open: string[] = []
  const source = document.trim()
  for (let at = 0; at < source.length; ) {
    const found = match(text, source, at) ?? match(tag, source, at)
    if (found === null) throw new Error(`not XML at ${source.slice(at, at + 40)}`)
    at += found[0].length
    if (entity.test(found[0])) throw new Error(`a bare & in ${found[0].slice(0, 40)}`)
    if (open.length === 0 && found[2] === undefined) throw new Error("text outside the root")
    if (found[2] !== undefined) readTag(found, { open, elements })
  }
  const [root] = elements
  if (root === undefined || open.length > 0) throw new Error("an element is not closed")
  return { root, elements }
}

function readTag([, closing, name = "", attributes = "", empty]: RegExpExecArray, read: Reading): void {
  const { open, elements } = read
  if (closing === "/") {
    if (open.pop() !== name) throw new Error(`</${name}> closes another element`)
    return
  }
  if (open.length === 0 && elements.length > 0) throw new Error("two roots")
  elements.push({ name, attributes: readAttributes(attributes) })
  if (empty !== "/") open.push(name)
}

/** The names of open elements, and all elements so far. */
interface Reading {
  open: string[]
  elements: XmlElement[]
}

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(source)
}

function readAttributes(source: string): Record<string, string> {
  const pairs = [...source.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]): [string, string] => {
    return [name, value.replace(/&[^;]+;/g, (known) => entities[known] ?? known)]
  })
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) throw new Error("an attribute twice")
  return Object.fromEntries(pairs)
}

/** Everything a page would fetch from elsewhere, and every link that leads out of its folder. */
export function outsideLinks(page: string): string[] {
  const { document } = parseHTML(page)
  const named = ["src", "href", "srcset", "action", "data", "poster", "xlink:href"].flatMap((attribute) =>
    [...document.querySelectorAll("*")].flatMap((element) => element.getAttribute(attribute) ?? []),
  )
  const inStyles = [...page.matchAll(/url\(\s*["']?([^"')]+)|@import\s+["']?([^"';]+)/g)].map(
    ([, a, b]) => a ?? b ?? "",
  )
  const stays = (link: string) => /^(data:|#)/.test(link) || !/^([a-z]+:|\/)/i.test(link)
  return [...named, ...inStyles].filter((link) => !stays(link))
}
