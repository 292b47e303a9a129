import type { RunContext } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import type { Taxonomy } from "../taxonomy.ts"
import type { PortableClassifier } from "./text-classifier.ts"

/** Assigns a topic to each query. A query always gets the same topic, whatever else is in the dictionary. */
export interface Classifier {
  readonly taxonomy: Taxonomy
  /** For each query of the dictionary (normalised texts): its node, or `unclassified`. */
  classify(queries: Dictionary, context: RunContext): Promise<Int32Array>
  /** The classifier as data, for threads that classify a stream. A service has none. */
  portable?(): PortableClassifier
}

/** Represents no topic. */
export const unclassified = -1
