import type { Taxonomy } from "../taxonomy/taxonomy.ts"
import { topicsBroken } from "./path-values.ts"

/** T(q): the topics a query may be about, in taxonomy order. None is below another. */
export interface RelevantTopics {
  readonly topic: Int32Array
  /** Pr(t | q) = rel(t, q) / Σ rel over T(q). Eq. 8. */
  readonly probability: Float64Array
}

/** Checks relevances and turns them into probabilities. A topic of relevance 0 is not relevant. */
export function relevantTopics(
  taxonomy: Taxonomy,
  relevances: Iterable<readonly [topic: number, relevance: number]>,
  { file }: { file?: string } = {},
): RelevantTopics {
  const broken = (message: string) => topicsBroken(message, file)
  const pairs = [...relevances].filter(([, relevance]) => relevance !== 0).sort(([a], [b]) => a - b)
  let sum = 0
  pairs.forEach(([topic, relevance], i) => {
    const path = taxonomy.path(topic)
    if (!(relevance > 0 && relevance < Number.POSITIVE_INFINITY))
      throw broken(`The relevance of ${path} is ${relevance}: expected 0 or more.`)
    if (taxonomy.support[topic] === 0)
      throw broken(
        [
          `The relevant topic ${path} has no support in the taxonomy, so its information content is infinite.`,
          "Give it a support, or leave it out.",
        ].join(" "),
      )
    if (i > 0 && topic < taxonomy.end[pairs[i - 1][0]])
      throw broken(
        [
          `The relevant topics ${taxonomy.path(pairs[i - 1][0]) || "(root)"} and ${path} overlap:`,
          "the second is below the first. Keep one.",
        ].join(" "),
      )
    sum += relevance
  })
  return {
    topic: Int32Array.from(pairs, ([topic]) => topic),
    probability: Float64Array.from(pairs, ([, relevance]) => relevance / sum),
  }
}

/**
 * The marked topics that a query is about: those with a relevant topic in their subtree. The paper assumes that there
 * are none (§1.2). Generalising the profile cannot hide what the query itself says, so the person should be warned.
 */
export function markedInQuery(taxonomy: Taxonomy, relevant: RelevantTopics, marked: Iterable<number>): number[] {
  return [...new Set(marked)].filter((above) => shareInQuery(taxonomy, relevant, above) > 0)
}

/** The share of a query's meaning that is about a topic or one below it: Σ Pr(t | q) over those topics. */
export function shareInQuery({ end }: Taxonomy, { topic, probability }: RelevantTopics, above: number): number {
  let share = 0
  for (let i = 0; i < topic.length; i++) if (topic[i] >= above && topic[i] < end[above]) share += probability[i]
  return Math.min(1, share)
}
