import { readPackageList } from "../files/package-lists.ts"

/** Words without content of their own, the likeliest first; they join the parts of long queries. */
export const functionWords = readPackageList("synth-function-words")

/** What people of 2006 put before or after anything, the likeliest first: words that say what is wanted, not of what. */
export const webWords = readPackageList("synth-web-words")

/** Openings of questions and the like, the likeliest first. */
export const openings = readPackageList("synth-openings")

/** Words that stand between two parts of a query. */
export const joiners = readPackageList("synth-joiners")
