import type { MarkdownIt } from "markdown-it"
import { highlightCode } from "./highlight.ts"
import { escapeHtml } from "./html.ts"

/** Shows blocks of code. A block ` ```run NAME ` has commands; their recorded output is shown below them. */
export function renderFences(parser: MarkdownIt, recorded: (name: string) => string): void {
  const render = (info: string, code: string) => {
    const [language = "", name = ""] = info.trim().split(/\s+/)
    if (language !== "run") return block(highlightCode(code, language), "code")
    const output = recorded(name).trimEnd()
    const commands = block(highlightCode(code, "sh"), "code commands")
    return `<figure class="run">\n${commands}${outputBlock(output)}</figure>\n`
  }
  parser.renderer.rules.fence = (tokens, i) => render(tokens[i]?.info ?? "", tokens[i]?.content ?? "")
  parser.renderer.rules.code_block = (tokens, i) => render("", tokens[i]?.content ?? "")
}

const block = (html: string, look: string) =>
  `<div class="${look}"><pre tabindex="0"><code>${html.trimEnd()}</code></pre></div>\n`

const outputBlock = (output: string) =>
  output === ""
    ? ""
    : `<figcaption>Output</figcaption><pre class="output" tabindex="0"><samp>${escapeHtml(output)}</samp></pre>\n`
