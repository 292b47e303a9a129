import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** The picture of a method as part of the page, so that its colours follow the page. Empty if it has none. */
export function inlinePicture(root: string, name: string): string {
  const path = join(root, `site/pictures/${name}.svg`)
  if (!existsSync(path)) return ""
  const svg = readFileSync(path, "utf8").replace(/^<\?xml[^>]*>\s*/, "")
  return `<figure class="picture" tabindex="0">${svg.trim()}</figure>\n`
}
