import { averagePrecision, fuseBorda, upRank, uscores } from "../../personal/rank.ts"
import type { RelevantTopics } from "../../personal/relevant-topics.ts"
import type { SeedProfile } from "../../personal/seed-profile.ts"
import { nodeOf } from "../../personal/topic-tree.ts"
import type { Situation } from "./person.ts"
import type { World } from "./world.ts"

/** The results of a search in the engine's order: their texts, and which of them the person wanted. */
export interface Results {
  texts: readonly string[]
  isRelevant(item: number): boolean
}

/** The quality of an order of results, as average precision. */
export interface Quality {
  /** Of the engine's order. */
  original: number
  /**
   * Of the engine's order fused with UPRank by the kept part of the seed; of the engine's order alone if nothing was
   * kept.
   */
  fused(kept: ArrayLike<number>): number
  /**
   * Of the order fused at home with UPRank, by the whole seed and its preferences. It starts from the engine's order,
   * or from `fused(kept)`'s order if `kept` is given.
   */
  atHome(kept?: ArrayLike<number>): number
}

/** Judges orders of the results of one search. Fig. 1, steps 3 and 4; eq. 19 and 20. */
export function judgeOrders(world: World, { seed, query }: Situation, { texts, isRelevant }: Results): Quality {
  const { relevant } = query
  const original = Uint32Array.from(texts, (_, i) => i)
  const rankBy = (shown: readonly number[], weights?: ArrayLike<number>) =>
    upRank(uscores(texts, { searcher: world.searcher, relevant, shown, ...(weights !== undefined && { weights }) }))
  const engineOrder = (kept: ArrayLike<number>) => {
    const shown = [...seed.topic].filter((_, node) => kept[node] === 1)
    return shown.length === 0 ? original : fuseBorda([original, rankBy(shown)])
  }
  const home = () => rankBy([...seed.topic], preferencesOf(seed, relevant))
  return {
    original: averagePrecision(original, isRelevant),
    fused: (kept) => averagePrecision(engineOrder(kept), isRelevant),
    atHome: (kept) =>
      averagePrecision(fuseBorda([kept === undefined ? original : engineOrder(kept), home()]), isRelevant),
  }
}

/** Pr(t | q, H) of each topic of T(q). */
function preferencesOf(seed: SeedProfile, { topic }: RelevantTopics): Float64Array {
  return Float64Array.from(topic, (id) => seed.preference[nodeOf(seed, id)] ?? 0)
}
