import { type Static, Type } from "#typebox"
import { cacheBy } from "../../kernels/cache-by.ts"
import type { RunContext } from "../../kernels/context.ts"
import { type Dictionary, dictionaryOf } from "../../kernels/dictionary.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { traitsOf } from "../../methods/guarantee.ts"
import type { Release } from "../../release/read-release.ts"
import { type Classifier, unclassified } from "../../taxonomy/classify/classifier.ts"
import { openLogTopics } from "../../taxonomy/classify/log-topics.ts"
import { classifierOption } from "../../taxonomy/classify/open-classifier.ts"
import { taxonomyOption } from "../../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { isWordNetTaxonomy } from "../../taxonomy/wordnet/wordnet-taxonomy.ts"
import { findConcept } from "../../wordnet/concept-label.ts"
import { idsIn } from "../shown/click-edges.ts"

export const topicOptions = Type.Object({ ...taxonomyOption.properties, ...classifierOption.properties })

/** A log whose queries have topics, and the classifier that found them. */
export interface Classified {
  taxonomy: Taxonomy
  /** Undefined if the log itself gives the topics. */
  classifier: Classifier | undefined
  /** The topic of each query of the log; -1 for none. */
  topics: Int32Array
}

const classified = cacheBy<SearchLog, Classified>()

/** The topics of a log's queries. */
export function classifyLog(
  log: SearchLog,
  { taxonomy: tree, classifier: tool }: Static<typeof topicOptions>,
  context: RunContext,
): Promise<Classified> {
  return classified(log, [tree, tool], async () => {
    const { taxonomy, classifier, topicOf } = await openLogTopics(log, { taxonomy: tree, classifier: tool }, context)
    return { taxonomy, classifier, topics: topicOf }
  })
}

/**
 * The topics of the texts that a release shows; -1 for none. A text of the log has the topic it has there, which saves
 * classifying it again. A WordNet concept is a topic of its tree.
 */
export async function classifyShown(
  { manifest }: Release,
  { texts, log, classified: known }: { texts: Dictionary; log: SearchLog; classified: Classified },
  context: RunContext,
): Promise<Int32Array> {
  const { taxonomy, classifier, topics } = known
  if (traitsOf(manifest.guarantee).shows === "concepts" && isWordNetTaxonomy(taxonomy)) {
    return Int32Array.from({ length: texts.size }, (_, id) => {
      const synset = findConcept(taxonomy.wordnet, texts.text(id))
      return synset < 0 ? -1 : taxonomy.nodeOf(synset)
    })
  }
  const own = idsIn(log.queries, texts)
  const others = dictionaryOf([...own.keys()].flatMap((id) => (own[id] < 0 ? [texts.text(id)] : [])))
  const asked = (await classifier?.classify(others, context)) ?? new Int32Array(others.size).fill(unclassified)
  return own.map((query, id) => (query < 0 ? asked[others.find(texts.text(id))] : topics[query]))
}
