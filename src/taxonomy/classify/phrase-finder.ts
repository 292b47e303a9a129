import type { Taxonomy } from "../taxonomy.ts"
import { emptySpans, spanFinder } from "./find-spans.ts"
import { buildModel } from "./model.ts"
import { takeWords } from "./query-parts.ts"
import { wordReader } from "./read-words.ts"
import { listReadings } from "./reading-list.ts"

/** Words [start, start + length) of a query, as the classifier splits it, name these topics, likeliest first. */
export interface FoundPhrase {
  start: number
  length: number
  topics: number[]
}

/** Makes a function that lists the phrases that compete for a query, to explain the decision. */
export function phraseFinder(taxonomy: Taxonomy): (query: string) => FoundPhrase[] {
  const model = buildModel(taxonomy)
  const read = wordReader(model)
  return (query) => {
    const readings = listReadings(query.split(" ").filter(Boolean).map(read), model)
    const spans = emptySpans()
    spanFinder(model, readings)(takeWords(readings), spans)
    return Array.from({ length: spans.count }, (_, i) => {
      const phrase = spans.phrase[i]
      const topics = model.senses.slice(model.senseOffsets[phrase], model.senseOffsets[phrase + 1])
      return { start: spans.start[i], length: spans.length[i], topics: [...topics] }
    })
  }
}
