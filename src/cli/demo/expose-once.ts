import type { RunContext } from "../../kernels/context.ts"
import { sensitiveTopics } from "../../personal/cost-layer.ts"
import { PersonalSearch } from "../../personal/personal-search.ts"
import { emptyStore } from "../../personal/personal-store.ts"
import type { Exposed } from "../../personal/proxy/answers.ts"
import { describeExposed } from "../../personal/proxy/exposed.ts"
import { topicSearcher } from "../../taxonomy/classify/topic-searcher.ts"
import { builtIn, openTaxonomy } from "../../taxonomy/open-taxonomy.ts"

/** What a made-up person has read, in documents by topic. Which political party is nobody's business. */
const read: readonly (readonly [path: string, documents: number])[] = [
  ["group/social group/gathering/social gathering/party", 40],
  ["group/social group/organization/party", 3],
  ["food/beverage/coffee", 10],
]
const sensitive = "group/social group/organization/party"
const query = "party"

/** A word with several meanings, asked by someone who has read about two of them: what goes with the query, and what does not. */
export async function exposeOnce(context: RunContext): Promise<Exposed> {
  const taxonomy = await openTaxonomy(builtIn, {}, context)
  const store = emptyStore(taxonomy)
  for (const [path, count] of read) store.interests.add(taxonomy.find(path), { day: 0, count })
  store.sensitive = sensitiveTopics(taxonomy, [[taxonomy.find(sensitive), 1]])
  const search = new PersonalSearch(store, topicSearcher(taxonomy))
  const options = { engine: "demo", session: "demo", delta: 0.1, sessionDelta: 0.2, sensitiveQueries: "send" as const }
  return describeExposed(search, search.ask(query, options), { ...options, query })
}
