import { dictionaryOf } from "../../kernels/dictionary.ts"
import { createConceptFinder } from "../../methods/wordnet/find-concepts.ts"
import { openWordNet } from "../../wordnet/open-wordnet.ts"
import type { Kernel } from "./kernel.ts"
import { brokenInput } from "./kernel-input.ts"

/**
 * Finds the concept of WordNet that represents a query. A document of the input has a distinct query (`q`) and whatever
 * else. The output is the same document with the number of the synset (`c`; -1 if no word is a noun), the number of its
 * words (`w`), and how many of them are in nouns (`m`).
 */
export const nouns: Kernel = {
  name: "nouns",
  start: async (_options, context) => {
    const find = createConceptFinder(await openWordNet({}, context), "content")
    return {
      take: (documents) => {
        const queries = dictionaryOf(
          documents.map(({ q }) => {
            if (typeof q !== "string") throw brokenInput("nouns")
            return q
          }),
        )
        const { concept, words, matched } = find(queries.parts(), { from: 0, to: queries.size })
        return documents.map((document) => {
          const query = queries.find(String(document.q))
          return { ...document, c: concept[query], w: words[query], m: matched[query] }
        })
      },
    }
  },
}
