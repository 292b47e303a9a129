import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { checkPages } from "./check-links.ts"
import type { RenderedPage } from "./render-page.ts"

/** Checks all pages in a folder. Throws an error that names each broken link: page, line, target. */
export function failOnProblems(
  folder: string,
  { rendered, withApi }: { rendered: readonly RenderedPage[]; withApi: boolean },
): void {
  const missing = rendered.flatMap(({ page, links }) =>
    links
      .filter(({ target }) => target.kind === "missing")
      .map(({ line, written }) => `${page.source}:${line}: no file for the link ${written}`),
  )
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"))
  const html = new Map(names.map((name) => [name.replaceAll("\\", "/"), readFileSync(join(folder, name), "utf8")]))
  const exists = (path: string) => existsSync(join(folder, path)) || (!withApi && path.startsWith("api/"))
  const broken = checkPages(html, exists).map(({ path, address, what }) => {
    const built = rendered.find(({ page }) => page.path === path)
    const link = built?.links.find(({ target }) => "href" in target && target.href === address)
    const line = link === undefined ? "" : `:${link.line}`
    return `${built?.page.source ?? path}${line}: ${what} (link ${link?.written ?? address})`
  })
  const problems = [...missing, ...broken]
  if (problems.length > 0) throw new Error(`broken links: ${problems.length}\n${problems.join("\n")}`)
}
