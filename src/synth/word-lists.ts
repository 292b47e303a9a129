import { readPackageList } from "../files/package-lists.ts"

/** Words without content of their own, likeliest first. They join the parts of long queries. */
export const functionWords = readPackageList("synth-function-words")

/** Words that people of 2006 put before or after anything, likeliest first. They say what is wanted, not of what. */
export const webWords = readPackageList("synth-web-words")

/** Openings of questions and the like, likeliest first. */
export const openings = readPackageList("synth-openings")

/** Words between two parts of a query. */
export const joiners = readPackageList("synth-joiners")
