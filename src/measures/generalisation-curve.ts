import { breathe, type RunContext } from "../kernels/context.ts"
import type { SearchLog } from "../log/search-log.ts"
import { countQueries } from "../log/statistics.ts"
import { chooseConcepts } from "../methods/wordnet/choose-concepts.ts"
import { growConceptTree } from "../methods/wordnet/concept-tree.ts"
import { partitionTree } from "../methods/wordnet/partition.ts"
import { itemsOf } from "../methods/wordnet/wordnet.ts"
import { openWordNet } from "../wordnet/open-wordnet.ts"
import { shareKept, wordsOfQueries } from "./ncp.ts"

/** Normalised certainty penalty of generalisation by WordNet for each k; the concepts are chosen once. */
export async function generalisedNcpByK(
  log: SearchLog,
  { ks }: { ks: readonly number[] },
  context: RunContext,
): Promise<{ k: number; ncp: number }[]> {
  const wordnet = await openWordNet({}, context)
  const tree = growConceptTree(wordnet)
  const chosen = await chooseConcepts(log.queries, wordnet, context)
  const home = chosen.concept.map((concept) => (concept < 0 ? tree.root : concept))
  const items = itemsOf(log, home)
  const words = wordsOfQueries(log)
  const { events } = countQueries(log)
  const curve: { k: number; ncp: number }[] = []
  for (const [i, k] of ks.entries()) {
    const standsFor = partitionTree(tree, items, { k })
    const kept = Float64Array.from(home, (synset) => (standsFor[synset] < 0 ? 0 : 1 - tree.penalty[standsFor[synset]]))
    curve.push({ k, ncp: 1 - shareKept({ words, kept, events }) })
    await breathe(context, { stage: "splitting", done: i + 1, total: ks.length })
  }
  return curve
}
