import type { MarkdownIt } from "markdown-it"
import { escapeHtml } from "./html.ts"

/** The only HTML that a page may have. */
const demoLine = /^<div data-demo="([a-z-]+)"><\/div>$/

/**
 * Lets the line of a demo through: `<div data-demo="frontier"></div>`. A demo that the site does not have is left out.
 */
export function allowDemos(parser: MarkdownIt, hasDemo: (name: string) => boolean): void {
  parser.block.ruler.before("paragraph", "demo", (state, startLine, _endLine, silent) => {
    const line = state.getLines(startLine, startLine + 1, 0, false).trim()
    const name = demoLine.exec(line)?.[1]
    if (name === undefined) return false
    if (silent) return true
    state.line = startLine + 1
    if (hasDemo(name)) state.push("html_block", "", 0).content = demoHtml(name)
    return true
  })
}

/** The place where the script of the demos mounts one. */
export const demoHtml = (name: string): string => `<div class="demo" data-demo="${escapeHtml(name)}"></div>\n`
