import { type Static, Type } from "#typebox"
import type { RunContext } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import type { SearchLog } from "../../log/search-log.ts"
import type { Release } from "../../release/read-release.ts"
import type { Classifier } from "../../taxonomy/classify/classifier.ts"
import { classifierOption, openClassifier } from "../../taxonomy/classify/open-classifier.ts"
import { openTaxonomy, taxonomyOption } from "../../taxonomy/open-taxonomy.ts"
import type { Taxonomy } from "../../taxonomy/taxonomy.ts"
import { isWordNetTaxonomy } from "../../taxonomy/wordnet/wordnet-taxonomy.ts"
import { findConcept } from "../../wordnet/concept-label.ts"
import { cacheByLog } from "../cache-by-log.ts"

export const topicOptions = Type.Object({ ...taxonomyOption.properties, ...classifierOption.properties })

interface Classified {
  taxonomy: Taxonomy
  classifier: Classifier
  /** By query of the log; -1: none. */
  topics: Int32Array
}

const classified = cacheByLog<Classified>()

/** The topics of a log's queries. */
export function classifyLog(
  log: SearchLog,
  { taxonomy: tree, classifier: tool }: Static<typeof topicOptions>,
  context: RunContext,
): Promise<Classified> {
  return classified(log, [tree, tool], async () => {
    const taxonomy = await openTaxonomy(tree, {}, context)
    const classifier = await openClassifier(tool, { taxonomy }, context)
    return { taxonomy, classifier, topics: await classifier.classify(log.queries, context) }
  })
}

/** The topics of texts that a release shows; -1: none. A concept of WordNet is a topic of its tree. */
export async function classifyShown(
  { manifest }: Release,
  { texts, taxonomy, classifier }: Omit<Classified, "topics"> & { texts: Dictionary },
  context: RunContext,
): Promise<Int32Array> {
  if (manifest.guarantee.model !== "generalisation" || !isWordNetTaxonomy(taxonomy))
    return classifier.classify(texts, context)
  return Int32Array.from({ length: texts.size }, (_, id) => {
    const synset = findConcept(taxonomy.wordnet, texts.text(id))
    return synset < 0 ? -1 : taxonomy.nodeOf(synset)
  })
}
