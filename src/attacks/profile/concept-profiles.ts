import type { RunContext } from "../../kernels/context.ts"
import { indexProfiles } from "../../kernels/linkage/profile-index.ts"
import type { CsrSets } from "../../kernels/set-users.ts"
import type { SearchLog } from "../../log/search-log.ts"
import { englishFunctionWords, parseFunctionWords } from "../../text/function-words.ts"
import { findConcept } from "../../wordnet/concept-label.ts"
import { createNounFinder } from "../../wordnet/find-nouns.ts"
import { hypernymChain } from "../../wordnet/hypernym-chain.ts"
import { openWordNet } from "../../wordnet/open-wordnet.ts"
import type { WordNet } from "../../wordnet/wordnet.ts"
import { earlierSearches } from "./earlier-searches.ts"
import type { Profiles } from "./word-profiles.ts"

/**
 * Profiles of the concepts that the release shows in place of words. Each noun of a query, in its most frequent sense,
 * becomes the first released concept above it. A query without a noun becomes the root. A released row is its one
 * concept.
 */
export async function conceptProfiles(
  log: SearchLog,
  { share, released }: { share: number; released: SearchLog },
  context: RunContext,
): Promise<Profiles> {
  const wordnet = await openWordNet({}, context)
  const senses = nounSenses(log, wordnet)
  const shownAs = releasedAbove(released, wordnet)
  const root = hypernymChain(wordnet, 0).at(-1) ?? 0
  const queries = senses.offsets.length - 1
  const offsets = new Uint32Array(queries + 1)
  const members: number[] = []
  for (let query = 0; query < queries; query++) {
    const own = senses.members.subarray(senses.offsets[query], senses.offsets[query + 1])
    const labels = new Set((own.length > 0 ? Array.from(own) : [root]).map((synset) => shownAs[synset]))
    members.push(...[...labels].filter((label) => label >= 0).sort((a, b) => a - b))
    offsets[query + 1] = members.length
  }
  const sets = { offsets, members: Int32Array.from(members), size: released.queries.size }
  return { index: indexProfiles(sets, earlierSearches(log, share)), wordsOf: (text) => Int32Array.of(text) }
}

const known = new WeakMap<SearchLog, CsrSets>()

/** The most frequent sense of each noun of every query. Computed once for a log, since this is most of the work. */
function nounSenses(log: SearchLog, wordnet: WordNet): CsrSets {
  const found = known.get(log)
  if (found !== undefined) return found
  const functionWords = parseFunctionWords(englishFunctionWords)
  const findNouns = createNounFinder(wordnet, { skip: (word) => functionWords.has(word) })
  const offsets = new Uint32Array(log.queries.size + 1)
  const members: number[] = []
  for (let query = 0; query < log.queries.size; query++) {
    for (const { lemma } of findNouns(log.queries.text(query).split(" "))) members.push(wordnet.synsetsOf(lemma)[0])
    offsets[query + 1] = members.length
  }
  const senses = { offsets, members: Int32Array.from(members), size: wordnet.synsets }
  known.set(log, senses)
  return senses
}

/**
 * For each synset, the released text that is its label, or the label of the first released concept above it; -1 if
 * there is none.
 */
function releasedAbove(released: SearchLog, wordnet: WordNet): Int32Array {
  const shown = new Int32Array(wordnet.synsets).fill(-1)
  for (let text = 0; text < released.queries.size; text++) {
    const synset = findConcept(wordnet, released.queries.text(text))
    if (synset >= 0) shown[synset] = text
  }
  return Int32Array.from({ length: wordnet.synsets }, (_, synset) => {
    const above = hypernymChain(wordnet, synset).find((at) => shown[at] >= 0)
    return above === undefined ? -1 : shown[above]
  })
}
