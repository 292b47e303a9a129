import { indexClicks } from "./clicked-results.ts"
import { judgeOrders, type Quality } from "./judge.ts"
import { type Person, type Situation, situationsOf } from "./person.ts"
import { syntheticResults } from "./synthetic-results.ts"
import type { World } from "./world.ts"

/** How results are judged: by what people clicked, or on synthetic results whose topics are known. */
type JudgedBy = "clicks" | "synthetic results"

/** Searches whose results can be judged. */
export interface Judged {
  by: JudgedBy
  searches: readonly { situation: Situation; quality: Quality }[]
}

const known = new WeakMap<readonly Person[], Judged>()

/**
 * Judges by the clicks of the log if any of them separate the results of a search, else on synthetic results. Computed
 * once for all points.
 */
export function judgePeople(world: World, people: readonly Person[]): Judged {
  const judged = known.get(people) ?? judge(world, situationsOf(people))
  known.set(people, judged)
  return judged
}

function judge(world: World, situations: readonly Situation[]): Judged {
  const { resultsOf } = indexClicks(world, situations)
  const searches = situations.flatMap((situation) => {
    const results = resultsOf(situation)
    return results === undefined ? [] : [{ situation, quality: judgeOrders(world, situation, results) }]
  })
  if (searches.length > 0) return { by: "clicks", searches }
  return {
    by: "synthetic results",
    searches: situations.map((situation, number) => {
      return { situation, quality: judgeOrders(world, situation, syntheticResults(world, situation, number)) }
    }),
  }
}
