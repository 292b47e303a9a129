import type { Rendered } from "./markdown.ts"
import type { Group } from "./navigation.ts"
import type { Page } from "./pages.ts"

/** A section of a page as the search has it: path with anchor, heading, name of the page, text. */
type SearchEntry = readonly [path: string, heading: string, page: string, text: string]

/**
 * The texts of all sections as a script, because a page that is opened from a folder may load scripts but no data. The
 * page builds its index from them when the search is first used.
 */
export function searchScript(rendered: readonly (Rendered & { page: Page })[], navigation: readonly Group[]): string {
  const groupOf = new Map(
    navigation.flatMap(({ name, entries }) => entries.map(({ path, label }) => [path, `${name} › ${label}`])),
  )
  const entries = rendered.flatMap(({ page, sections }) =>
    sections.map(({ heading, text }): SearchEntry => {
      const path = heading.level === 1 ? page.path : `${page.path}#${heading.anchor}`
      return [path, heading.text, groupOf.get(page.path) ?? "", text.trim()]
    }),
  )
  return `globalThis.queryveilSections = ${JSON.stringify(entries)}\n`
}
