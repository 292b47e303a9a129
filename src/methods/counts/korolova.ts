import { type RunContext, yieldAndReport } from "../../kernels/context.ts"
import { type CountsRun, type CountsTables, queryTable } from "./approximate.ts"
import { countFirst } from "./first-searches.ts"
import type { Pool } from "./pool.ts"
import { drawPairs, type PublicTexts, publicTexts } from "./pure.ts"
import { transitionRule } from "./transition-rule.ts"

/**
 * The baseline of Korolova, Kenthapadi, Mishra & Ntoulas 2009. It counts each user's first d searches and d_c clicks.
 * Queries with M(q) + Lap(b) > K are released with M(q) + Lap(b_q), where the noise is drawn anew. Clicks on them are
 * released with noise Lap(b_c).
 *
 * Clicks are counted only for public urls, and every public url gets noise. (The paper takes the ten results of the
 * query, which are public too.) Clicks under a public threshold are not written, which costs nothing. There are no
 * transitions.
 */
export async function countKorolova(run: CountsRun & { urls: Pool }, context: RunContext): Promise<CountsTables> {
  const { log, options, plan, parts, urls } = run
  const { random } = context
  const { firstQueries = 10, firstClicks = 10 } = options
  const first = countFirst(log, { queries: firstQueries, clicks: firstClicks, rule: transitionRule(options) })
  await yieldAndReport(context, { stage: "counting", done: 1, total: 2 })
  const tables: CountsTables["tables"] = {}
  let released: PublicTexts = { name: "query", texts: log.queries, ids: new Int32Array(0), inLog: new Int32Array(0) }
  for (const mechanism of plan.mechanisms) {
    const noise = parts.createNoise(mechanism, random)
    const { selection } = mechanism
    if (selection !== undefined) {
      const selecting = parts.createNoise({ ...mechanism, scale: selection.scale }, random)
      const issued = Int32Array.from(first.total.keys()).filter((query) => first.total[query] > 0)
      const ids = issued.filter((query) => first.total[query] + selecting.draw() >= selection.threshold)
      tables.queries = queryTable(log.queries, {
        places: ids,
        values: Float64Array.from(ids, (query) => first.total[query] + noise.draw()),
      })
      released = { ...released, ids, inLog: ids }
    } else {
      const seconds = publicTexts("url", urls, log.urls)
      const counts = first.clicks.freeze()
      tables.clicks = drawPairs(counts, { firsts: released, seconds }, { mechanism, noise }, random)
    }
  }
  const issued = first.total.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0)
  return { tables, withheld: { "queries under their threshold": issued - released.ids.length } }
}
