import { queryClassifier } from "./classify-query.ts"
import type { ClassifierModel } from "./model.ts"
import { emptyParts, mostParts, takeWord } from "./query-parts.ts"
import type { WordReadings } from "./reading-list.ts"

/**
 * A run of queries. Query q has the words tokens[offsets[q], offsets[q + 1]). Its topic is written to the shared
 * `topics`.
 */
export interface QueryShard {
  model: ClassifierModel
  readings: WordReadings
  offsets: Uint32Array
  tokens: Int32Array
  topics: Int32Array
  from: number
  to: number
}

/** Classifies the queries of a shard. Returns their number. */
export function classifyShard({ model, readings, ...shard }: QueryShard): number {
  return runClassifier(model, readings)(shard)
}

/** Makes the function that classifies runs of queries whose words have these readings. */
export function runClassifier(model: ClassifierModel, readings: WordReadings) {
  const held = emptyParts()
  const classify = queryClassifier(model, readings, held)
  const isTaught = model.lexicon !== undefined
  return ({ offsets, tokens, topics, from, to }: Omit<QueryShard, "model" | "readings">): number => {
    for (let query = from; query < to; query++) {
      held.count = 0
      held.known = 0
      for (let i = offsets[query]; i < offsets[query + 1]; i++) {
        const word = tokens[i]
        if (isTaught && readings.taught[word] >= 0 && held.known < mostParts)
          held.taught[held.known++] = readings.taught[word]
        takeWord(held, readings, word)
      }
      topics[query] = classify()
    }
    return to - from
  }
}
