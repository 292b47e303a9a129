import { queryClassifier } from "./classify-query.ts"
import { mostParts } from "./find-spans.ts"
import type { ClassifierModel } from "./model.ts"
import type { WordReadings } from "./word-readings.ts"

/** A run of queries: query q has the words tokens[offsets[q], offsets[q + 1]). Its topics go to `topics`, which is shared. */
export interface QueryShard {
  model: ClassifierModel
  readings: WordReadings
  offsets: Uint32Array
  tokens: Int32Array
  topics: Int32Array
  from: number
  to: number
}

/** Classifies the queries of a shard; gives how many. */
export function classifyShard({ model, readings, ...shard }: QueryShard): number {
  return runClassifier(model, readings)(shard)
}

/** Makes the function that classifies runs of queries, whose words have these readings. */
export function runClassifier(model: ClassifierModel, readings: WordReadings) {
  const classify = queryClassifier(model, readings)
  const parts = new Int32Array(mostParts)
  const taught = new Int32Array(mostParts)
  return ({ offsets, tokens, topics, from, to }: Omit<QueryShard, "model" | "readings">): number => {
    for (let query = from; query < to; query++) {
      let count = 0
      let known = 0
      for (let i = offsets[query]; i < offsets[query + 1]; i++) {
        if (readings.taught[tokens[i]] >= 0 && known < mostParts) taught[known++] = readings.taught[tokens[i]]
        for (let part = readings.parts[tokens[i]]; part < readings.parts[tokens[i] + 1] && count < mostParts; part++)
          parts[count++] = part
      }
      topics[query] = classify({ parts, count, taught, known })
    }
    return to - from
  }
}
