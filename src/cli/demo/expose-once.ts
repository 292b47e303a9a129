import type { RunContext } from "../../index.ts"
import { emptyStore, openTaxonomy, PersonalProxy, sensitiveTopics, topicSearcher } from "../../personal.ts"
import type { DemoContent } from "../../study/demo/demo-page.ts"

/** What a synthetic person has read, in documents by topic. Their political party is the private part. */
const read: readonly (readonly [path: string, documents: number])[] = [
  ["group/social group/gathering/social gathering/party", 40],
  ["group/social group/organization/party", 3],
  ["food/beverage/coffee", 10],
]
const sensitive = "group/social group/organization/party"
const query = "party"

/** An engine that is never called. */
const engine = {
  name: "demo",
  kind: "queryveil",
  observer: "demo",
  acceptsExposure: true,
  search: async () => [],
} as const

/**
 * A word with several meanings, asked by someone who has read about two of them. Shows what goes with the query and
 * what does not.
 */
export async function exposeOnce(context: RunContext): Promise<DemoContent["exposed"]> {
  const taxonomy = await openTaxonomy("wordnet", {}, context)
  const store = emptyStore(taxonomy)
  for (const [path, count] of read) store.interests.add(taxonomy.find(path), { day: 0, count })
  store.sensitive = sensitiveTopics(taxonomy, [[taxonomy.find(sensitive), 1]])
  const file = { store, save: async () => {} }
  const proxy = new PersonalProxy({ file, searcher: topicSearcher(taxonomy), engines: [engine], now: context.now })
  return proxy.preview(query, { delta: 0.1, choice: "send" })
}
