import type { TopicSearcher } from "../../taxonomy/classify/topic-searcher.ts"
import { mapQuery } from "../map-query.ts"
import { rerank } from "../rank.ts"
import type { EngineResult, SearchEngine } from "./engine.ts"
import { openGlossIndex } from "./gloss-cache.ts"
import { glossSearcher } from "./gloss-index.ts"

/** Name of the built-in engine. */
export const builtInName = "built-in"

/** Where the built-in engine keeps its index, and where its results link to. */
export interface BuiltInOptions {
  /** The folder that keeps the index, so that it is built only once. */
  folder?: string | undefined
  /** The address of a topic's page. Without it, results are not links. */
  linkOf?: (name: string) => string
}

/**
 * An engine that needs nothing else installed. It has one document for each topic; the document's text is the topic's
 * text. It personalises from the exposure alone, as `personal engine` does, so that all of Shou et al. 2014, Fig. 1 can
 * be tried. Nothing leaves the machine.
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

/** The page about a noun of WordNet. */
export const wordNetLink = (name: string): string => `https://en-word.net/lemma/${encodeURIComponent(name)}`
