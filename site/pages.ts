import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** A Markdown file, and where its page is in the site. */
export interface Page {
  /** Its path in the repository: `docs/methods/swap.md`. */
  source: string
  /** Its path in the site: `methods/swap.html`. */
  path: string
  markdown: string
}

const folders = ["docs", "site/pages"]
const files = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "examples/README.md", "examples/samples/README.md"]

/** The pages of the site, in the order of their sources. */
export function findPages(root: string): Page[] {
  const below = folders.flatMap((folder) => (existsSync(join(root, folder)) ? listMarkdown(root, folder) : []))
  const pages = [...below, ...files].map((source) => ({
    source,
    path: sitePath(source),
    markdown: readFileSync(join(root, source), "utf8"),
  }))
  const sources = new Map<string, string>()
  for (const { source, path } of pages) {
    const other = sources.get(path)
    if (other !== undefined) throw new Error(`${source}: ${other} has the same place in the site, ${path}`)
    sources.set(path, source)
  }
  return pages
}

function listMarkdown(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md") && !path.startsWith("docs/api/"))
    .sort()
}

/** Where the page of a Markdown file is: `docs/adr/README.md` → `adr/index.html`. */
export const sitePath = (source: string): string =>
  `${source
    .replace(/^(?:docs|site\/pages)\//, "")
    .replace(/\.md$/, "")
    .toLowerCase()}.html`.replace(/(^|\/)readme\.html$/, "$1index.html")
