import { yieldAndReport } from "../../kernels/context.ts"
import type { Taxonomy } from "../taxonomy.ts"
import { type Classifier, unclassified } from "./classifier.ts"
import type { QueryPaths } from "./query-paths.ts"

const slice = 1 << 18

/** A classifier that looks up every query. A query that is not listed has no topic. */
export function tableClassifier(taxonomy: Taxonomy, { queries: listed, nodes }: QueryPaths): Classifier {
  return {
    taxonomy,
    portable: () => ({ kind: "table", queries: listed.parts(), nodes }),
    async classify(queries, context) {
      const topics = new Int32Array(new SharedArrayBuffer(queries.size * 4))
      for (let query = 0; query < queries.size; query++) {
        if (query % slice === 0)
          await yieldAndReport(context, { stage: "classifying", done: query, total: queries.size })
        const found = listed.findBytes(queries.bytes(query))
        topics[query] = found < 0 ? unclassified : nodes[found]
      }
      return topics
    },
  }
}
