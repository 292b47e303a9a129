import type { TopicSearcher } from "../../taxonomy/classify/topic-searcher.ts"
import { mapQuery } from "../map-query.ts"
import { rerank } from "../rank.ts"
import type { EngineResult, SearchEngine } from "./engine.ts"
import { openGlossIndex } from "./gloss-cache.ts"
import { glossSearcher } from "./gloss-index.ts"

/** What the built-in engine is called. */
export const builtInName = "built-in"

/** Where the built-in engine keeps its index, and what its results link to. */
export interface BuiltInOptions {
  /** Keeps the index, so that it is built once. */
  folder?: string | undefined
  /** The address of a topic's page; none: results are no links. */
  linkOf?: (name: string) => string
}

/**
 * An engine with nothing else installed: a document for each topic, its text the topic's. It personalises as `personal
 * engine` does, by the exposure alone, so that the whole of Shou et al. 2014, Fig. 1 can be looked at; nothing leaves the machine.
 */
export async function builtIn(searcher: TopicSearcher, options: BuiltInOptions = {}): Promise<SearchEngine> {
  const { taxonomy } = searcher
  const find = glossSearcher(await openGlossIndex(taxonomy, { folder: options.folder }))
  const resultOf = (topic: number): EngineResult => {
    const name = taxonomy.name(topic).replaceAll("_", " ")
    return { title: name, url: options.linkOf?.(name) ?? null, snippet: taxonomy.text(topic) }
  }
  return {
    name: builtInName,
    kind: builtInName,
    observer: builtInName,
    acceptsExposure: true,
    async search(query, { exposure, count }) {
      const results = find(query, count).map(resultOf)
      const shown = (exposure?.paths ?? []).map((path) => taxonomy.find(path)).filter((topic) => topic >= 0)
      if (shown.length === 0) return results
      const order = rerank(
        results.map(({ title, snippet }) => `${title} ${snippet}`),
        { searcher, relevant: mapQuery(searcher, query), shown },
      )
      return Array.from(order, (i) => ({ ...results[i], before: i + 1 }))
    },
  }
}

/** Where the nouns of WordNet can be read about. */
export const wordNetLink = (name: string): string => `https://en-word.net/lemma/${encodeURIComponent(name)}`
