import type { WithheldReason } from "./core-options.ts"
import { identifying, type PreparedBlock, unknownCategory } from "./prepare-block.ts"

const reasons: Record<number, WithheldReason> = { [identifying]: "identifier", [unknownCategory]: "unknown category" }

/** Why a row is withheld whose topic is negative. */
export const whyNoTopic = (topic: number): WithheldReason => reasons[topic] ?? "no topic"

/** The topic of a row: that of its query, or the one that the log gives. */
export function topicOfRow({ query, topic, categories, categoryTopic }: PreparedBlock, row: number): number {
  const ofQuery = topic[query[row]]
  if (categories === undefined || categoryTopic === undefined || ofQuery === identifying) return ofQuery
  const category = categories.category[row]
  return category < 0 ? -1 : categoryTopic[category]
}
