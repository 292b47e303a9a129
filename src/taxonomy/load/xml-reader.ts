import { decodeEntities, strangeEntity } from "./xml-entities.ts"

export interface XmlHandler {
  open(name: string, attributes: ReadonlyMap<string, string>, line: number): void
  /** Text of the innermost open element, in one or more pieces. */
  text(text: string): void
  close(name: string, line: number): void
  /** Called where the document is not well-formed. */
  fail(line: number, what: string): never
}

const name = "[A-Za-z_:\\u0080-\\uffff][\\w:.\\-\\u0080-\\uffff]*"
const startTag = new RegExp(`^<(${name})((?:\\s+${name}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>$`)
const endTag = new RegExp(`^</(${name})\\s*>$`)
const attribute = new RegExp(`(${name})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "g")
const declaredEncoding = /^<\?xml\s[^>]*encoding\s*=\s*["']([^"']*)["']/
const blank = /^\s*$/
/** Maximum characters of one tag, comment or run of text. */
const longestToken = 1 << 20
const deepest = 64
const [doubleQuote, singleQuote, greater, openBracket, closeBracket] = [34, 39, 62, 91, 93]

/**
 * A strict reader of XML that arrives in pieces: elements, attributes, text, the five entities and numbers, CDATA,
 * comments, processing instructions and a DOCTYPE. The DOCTYPE is skipped, so nothing it declares is expanded. The
 * reader holds only one token and the names of the open elements.
 */
export class XmlReader {
  readonly #handler: XmlHandler
  #rest = ""
  #at = 0
  /** The line of #rest[#counted]. */
  #line = 1
  #counted = 0
  readonly #open: string[] = []
  #sawRoot = false

  constructor(handler: XmlHandler) {
    this.#handler = handler
  }

  push(text: string): void {
    this.#rest += text
    while (this.#at < this.#rest.length && this.#readToken());
    if (this.#rest.length - this.#at > longestToken) this.#fail("a tag, comment or text that is longer than 1 MiB.")
    this.#lineAt(this.#at)
    this.#rest = this.#rest.slice(this.#at)
    this.#at = 0
    this.#counted = 0
  }

  end(): void {
    const rest = this.#rest.slice(this.#at)
    if (!blank.test(rest) && rest.includes("<")) this.#fail("the file ends inside a tag, comment or section.")
    const open = this.#open.at(-1)
    if (open !== undefined) {
      this.#at = this.#rest.length
      this.#fail(`the file ends before </${open}>.`)
    }
    if (!blank.test(rest)) this.#failAt(/\S/, "text outside the root element.")
    if (!this.#sawRoot) this.#fail("no XML element in the file.")
  }

  /** Reads one token. Returns false if it is not complete yet. */
  #readToken(): boolean {
    const text = this.#rest
    const at = this.#at
    if (text[at] !== "<") return this.#readText(at, text.indexOf("<", at))
    if (text[at + 1] !== "!" && text[at + 1] !== "?" && at + 1 < text.length) return this.#readTag(at)
    if (text.startsWith("<!--", at)) return this.#skipTo("-->", at + 4)
    if (text.startsWith("<?", at)) return this.#readInstruction(at)
    if (text.startsWith("<![CDATA[", at)) return this.#readSection(at)
    if (text.startsWith("<!DOCTYPE", at)) return this.#skipDoctype(at)
    const isCut = text.length - at < 9 && ["<!--", "<![CDATA[", "<!DOCTYPE"].some((it) => it.startsWith(text.slice(at)))
    return isCut ? false : this.#readTag(at)
  }

  #readText(at: number, end: number): boolean {
    if (end < 0) return false
    const text = this.#rest.slice(at, end)
    if (this.#open.length === 0) {
      if (!blank.test(text)) this.#failAt(/\S/, "text outside the root element.")
    } else {
      const decoded = decodeEntities(text)
      this.#handler.text(decoded ?? this.#failAt(strangeEntity, "a bare & or an entity that XML does not define."))
    }
    this.#at = end
    return true
  }

  #readSection(at: number): boolean {
    const from = at + "<![CDATA[".length
    const end = this.#rest.indexOf("]]>", from)
    if (end < 0) return false
    if (this.#open.length === 0) this.#fail("text outside the root element.")
    this.#handler.text(this.#rest.slice(from, end))
    this.#at = end + 3
    return true
  }

  #readInstruction(at: number): boolean {
    const end = this.#rest.indexOf("?>", at)
    if (end < 0) return false
    const encoding = declaredEncoding.exec(this.#rest.slice(at, end))?.[1]
    if (encoding !== undefined && !/^(utf-?8|us-ascii)$/i.test(encoding))
      this.#fail(`the declared encoding is ${encoding.slice(0, 40)}. Convert the file to UTF-8.`)
    this.#at = end + 2
    return true
  }

  #skipTo(mark: string, from: number): boolean {
    const end = this.#rest.indexOf(mark, from)
    if (end < 0) return false
    this.#at = end + mark.length
    return true
  }

  #skipDoctype(at: number): boolean {
    if (this.#sawRoot) this.#fail("a DOCTYPE after the start of the root element.")
    const end = endOfTag(this.#rest, at, { brackets: true })
    if (end < 0) return false
    this.#at = end + 1
    return true
  }

  #readTag(at: number): boolean {
    const end = endOfTag(this.#rest, at, { brackets: false })
    if (end < 0) return false
    const tag = this.#rest.slice(at, end + 1)
    if (tag[1] === "/") this.#closeElement(endTag.exec(tag)?.[1] ?? this.#fail("a broken end tag."))
    else this.#openElement(startTag.exec(tag))
    this.#at = end + 1
    return true
  }

  #openElement(tag: RegExpExecArray | null): void {
    const [, element, attributes, slash] =
      tag ?? this.#fail("a < that does not begin a tag (write &lt;), or a broken tag.")
    if (this.#open.length === 0 && this.#sawRoot) this.#fail("a second root element.")
    if (this.#open.length >= deepest) this.#fail(`elements are nested more than ${deepest} deep.`)
    this.#sawRoot = true
    const line = this.#lineAt(this.#at)
    this.#handler.open(element, this.#readAttributes(attributes), line)
    if (slash === "/") this.#handler.close(element, line)
    else this.#open.push(element)
  }

  #closeElement(element: string): void {
    const open = this.#open.pop()
    if (open !== element)
      this.#fail(open === undefined ? `</${element}> closes nothing.` : `</${element}> where </${open}> is expected.`)
    this.#handler.close(element, this.#lineAt(this.#at))
  }

  #readAttributes(source: string): Map<string, string> {
    const attributes = new Map<string, string>()
    if (source === "") return attributes
    for (const [, key, double, single] of source.matchAll(attribute)) {
      if (attributes.has(key)) this.#fail(`the attribute ${key} twice.`)
      const value = decodeEntities((double ?? single).replace(/[\t\r\n]/g, " "))
      attributes.set(key, value ?? this.#fail("a bare & or an entity that XML does not define."))
    }
    return attributes
  }

  /** The line of a position. Positions must not decrease between calls. */
  #lineAt(position: number): number {
    for (;;) {
      const feed = this.#rest.indexOf("\n", this.#counted)
      if (feed < 0 || feed >= position) break
      this.#line++
      this.#counted = feed + 1
    }
    return this.#line
  }

  /** Fails at the first match from here on. */
  #failAt(where: RegExp, what: string): never {
    this.#at += Math.max(0, this.#rest.slice(this.#at).search(where))
    return this.#fail(what)
  }

  #fail(what: string): never {
    return this.#handler.fail(this.#lineAt(this.#at), what)
  }
}

/**
 * The position of the `>` that ends a tag, ignoring quoted ones and, for a DOCTYPE, those in brackets; -1 if not there
 * yet.
 */
function endOfTag(text: string, from: number, { brackets }: { brackets: boolean }): number {
  let depth = 0
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === doubleQuote || code === singleQuote) {
      i = text.indexOf(code === doubleQuote ? '"' : "'", i + 1)
      if (i < 0) return -1
    } else if (code === greater && depth === 0) return i
    else if (brackets && code === openBracket) depth++
    else if (brackets && code === closeBracket) depth--
  }
  return -1
}
