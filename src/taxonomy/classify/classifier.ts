import type { RunContext } from "../../kernels/context.ts"
import type { Dictionary } from "../../kernels/dictionary.ts"
import type { Taxonomy } from "../taxonomy.ts"
import type { PortableClassifier } from "./text-classifier.ts"

/** Gives each query a topic. The same query always has the same topic, whatever else is in the dictionary. */
export interface Classifier {
  readonly taxonomy: Taxonomy
  /** Of each query of the dictionary, which are normalised texts: its node, or `unclassified`. */
  classify(queries: Dictionary, context: RunContext): Promise<Int32Array>
  /** The classifier as data, for threads that classify a stream; a service has none. */
  portable?(): PortableClassifier
}

/** What stands for no topic. */
export const unclassified = -1
