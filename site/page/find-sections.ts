import { default as MiniSearch } from "minisearch"

/** A section that the search found. */
export interface Found {
  path: string
  heading: string
  page: string
  text: string
  /** The words of the section that matched. */
  words: string[]
}

declare global {
  var queryveilSections: readonly (readonly [path: string, heading: string, page: string, text: string])[] | undefined
}

type Finder = (query: string) => Found[]
let finder: Promise<Finder> | undefined

/** Loads the texts of the site and indexes them, once. */
export function loadFinder(base: string): Promise<Finder> {
  finder ??= loadScript(`${base}assets/search-data.js`).then(makeFinder)
  return finder
}

function loadScript(source: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script")
    script.src = source
    script.onload = () => resolve()
    script.onerror = () => reject(new Error(`${source} cannot be loaded`))
    document.head.append(script)
  })
}

function makeFinder(): Finder {
  const sections = (globalThis.queryveilSections ?? []).map(([path, heading, page, text], id) => ({
    id,
    path,
    heading,
    page,
    text,
  }))
  const index = new MiniSearch({
    fields: ["heading", "page", "text"],
    searchOptions: {
      boost: { heading: 4, page: 2 },
      combineWith: "AND",
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.15 : false),
    },
  })
  index.addAll(sections)
  return (query) =>
    index.search(query).flatMap(({ id, match }) => {
      const section = sections[id]
      return section === undefined ? [] : [{ ...section, words: Object.keys(match) }]
    })
}
