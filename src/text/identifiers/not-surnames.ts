import { readPackageList } from "../../files/package-lists.ts"

/** Everyday words of queries: what follows a given name without being the rest of a name. */
export const everydayWords: ReadonlySet<string> = new Set(readPackageList("everyday-words"))

/** Towns, states and countries that follow given names which are places too, and brands called after someone. */
export const placesAndBrands: ReadonlySet<string> = new Set(readPackageList("places-and-brands"))

/** The same, at greater length: places of WordNet, brands, and words of the web. */
export const morePlacesAndBrands: ReadonlySet<string> = new Set([
  ...readPackageList("wordnet-places"),
  ...readPackageList("brands-and-web-words"),
])

/** Pairs of words that are built like a name and are a thing, a firm or a figure. */
export const notPersons: ReadonlySet<string> = new Set(readPackageList("not-persons"))
