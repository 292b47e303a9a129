import { type RunContext, yieldAndReport } from "../kernels/context.ts"
import type { SearchLog } from "../log/search-log.ts"
import { countQueries } from "../log/statistics.ts"
import type { WordnetOptions } from "../methods/wordnet/options.ts"
import { generaliseQueries, type PlacedQueries } from "../methods/wordnet/place-queries.ts"
import { shareKept, wordsOfQueries } from "./ncp.ts"

/** Normalised certainty penalty of WordNet generalisation for each k. Carpineto & Romano 2015, eq. 6 and 7. */
export async function generalisedNcpByK(
  log: SearchLog,
  { placed, ks, split }: { placed: PlacedQueries; ks: readonly number[] } & Pick<WordnetOptions, "split">,
  context: RunContext,
): Promise<{ k: number; ncp: number }[]> {
  const words = wordsOfQueries(log)
  const { events } = countQueries(log)
  const curve: { k: number; ncp: number }[] = []
  for (const [i, k] of ks.entries()) {
    const concept = generaliseQueries(placed, { k, split })
    const kept = Float64Array.from(concept, (synset) => (synset < 0 ? 0 : 1 - placed.tree.penalty[synset]))
    curve.push({ k, ncp: 1 - shareKept({ words, kept, events }) })
    await yieldAndReport(context, { stage: "splitting", done: i + 1, total: ks.length })
  }
  return curve
}
