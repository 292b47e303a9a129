import { type Static, Type } from "#typebox"
import type { RunContext } from "../../../kernels/context.ts"
import type { SearchLog } from "../../../log/search-log.ts"
import { tokeniseQueries } from "../../../text/tokens.ts"
import type { Taxonomy } from "../../taxonomy.ts"
import { type LexiconColumns, openLexicon, taughtLevel } from "../lexicon.ts"
import { buildModel } from "../model.ts"
import { classifyTokens } from "../phrase-classifier.ts"
import { distilLexicon } from "./distil-lexicon.ts"
import { gatherEvidence } from "./gather-evidence.ts"
import { findKeys } from "./lexicon-keys.ts"
import { voteForUrls } from "./url-topics.ts"

/** Options for learning a lexicon from a log. */
export const trainOptions = Type.Object({
  minUsers: Type.Integer({
    default: 10,
    minimum: 2,
    description: "learn only words that this many users searched for",
  }),
  rounds: Type.Integer({
    default: 3,
    minimum: 1,
    maximum: 10,
    description: "repeat learning this often",
  }),
})

/** Minimum number of users of a word's topic. */
const topicUsers = 3
const idle = 30 * 60

/**
 * Learns from a log's own clicks and sessions which topics its words lead to. Queries are classified and vote for the
 * urls that they led to. Urls and neighbouring searches vote for words. With these words, the queries are classified
 * again. The same log gives the same lexicon, whatever the number of workers.
 */
export async function trainLexicon(
  log: SearchLog,
  taxonomy: Taxonomy,
  options: Partial<Static<typeof trainOptions>>,
  context: RunContext,
): Promise<LexiconColumns> {
  const { minUsers = 10, rounds = 3 } = options
  const tokens = await tokeniseQueries(log.queries, {}, context)
  const keys = findKeys(log, tokens, { minUsers })
  const model = buildModel(taxonomy)
  const minTopicUsers = Math.min(minUsers, topicUsers)
  let lexicon: LexiconColumns | undefined
  for (let round = 0; ; round++) {
    if (lexicon !== undefined && round === rounds) return lexicon
    const taught = lexicon === undefined ? undefined : openLexicon(lexicon, { size: taxonomy.size })
    const topicOf = await classifyTokens({ ...model, lexicon: taught }, tokens, context)
    raiseTopics(topicOf, taxonomy)
    const urls = await voteForUrls(log, topicOf, context)
    const counts = await gatherEvidence(log, { tokens, keys, topicOf, urls, idle }, context)
    lexicon = distilLexicon(counts, { texts: keys.texts, minTopicUsers })
  }
}

function raiseTopics(topicOf: Int32Array, { parent, depth }: Taxonomy): void {
  for (let query = 0; query < topicOf.length; query++)
    while (topicOf[query] >= 0 && depth[topicOf[query]] > taughtLevel) topicOf[query] = parent[topicOf[query]]
}
