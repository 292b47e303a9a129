import MarkdownIt, { type Token } from "markdown-it"
import { createAnchors } from "./anchors.ts"
import { allowDemos } from "./demo-lines.ts"
import { renderFences } from "./fences.ts"
import { escapeHtml } from "./html.ts"
import { isExternal, type Target } from "./links.ts"
import { addPanel } from "./method-panel.ts"

/** A heading of a page. */
export interface Heading {
  level: number
  text: string
  anchor: string
}

/** A part of a page from one heading to the next, for the search. */
interface Section {
  heading: Heading
  text: string
}

/** A link as the page has it, and where the built page leads. */
interface Link {
  line: number
  written: string
  target: Target
}

export interface Rendered {
  html: string
  headings: Heading[]
  sections: Section[]
  links: Link[]
}

export interface RenderOptions {
  resolve: (link: string) => Target
  /** The recorded output of the commands of a `run` fence. */
  recorded: (name: string) => string
  /** True if the site has this demo. */
  hasDemo: (name: string) => boolean
  /** The dark version of a picture, if there is one. */
  darkVersion: (href: string) => string | undefined
  /** True for a page of docs/methods: its five opening points become a panel. */
  isMethod: boolean
  /** HTML that is put after the panel, or after the first paragraph of a page without one. */
  inset: string
}

/** Turns the Markdown of a page into HTML. HTML in it is shown as text, except the line of a demo. */
export function renderMarkdown(markdown: string, options: RenderOptions): Rendered {
  const parser = new MarkdownIt({ html: false, linkify: false })
  const links: Link[] = []
  const headings: Heading[] = []
  const sections: Section[] = []
  allowDemos(parser, options.hasDemo)
  renderFences(parser, options.recorded)
  parser.core.ruler.push("headings", ({ tokens }) => {
    headings.push(...nameHeadings(tokens))
    sections.push(...cutSections(tokens, headings))
  })
  parser.core.ruler.push("links", ({ tokens }) => {
    for (const token of tokens) links.push(...rewriteLinks(token, options.resolve))
  })
  parser.core.ruler.push("panel", ({ tokens, Token }) => addPanel(tokens, { Token, ...options }))
  parser.renderer.rules.table_open = () => '<div class="table" tabindex="0" role="region" aria-label="Table"><table>\n'
  parser.renderer.rules.table_close = () => "</table></div>\n"
  parser.renderer.rules.heading_close = (tokens, i) => closeHeading(tokens, i)
  parser.renderer.rules.image = (tokens, i) => renderImage(tokens[i], options.darkVersion)
  return { html: parser.render(markdown), headings, sections, links }
}

function nameHeadings(tokens: readonly Token[]): Heading[] {
  const anchorOf = createAnchors()
  return tokens.flatMap((token, i) => {
    if (token.type !== "heading_open") return []
    const text = textOf(tokens[i + 1])
    const anchor = anchorOf(text)
    token.attrSet("id", anchor)
    return [{ level: Number(token.tag.slice(1)), text, anchor }]
  })
}

/** A heading ends with a link to itself, except the title of the page. */
function closeHeading(tokens: readonly Token[], i: number): string {
  const tag = tokens[i]?.tag ?? ""
  if (tag === "h1") return "</h1>\n"
  const anchor = attributeOf(tokens[i - 2], "id")
  const label = escapeHtml(`Link to ${textOf(tokens[i - 1])}`)
  return ` <a class="anchor" href="#${anchor}" aria-label="${label}">#</a></${tag}>\n`
}

function cutSections(tokens: readonly Token[], headings: readonly Heading[]): Section[] {
  const sections: Section[] = []
  let next = 0
  for (const [i, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const heading = headings[next++]
      if (heading) sections.push({ heading, text: "" })
    } else if (tokens[i - 1]?.type !== "heading_open") {
      const last = sections.at(-1)
      const text = token.type === "fence" ? token.content : textOf(token)
      if (last && text !== "") last.text += `${text.replace(/\s+/g, " ").trim()} `
    }
  }
  return sections
}

/** The text of an inline token as a reader sees it. */
function textOf(token: Token | undefined): string {
  return (token?.children ?? [])
    .map(({ type, content }) => (type === "softbreak" || type === "hardbreak" ? " " : content))
    .join("")
}

/** Points links and pictures at built files. A link to a folder becomes its path as code. */
function rewriteLinks(token: Token, resolve: (link: string) => Target): Link[] {
  const links: Link[] = []
  let line = (token.map?.[0] ?? 0) + 1
  let folder = false
  for (const child of token.children ?? []) {
    if (child.type === "softbreak") line++
    const name = child.type === "image" ? "src" : "href"
    if (child.type === "link_close" && folder) {
      child.tag = "code"
      folder = false
    }
    if (child.type !== "link_open" && child.type !== "image") continue
    const written = attributeOf(child, name)
    const target = resolve(written)
    links.push({ line, written, target })
    if (target.kind === "folder") {
      child.tag = "code"
      child.attrs = [["title", `In the package: ${target.source}`]]
      folder = true
    } else {
      const href = target.kind === "missing" ? "#" : target.href
      child.attrSet(name, href)
      if (isExternal(href)) child.attrSet("rel", "noreferrer")
    }
  }
  return links
}

function renderImage(token: Token | undefined, darkVersion: (href: string) => string | undefined): string {
  const href = attributeOf(token, "src")
  const dark = darkVersion(href)
  const alt = escapeHtml(textOf(token))
  const image = (source: string, look: string) =>
    `<img src="${escapeHtml(source)}" alt="${alt}" loading="lazy"${look === "" ? "" : ` class="${look}"`}>`
  return dark === undefined ? image(href, "") : image(href, "when-light") + image(dark, "when-dark")
}

const attributeOf = (token: Token | undefined, name: string): string => String(token?.attrGet(name) ?? "")
