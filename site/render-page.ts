import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { demoHtml } from "./demo-lines.ts"
import { highlightCode } from "./highlight.ts"
import { escapeHtml } from "./html.ts"
import { resolveLink } from "./links.ts"
import { type Rendered, renderMarkdown } from "./markdown.ts"
import type { Page } from "./pages.ts"
import { inlinePicture } from "./pictures.ts"

/** A page as HTML, without what surrounds it. */
export interface RenderedPage extends Rendered {
  page: Page
}

/** Turns a page into HTML, with the picture and the demo of its method. */
export function renderPage(
  page: Page,
  { root, pages, demos }: { root: string; pages: readonly Page[]; demos: ReadonlySet<string> },
): RenderedPage {
  const sources = new Set(pages.map(({ source }) => source))
  const method = /^docs\/methods\/([a-z-]+)\.md$/.exec(page.source)?.[1]
  const topic = page.source === "docs/operations.md" ? "stream" : (method ?? "")
  const rendered = renderMarkdown(page.markdown, {
    resolve: (link) => resolveLink(link, { from: page, root, sources }),
    recorded: (name) => readRecorded(root, { name, page }),
    hasDemo: (name) => demos.has(name),
    darkVersion: (href) => findDarkVersion(root, href),
    isMethod: method !== undefined,
    inset: inlinePicture(root, topic) + (demos.has(topic) ? demoHtml(topic) : ""),
  })
  return { page, ...rendered }
}

function readRecorded(root: string, { name, page }: { name: string; page: Page }): string {
  const path = `site/recorded/${name}.txt`
  if (!existsSync(join(root, path))) throw new Error(`${page.source}: the output of “run ${name}” is missing: ${path}`)
  return readFileSync(join(root, path), "utf8")
}

/** `screenshots/studio-dark.png` of `screenshots/studio.png`, if it exists. */
function findDarkVersion(root: string, href: string): string | undefined {
  const dark = href.replace(/\.png$/, "-dark.png")
  return dark !== href && existsSync(join(root, "site", dark.replace(/^(?:\.\.\/)+/, ""))) ? dark : undefined
}

/** The beginning of the first paragraph, as plain text. */
export const describePage = (html: string): string =>
  (/<(p|li)[^>]*>(.*?)<\/\1>/s.exec(html)?.[2] ?? "")
    .replace(/<[^>]*>|&[a-z0-9#]+;/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 160)

/** A text file of the package as a page. */
export function renderText(source: string, text: string): string {
  const language = /\.([a-z]+)$/.exec(source)?.[1] ?? "sh"
  const code = highlightCode(text, language).trimEnd()
  return `<h1>${escapeHtml(source)}</h1>
<p>This file is in the package and in the repository.</p>
<div class="code"><pre tabindex="0"><code>${code}</code></pre></div>
`
}
