import { Type, Value } from "#typebox"
import { dictionaryOf } from "../../kernels/dictionary.ts"
import type { JsonObject } from "../../log/formats/json-record.ts"
import { openClassifier } from "../../taxonomy/classify/open-classifier.ts"
import { openTextClassifier } from "../../taxonomy/classify/text-classifier.ts"
import { builtIn, openTaxonomy } from "../../taxonomy/open-taxonomy.ts"
import type { Kernel } from "./kernel.ts"
import { brokenInput } from "./kernel-input.ts"

const topicsOptions = Type.Object({})

/** Queries that are classified together. */
const mostQueries = 1 << 14

/**
 * Finds the topics of queries with the classifier that comes with the package. A document of the input is a distinct
 * query (`q`). The output has the queries with a topic, and the number of the topic in the taxonomy (`c`).
 */
export const topics: Kernel = {
  name: "topics",
  start: async (options, context) => {
    if (!Value.Check(topicsOptions, options)) throw brokenInput("topics")
    const taxonomy = await openTaxonomy(builtIn, {}, context)
    const portable = (await openClassifier(undefined, { taxonomy }, context)).portable?.()
    if (portable === undefined) throw brokenInput("topics")
    const classify = openTextClassifier(portable)
    let held: string[] = []
    const finish = () => {
      const queries = dictionaryOf(held)
      held = []
      return Array.from(classify(queries), (topic, query) => {
        return topic < 0 ? [] : [{ q: queries.text(query), c: topic }]
      }).flat()
    }
    return {
      take: (documents: readonly JsonObject[]) => {
        for (const { q } of documents) {
          if (typeof q !== "string") throw brokenInput("topics")
          held.push(q)
        }
        return held.length < mostQueries ? [] : finish()
      },
      finish,
    }
  },
}
