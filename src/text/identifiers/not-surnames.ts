import { readPackageList } from "../../files/package-lists.ts"

/** Everyday words of queries. They follow a given name without being part of a name. */
export const everydayWords: ReadonlySet<string> = new Set(readPackageList("everyday-words"))

/** Towns, states and countries that follow given names which are also places, and brands named after people. */
export const placesAndBrands: ReadonlySet<string> = new Set(readPackageList("places-and-brands"))

/** A longer list of these: places of WordNet, brands, and words of the web. */
export const morePlacesAndBrands: ReadonlySet<string> = new Set([
  ...readPackageList("wordnet-places"),
  ...readPackageList("brands-and-web-words"),
])

/** Pairs of words that look like a name and are a thing, a firm or a fictional figure. */
export const notPersons: ReadonlySet<string> = new Set(readPackageList("not-persons"))
