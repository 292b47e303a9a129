import type { TopicSearcher } from "../../taxonomy/classify/topic-searcher.ts"
import type { EngineResult } from "../engines/engine.ts"
import type { Asked } from "../personal-search.ts"
import { topicsOfTexts } from "../rank.ts"
import type { Result } from "./answers.ts"

interface RankOptions {
  searcher: TopicSearcher
  asked: Asked
  /** Order of the results by their texts; undefined keeps the engine's order. */
  order: ((texts: readonly string[]) => Uint32Array) | undefined
}

/** Results in their new order, and in the engine's order without a profile. */
export function rankResults(
  found: readonly EngineResult[],
  { searcher, asked, order }: RankOptions,
): { results: Result[]; original: Result[] } {
  const texts = found.map(({ title, snippet }) => `${title} ${snippet}`)
  const topics = topicsOfTexts(texts, { searcher, relevant: asked.relevant })
  const places = order?.(texts) ?? Uint32Array.from(found, (_, i) => i)
  const isOrder = new Set(found.map(({ before }) => before)).size === found.length
  const results = Array.from(places, (i, place): Result => {
    const { title, url, snippet } = found[i]
    const before = (isOrder ? found[i].before : undefined) ?? i + 1
    const topic = topics[i] < 0 ? {} : { topic: searcher.taxonomy.path(topics[i]) }
    return { title, url, snippet, ...topic, rank: place + 1, before }
  })
  return { results, original: [...results].sort((one, other) => one.before - other.before) }
}
