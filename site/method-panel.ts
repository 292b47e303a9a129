import type { Token } from "markdown-it"

/** The opening points of a page of docs/methods: how each begins, its look, and the heading that the site gives it. */
const points: readonly { begins: string; look: string; heading?: string }[] = [
  { begins: "Released", look: "released" },
  { begins: "Promised", look: "promised" },
  { begins: "Example", look: "example" },
  { begins: "Not promised", look: "not-promised", heading: "What it does not stop" },
  { begins: "Use it when", look: "use" },
]

/** Makes the opening points of a method page a panel, and puts the inset (its picture and its demo) after it. */
export function addPanel(
  tokens: Token[],
  { Token, isMethod, inset }: { Token: TokenMaker; isMethod: boolean; inset: string },
): void {
  const html = (content: string) => Object.assign(new Token("html_block", "", 0), { content })
  const end = isMethod
    ? tokens.findIndex(({ type, level }) => type === "bullet_list_close" && level === 0)
    : tokens.findIndex(({ type, level }) => type === "paragraph_close" && level === 0)
  if (inset !== "" && end >= 0) tokens.splice(end + 1, 0, html(inset))
  if (!isMethod || end < 0) return
  tokens.find(({ type }) => type === "bullet_list_open")?.attrSet("class", "points")
  for (let i = end; i >= 0; i--) {
    const token = tokens[i]
    if (token?.type !== "list_item_open" || token.level !== 1) continue
    const opening = tokens[i + 2]?.children?.find(({ content }) => content !== "")?.content ?? ""
    const point = points.find(({ begins }) => opening.startsWith(begins))
    if (point === undefined) continue
    token.attrSet("class", point.look)
    if (point.heading !== undefined) tokens.splice(i + 1, 0, html(`<p class="label">${point.heading}</p>\n`))
  }
}

type TokenMaker = new (type: string, tag: string, nesting: -1 | 0 | 1) => Token
