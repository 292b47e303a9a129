import type { Dictionary } from "../kernels/dictionary.ts"
import { normaliseQuery } from "./normalise.ts"

/** Words with little content of their own: English articles, prepositions, conjunctions, auxiliary verbs, pronouns. */
export const englishFunctionWords = `
# articles and other determiners
a an the this that these those some any each every either neither no such

# prepositions
about above across after against along amid among amongst around as at before behind below beneath beside besides
between beyond by despite down during except for from in inside into like minus near of off on onto opposite out outside
over past per plus since than through throughout till to toward towards under underneath unlike until up upon versus via
vs with within without

# conjunctions
and & or nor but yet so if because although though unless while whereas whether once then

# auxiliary verbs
am is are was were be been being do does did doing have has had having can could may might must shall should will would
ought cannot can't couldn't don't doesn't didn't isn't aren't wasn't weren't haven't hasn't hadn't won't wouldn't
shouldn't mustn't

# pronouns
i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself we us our
ours ourselves they them their theirs themselves who whom whose which what

# adverbs that stand for a place, a time or a question, and negation
how when where why here there not
`

/** The words of a list: with white space between them, one a line or several; a line that starts with # is a remark. */
export function parseFunctionWords(text: string): Set<string> {
  const lines = text.split("\n").filter((line) => !line.trimStart().startsWith("#"))
  return new Set(
    normaliseQuery(lines.join(" "))
      .split(" ")
      .filter((word) => word !== ""),
  )
}

/** 1 for each id of `words` that is in the list. */
export function markFunctionWords(words: Dictionary, list: Iterable<string>): Uint8Array {
  const marks = new Uint8Array(words.size)
  for (const word of list) {
    const id = words.find(word)
    if (id >= 0) marks[id] = 1
  }
  return marks
}
