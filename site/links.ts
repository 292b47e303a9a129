import { existsSync, statSync } from "node:fs"
import { join, posix } from "node:path"
import { type Page, sitePath } from "./pages.ts"

/** What a link of a page leads to. */
export type Target =
  | { kind: "page"; href: string }
  /** A picture, or another file that is copied as it is. */
  | { kind: "copy"; source: string; href: string }
  /** A text file outside the pages. The site shows it on a page of its own. */
  | { kind: "text"; source: string; href: string }
  /** A folder. Its path is shown, and is no link. */
  | { kind: "folder"; source: string }
  | { kind: "missing" }

/**
 * Finds what a link of a page leads to. Pages in site/pages may write paths as the site has them: `methods/swap.md` for
 * docs/methods/swap.md, `screenshots/studio.png` for site/screenshots/studio.png.
 */
export function resolveLink(
  link: string,
  { from, root, sources }: { from: Page; root: string; sources: ReadonlySet<string> },
): Target {
  if (isExternal(link)) return { kind: "page", href: link }
  const [target = "", hash] = link.split("#", 2)
  const suffix = hash === undefined ? "" : `#${hash}`
  if (target === "") return { kind: "page", href: suffix }
  if (target.startsWith("api/")) return { kind: "page", href: relativeTo(from.path, target) + suffix }
  const source = candidates(decodeURI(target), from).find(
    (path) => !path.startsWith("../") && existsSync(join(root, path)),
  )
  if (source === undefined) return { kind: "missing" }
  if (sources.has(source)) return { kind: "page", href: relativeTo(from.path, sitePath(source)) + suffix }
  if (statSync(join(root, source)).isDirectory()) {
    const index = `${source.replace(/\/$/, "")}/README.md`
    if (!sources.has(index)) return { kind: "folder", source }
    return { kind: "page", href: relativeTo(from.path, sitePath(index)) + suffix }
  }
  if (isPicture(source)) return { kind: "copy", source, href: relativeTo(from.path, copiedPath(source)) }
  return { kind: "text", source, href: relativeTo(from.path, textPath(source)) + suffix }
}

function candidates(target: string, { source }: Page): string[] {
  const bases = source.startsWith("site/pages/")
    ? [posix.dirname(source), "docs", "site", "."]
    : [posix.dirname(source)]
  return bases.map((base) => posix.join(base, target))
}

export const isExternal = (link: string): boolean => /^(?:https?:|mailto:)/.test(link)

const isPicture = (path: string) => /\.(?:svg|png|jpe?g|gif|webp)$/.test(path)

/** Where a copied file is in the site: `docs/frontier.svg` → `frontier.svg`. */
export const copiedPath = (source: string): string => source.replace(/^(?:docs|site)\//, "")

/** Where the page that shows a text file is. */
export const textPath = (source: string): string => `files/${source}.html`

/** A path in the site, seen from another. */
export const relativeTo = (from: string, to: string): string => posix.relative(posix.dirname(from), to)
