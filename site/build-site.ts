import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { writeFolder } from "#dist/files/write-folder.js"
import { buildAssets } from "./build-assets.ts"
import { failOnProblems } from "./fail-on-problems.ts"
import { layoutPage } from "./layout.ts"
import { copiedPath, textPath } from "./links.ts"
import { type Group, makeNavigation } from "./navigation.ts"
import { findPages } from "./pages.ts"
import { describePage, type RenderedPage, renderPage, renderText } from "./render-page.ts"
import { searchScript } from "./search-data.ts"
import { writeApi } from "./write-api.ts"

export interface SiteOptions {
  /** The repository. */
  root: string
  /** The folder of the site. It is replaced as a whole, or not at all. */
  folder: string
  version: string
  /** Also writes the library's interface, which takes most of the time. */
  withApi: boolean
}

/** Builds the site, and returns how many pages it has. Throws an error with a line for each broken link. */
export function buildSite({ root, folder: target, version, withApi }: SiteOptions): Promise<number> {
  const pages = findPages(root)
  const navigation = makeNavigation(pages, { withApi })
  return writeFolder(target, { mode: 0o755 }, async (folder) => {
    const demos = await buildAssets(root, folder)
    if (withApi) await writeApi(root, join(folder, "api"))
    const rendered = pages.map((page) => renderPage(page, { root, pages, demos }))
    for (const one of rendered) write(folder, one.page.path, layoutRendered(one, { navigation, version }))
    for (const { target } of rendered.flatMap(({ links }) => links)) {
      if (target.kind === "copy") copy(join(root, target.source), join(folder, copiedPath(target.source)))
      if (target.kind === "text") {
        write(folder, textPath(target.source), layoutText(target.source, { root, navigation, version }))
      }
    }
    if (existsSync(join(root, "site/screenshots"))) copy(join(root, "site/screenshots"), join(folder, "screenshots"))
    write(folder, "assets/search-data.js", searchScript(rendered, navigation))
    failOnProblems(folder, { rendered, withApi })
    return pages.length
  })
}

interface Surroundings {
  navigation: readonly Group[]
  version: string
}

const layoutRendered = ({ page, html, headings }: RenderedPage, surroundings: Surroundings) =>
  layoutPage({
    ...surroundings,
    path: page.path,
    title: headings[0]?.text ?? page.path,
    description: describePage(html),
    content: html,
    headings,
    hasDemo: html.includes('<div class="demo"'),
    look: page.path === "index.html" ? "start" : undefined,
  })

const layoutText = (source: string, { root, ...surroundings }: Surroundings & { root: string }) =>
  layoutPage({
    ...surroundings,
    path: textPath(source),
    title: source,
    description: source,
    content: renderText(source, readFileSync(join(root, source), "utf8")),
    headings: [],
    hasDemo: false,
    look: "file",
  })

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true })
}
